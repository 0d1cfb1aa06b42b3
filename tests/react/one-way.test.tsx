/** Colliders that hold things from one side. */
import { createRef, type JSX } from 'react';
import { Quaternion, Vector3 } from 'three';
import { expect, test } from 'vitest';
import {
  BallCollider,
  CuboidCollider,
  InstancedRigidBodies,
  RigidBody,
  type ColliderProps,
  type RapierCollider,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const Ball = (props: RigidBodyProps): JSX.Element => (
  <RigidBody position={[0, -2, 0]} linearVelocity={[0, 9, 0]} colliders={false} {...props}>
    <BallCollider args={[0.5]} />
  </RigidBody>
);

const Platform = (props: Partial<ColliderProps>): JSX.Element => (
  <CuboidCollider {...(props as object)} args={[2, 0.1, 2]} />
);

const height = ({ current }: { current: RapierRigidBody | null }): number =>
  current?.translation().y ?? Number.NaN;

test('a ball jumps through a platform and lands on it, and bumps into one without the prop', async () => {
  const [first, second] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const scene = await runScene(
    <>
      <Ball ref={first} />
      <Platform oneWay={{}} />
      <Ball ref={second} position={[9, -2, 0]} />
      <Platform position={[9, 0, 0]} />
    </>,
    { isStrict: true },
  );
  await scene.ticks(150);
  expect(height(first)).toBeCloseTo(0.6, 1);
  expect(height(second)).toBeLessThan(-2);
  // It is no system of the application.
  expect(scene.world.systems.len()).toBe(0);
  await scene.unmount();
});

test('the prop of a body is that of its colliders, also of meshes and instances', async () => {
  const [first, second] = [createRef<RapierRigidBody>(), createRef<RapierRigidBody>()];
  const mesh = (
    <mesh>
      <boxGeometry args={[4, 0.2, 4]} />
    </mesh>
  );
  const scene = await runScene(
    <>
      <RigidBody type="fixed" oneWay={{}}>
        {mesh}
      </RigidBody>
      <Ball ref={first} />
      <InstancedRigidBodies
        type="fixed"
        colliders={false}
        oneWay={{}}
        colliderNodes={[<CuboidCollider key={0} args={[2, 0.1, 2]} />]}
        instances={[{ key: 0, position: [9, 0, 0] }]}
      >
        <instancedMesh args={[undefined, undefined, 1]} />
      </InstancedRigidBodies>
      <Ball ref={second} position={[9, -2, 0]} />
    </>,
  );
  await scene.ticks(150);
  expect(height(first)).toBeCloseTo(0.6, 1);
  expect(height(second)).toBeCloseTo(0.6, 1);
  await scene.unmount();
});

test('its axis turns with the objects around it', async () => {
  const ball = createRef<RapierRigidBody>();
  const scene = await runScene(
    <>
      <group rotation={[0, 0, Math.PI]}>
        <Platform oneWay={{ axis: new Vector3(0, -1, 0) }} />
      </group>
      <Ball ref={ball} />
    </>,
  );
  await scene.ticks(150);
  expect(height(ball)).toBeCloseTo(0.6, 1);
  await scene.unmount();
});

test('a prop that changes or goes away is sent, and an equal one is not', async () => {
  const platform = createRef<RapierCollider>();
  const contents = (oneWay: ColliderProps['oneWay']): JSX.Element => (
    <>
      <Platform ref={platform} oneWay={oneWay} />
      <Ball gravityScale={0} linearVelocity={[0, 0, 0]} quaternion={new Quaternion()} />
    </>
  );
  const scene = await runScene(contents({ margin: 0.25 }));
  const [first] = scene.world.colliders.getAll();
  const isOneWay = (): unknown => platform.current?.oneWay();
  expect(isOneWay()).toEqual({ axis: { x: 0, y: 1, z: 0 }, margin: 0.25 });
  await scene.ticks(1);
  const commands = (): number =>
    scene.simulation.recording().entries.filter(({ kind }) => kind === 'command').length;
  const before = commands();
  await scene.render(contents({ margin: 0.25 }));
  await scene.ticks(1);
  expect(commands()).toBe(before);
  await scene.render(contents({ axis: { x: 1, y: 0, z: 0 } }));
  await scene.ticks(1);
  expect(commands()).toBe(before + 1);
  expect(isOneWay()).toEqual({ axis: { x: 1, y: 0, z: 0 }, margin: 0.05 });
  for (const none of [undefined, null]) {
    await scene.render(contents({}));
    expect(isOneWay()).not.toBeNull();
    await scene.render(contents(none));
    expect(isOneWay()).toBeNull();
  }
  expect(scene.world.colliders.getAll()[0]).toBe(first);
  await scene.unmount();
});

test.each([
  [true, /oneWay of <CuboidCollider>: oneWay must be an object \{ axis, margin \}/],
  [{ axis: [0, 1, 0] }, /oneWay of <CuboidCollider>: oneWay\.axis\.x must be a number/],
  [{ axis: { x: 0, y: 0, z: 0 } }, /oneWay\.axis must be a direction/],
  [{ margin: -1 }, /oneWay\.margin must not be negative/],
  [{ margins: 1 }, /unknown option "margins" of oneWay: did you mean "margin"/],
])('%j is refused', async (oneWay, message) => {
  await expect(runScene(<Platform oneWay={oneWay as never} />)).rejects.toThrow(message);
});
