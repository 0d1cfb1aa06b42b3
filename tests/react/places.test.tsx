/** Where bodies and colliders are, when the places in their props change. */
import { createRef, type JSX } from 'react';
import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import type { RapierCollider, RapierRigidBody } from '../../src/render-main/react/index.js';
import { describeWorld, differences } from './described-world.js';
import { runScene } from './run-scene.js';
import { body } from './snippets.js';

const { CuboidCollider, RigidBody } = ours;

const turningIn = (friction: number): JSX.Element => (
  <group scale={[1.1, 2.3, 0.7]}>
    {body(ours, { angularVelocity: [1, 2, 3], scale: 1.3, friction })}
  </group>
);

test('a position that changes moves the body, and leaves its rotation and its velocity', async () => {
  const ref = createRef<RapierRigidBody>();
  const at = (x: number): JSX.Element =>
    body(ours, { ref, position: [x, 0, 0], angularVelocity: [0, 0, 5] });
  const scene = await runScene(at(0));
  await scene.ticks(5);
  const turned = ref.current?.rotation();
  expect(turned?.w).toBeLessThan(1);
  const falling = ref.current?.linvel();
  await scene.render(at(3));
  expect(ref.current?.translation()).toEqual({ x: 3, y: 0, z: 0 });
  expect(ref.current?.rotation()).toEqual(turned);
  expect(ref.current?.linvel()).toEqual(falling);
  await scene.unmount();
});

test('vectors of three.js count by their numbers, and parts of a position have names', async () => {
  const ref = createRef<RapierRigidBody>();
  const scene = await runScene(body(ours, { ref, position: new Vector3(0, 5, 0) }));
  await scene.ticks(5);
  const before = ref.current?.translation();
  expect(before?.y).toBeLessThan(5);
  const moved = new Vector3(0, 5, 0);
  await scene.render(body(ours, { ref, position: moved }));
  expect(ref.current?.translation()).toEqual(before);
  // Fiber does not look into the same vector again, and neither does the body.
  moved.y = 9;
  await scene.render(body(ours, { ref, position: moved }));
  expect(ref.current?.translation()).toEqual(before);
  await scene.render(body(ours, { ref, position: new Vector3(1, 2, 3) }));
  expect(ref.current?.translation()).toEqual({ x: 1, y: 2, z: 3 });
  await scene.unmount();
});

test('parts of a position', async () => {
  const ref = createRef<RapierRigidBody>();
  const scene = await runScene(body(ours, { ref, 'position-x': 2 }));
  expect(ref.current?.translation()).toEqual({ x: 2, y: 0, z: 0 });
  await scene.render(body(ours, { ref, 'position-x': 3 }));
  expect(ref.current?.translation()).toEqual({ x: 3, y: 0, z: 0 });
  await scene.unmount();
});

test('within a group, a position is one of the group', async () => {
  const ref = createRef<RapierRigidBody>();
  const at = (x: number): JSX.Element => (
    <group position={[10, 0, 0]} scale={2}>
      {body(ours, { ref, position: [x, 0, 0] })}
    </group>
  );
  const scene = await runScene(at(1));
  await scene.ticks(3);
  await scene.render(at(2));
  expect(ref.current?.translation()).toEqual({ x: 14, y: 0, z: 0 });
  await scene.unmount();
});

const isNear = (place: readonly number[], expected: readonly number[]): void =>
  place.forEach((value, axis) => expect(value).toBeCloseTo(expected[axis] as number, 4));

test('a group that moves after the mount takes no body along, and is counted in later positions', async () => {
  const ref = createRef<RapierRigidBody>();
  const at = (group: number, x: number): JSX.Element => (
    <group position={[group, 0, 0]} rotation={[0, Math.PI / 2, 0]} scale={2}>
      <RigidBody ref={ref} name="body" gravityScale={0} position={[x, 0, 0]} />
    </group>
  );
  const scene = await runScene(at(10, 1));
  const drawn = (): readonly number[] =>
    scene.object('body').getWorldPosition(new Vector3()).toArray();
  await scene.ticks(3);
  isNear(drawn(), [10, 0, -2]);
  await scene.render(at(20, 1));
  await scene.ticks(3);
  expect(ref.current?.translation().x).toBeCloseTo(10, 4);
  isNear(drawn(), [10, 0, -2]);
  await scene.render(at(20, 3));
  await scene.ticks(3);
  expect(ref.current?.translation().x).toBeCloseTo(20, 4);
  isNear(drawn(), [20, 0, -6]);
  await scene.unmount();
});

test('a collider that moves while its body does is where its props say', async () => {
  const ref = createRef<RapierCollider>();
  const at = (x: number): JSX.Element => (
    <group position={[10, 0, 0]} rotation={[0, 1, 0]} scale={[2, 2, 2]}>
      <RigidBody angularVelocity={[1, 2, 3]} linearVelocity={[1, 2, 3]}>
        <group position={[0, 1, 0]} rotation={[0, 0, Math.PI / 2]}>
          <CuboidCollider ref={ref} args={[1, 1, 1]} position={[x, 0, 0]} />
        </group>
      </RigidBody>
    </group>
  );
  const scene = await runScene(at(1));
  const first = ref.current;
  await scene.ticks(7);
  await scene.render(at(2));
  expect(ref.current).toBe(first);
  const placed = ref.current?.translationWrtParent();
  expect(placed?.x).toBeCloseTo(0, 12);
  expect(placed?.y).toBeCloseTo(6, 12);
  expect(placed?.z).toBeCloseTo(0, 12);
  await scene.unmount();
});

test('a turning body in an unevenly scaled group keeps its colliders', async () => {
  const scene = await runScene(turningIn(1));
  const before = scene.world.colliders.getAll();
  await scene.ticks(5);
  await scene.render(turningIn(0.5));
  expect(scene.world.colliders.getAll()).toEqual(before);
  await scene.unmount();
});

test('another scale makes other colliders, of the meshes, too', async () => {
  const ref = createRef<RapierRigidBody>();
  const scene = await runScene(body(ours, { ref, scale: 1 }));
  const first = ref.current;
  await scene.render(body(ours, { ref, scale: 2 }));
  expect(ref.current).toBe(first);
  const scaled = await runScene(body(ours, { scale: 2 }));
  expect(differences(describeWorld(scene.world), describeWorld(scaled.world))).toEqual([]);
  await scaled.unmount();
  await scene.unmount();
});
