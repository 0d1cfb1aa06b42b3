/** Bodies that do not touch each other. */
import { createRef, type JSX } from 'react';
import { expect, test, vi } from 'vitest';
import {
  BallCollider,
  CuboidCollider,
  RigidBody,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';

const Floor = (props: RigidBodyProps): JSX.Element => (
  <RigidBody type="fixed" colliders={false} {...props}>
    <CuboidCollider args={[5, 0.5, 5]} />
  </RigidBody>
);

const Ball = (props: RigidBodyProps): JSX.Element => (
  <RigidBody position={[0, 1.1, 0]} colliders={false} {...props}>
    <BallCollider args={[0.5]} />
  </RigidBody>
);

const height = ({ current }: { current: RapierRigidBody | null }): number =>
  current?.translation().y ?? Number.NaN;

test('a body falls through what it ignores, and through nothing else', async () => {
  const floor = createRef<RapierRigidBody>();
  const [first, second, third] = [
    createRef<RapierRigidBody>(),
    createRef<RapierRigidBody>(),
    createRef<RapierRigidBody>(),
  ];
  const scene = await runScene(
    <>
      <Ball ref={first} ignores={[floor]} />
      <Floor ref={floor} />
      <Ball ref={second} position={[2, 1.1, 0]} />
      <Ball ref={third} position={[-2, 1.1, 0]} ignores={[createRef(), first]} />
    </>,
    { isStrict: true },
  );
  await scene.ticks(60);
  expect(height(first)).toBeLessThan(-1);
  expect(height(second)).toBeCloseTo(1, 1);
  expect(height(third)).toBeCloseTo(1, 1);
  await scene.unmount();
});

test('the body that is ignored may be mounted later, become another one, and go', async () => {
  const floor = createRef<RapierRigidBody>();
  const ball = createRef<RapierRigidBody>();
  const contents = (hasFloor: boolean, canSleep = true): JSX.Element => (
    <>
      <Ball ref={ball} gravityScale={0} position={[0, 0, 0]} ignores={[floor]} />
      {hasFloor && <Floor ref={floor} canSleep={canSleep} position={[0, 0.3, 0]} />}
    </>
  );
  const scene = await runScene(contents(false));
  expect(scene.world.systems.len()).toBe(0);
  for (const canSleep of [true, false]) {
    await scene.render(contents(true, canSleep));
    await scene.ticks(5);
    expect(scene.world.systems.len()).toBe(1);
    expect(height(ball)).toBe(0);
  }
  await scene.render(contents(false));
  await scene.ticks(1);
  expect(scene.world.systems.len()).toBe(0);
  await scene.unmount();
});

test('a change of the prop counts also for bodies that sleep', async () => {
  const floor = createRef<RapierRigidBody>();
  const ball = createRef<RapierRigidBody>();
  const contents = (ignores: RigidBodyProps['ignores']): JSX.Element => (
    <>
      <Floor ref={floor} ignores={ignores} />
      <Ball ref={ball} />
    </>
  );
  const scene = await runScene(contents(undefined));
  await scene.ticks(20);
  ball.current?.sleep();
  await scene.ticks(2);
  expect(ball.current?.isSleeping()).toBe(true);
  await scene.render(contents([ball]));
  await scene.ticks(20);
  expect(height(ball)).toBeLessThan(0.8);
  ball.current?.setTranslation({ x: 0, y: 1.1, z: 0 }, true);
  ball.current?.setLinvel({ x: 0, y: 0, z: 0 }, true);
  await scene.render(contents([]));
  await scene.ticks(40);
  expect(height(ball)).toBeCloseTo(1, 1);
  const [collider] = scene.world.colliders.getAll();
  expect(collider?.activeHooks()).toBe(0);
  await scene.unmount();
});

test('a sensor does not notice what its body ignores', async () => {
  const ball = createRef<RapierRigidBody>();
  const entered = vi.fn<() => void>();
  const contents = (ignores: RigidBodyProps['ignores']): JSX.Element => (
    <>
      <Ball ref={ball} gravityScale={0} position={[0, 0, 0]} />
      <Floor sensor ignores={ignores} onIntersectionEnter={() => entered()} />
    </>
  );
  const scene = await runScene(contents([ball]), { events: 'now' });
  await scene.ticks(3);
  expect(entered).not.toHaveBeenCalled();
  await scene.render(contents(undefined));
  await scene.ticks(3);
  expect(entered).toHaveBeenCalledOnce();
  await scene.unmount();
});

test('what is no list of refs is refused', async () => {
  await expect(runScene(<Ball ignores={{} as never} />)).rejects.toThrow(/ignores of <RigidBody>/);
  await expect(runScene(<Ball ignores={[3 as never]} />)).rejects.toThrow(
    /ignores of <RigidBody>.*needs a ref/,
  );
});
