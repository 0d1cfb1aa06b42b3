import { createRef, type JSX } from 'react';
import { expect, test, vi } from 'vitest';
import {
  RigidBody,
  useRapier,
  type CollisionEnterPayload,
  type RapierRigidBody,
} from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const Outside = (): null => {
  useRapier();
  return null;
};

const Box = (): JSX.Element => (
  <mesh>
    <boxGeometry />
  </mesh>
);

test('a body falls onto another one, and its object moves with it', async () => {
  const box = createRef<RapierRigidBody>();
  const entered: CollisionEnterPayload[] = [];
  const scene = await runScene(
    <>
      <RigidBody
        ref={box}
        name="box"
        position={[0, 2, 0]}
        onCollisionEnter={(payload) => entered.push(payload)}
      >
        <Box />
      </RigidBody>
      <RigidBody type="fixed" name="plate" scale={[10, 1, 10]}>
        <Box />
      </RigidBody>
    </>,
    { events: 'now' },
  );
  expect(box.current?.translation()).toEqual({ x: 0, y: 2, z: 0 });
  expect(scene.world.bodies.len()).toBe(2);
  expect(scene.world.colliders.getAll().map((collider) => collider.halfExtents())).toEqual([
    { x: 0.5, y: 0.5, z: 0.5 },
    { x: 5, y: 0.5, z: 5 },
  ]);
  await scene.ticks(60);
  expect(box.current?.translation().y).toBeCloseTo(1, 2);
  expect(scene.object('box').position.y).toBeLessThan(1.5);
  expect(entered).toHaveLength(1);
  const [{ target, other, manifold }] = entered as [CollisionEnterPayload];
  expect(target.rigidBody).toBe(box.current);
  expect(target.rigidBodyObject).toBe(scene.object('box'));
  expect(other.rigidBodyObject).toBe(scene.object('plate'));
  expect(manifold.solverContactPoint(0).y).toBeCloseTo(0.5, 1);
  await scene.unmount();
});

test('StrictMode creates nothing twice', async () => {
  const scene = await runScene(
    <RigidBody>
      <Box />
    </RigidBody>,
    { isStrict: true },
  );
  expect(scene.world.bodies.getAll().map(({ handle }) => handle)).toEqual([1]);
  expect(scene.world.colliders.getAll().map(({ handle }) => handle)).toEqual([2]);
  await scene.unmount();
});

test('a ref is null after its body was unmounted, and the body is gone', async () => {
  const box = createRef<RapierRigidBody>();
  const scene = await runScene(<RigidBody ref={box} />);
  const body = box.current;
  await scene.render(null);
  expect(box.current).toBeNull();
  expect(body?.isValid()).toBe(false);
  expect(scene.world.bodies.len()).toBe(0);
  await scene.unmount();
});

test('a change of a setting sends it alone: the body continues from where it is', async () => {
  const box = createRef<RapierRigidBody>();
  const boxOf = (gravityScale: number): JSX.Element => (
    <RigidBody
      ref={box}
      position={[0, 5, 0]}
      linearVelocity={[1, 0, 0]}
      gravityScale={gravityScale}
    >
      <Box />
    </RigidBody>
  );
  const scene = await runScene(boxOf(1));
  await scene.ticks(10);
  const before = box.current?.translation();
  expect(before?.y).toBeLessThan(5);
  const body = box.current;
  await scene.render(boxOf(0));
  expect(box.current).toBe(body);
  expect(body?.gravityScale()).toBe(0);
  expect(body?.translation()).toEqual(before);
  await scene.unmount();
});

test('outside of <Physics>, the message says what to do', async () => {
  const { create } = await import('@react-three/test-renderer');
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(create(<Outside />)).rejects.toThrow(/useRapier was used outside of <Physics>/);
  errors.mockRestore();
});
