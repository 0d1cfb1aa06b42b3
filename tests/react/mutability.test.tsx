/** Which props make another body or another collider, and which change it. */
import { createRef, type JSX } from 'react';
import { expect, test } from 'vitest';
import {
  CuboidCollider,
  RigidBody,
  type CuboidArgs,
  type RapierCollider,
  type RapierRigidBody,
  type RigidBodyProps,
} from '../../src/render-main/react/index.js';
import { RigidBodyType } from '../../src/render-main/world/index.js';
import { runScene } from './run-scene.js';

test('another type and another place are those of the same body; whether it may sleep makes another one', async () => {
  const ref = createRef<RapierRigidBody>();
  const bodyOf = (props: RigidBodyProps): JSX.Element => <RigidBody ref={ref} {...props} />;
  const scene = await runScene(bodyOf({ type: 'dynamic', position: [0, 0, 0], canSleep: true }));
  const first = ref.current as RapierRigidBody;
  expect([first.translation().x, first.bodyType()]).toEqual([0, RigidBodyType.Dynamic]);
  await scene.render(bodyOf({ type: 'fixed', position: [2, 0, 0], canSleep: true }));
  expect(ref.current?.handle).toBe(first.handle);
  expect([first.translation().x, first.bodyType()]).toEqual([2, RigidBodyType.Fixed]);
  await scene.render(bodyOf({ type: 'kinematicPosition', position: [2, 0, 0], canSleep: false }));
  const second = ref.current as RapierRigidBody;
  expect(second.handle).not.toBe(first.handle);
  expect(first.isValid()).toBe(false);
  expect([second.translation().x, second.bodyType()]).toEqual([
    2,
    RigidBodyType.KinematicPositionBased,
  ]);
  await scene.ticks(1);
  expect(second.translation().x).toBe(2);
  await scene.unmount();
});

test('another place is that of the same collider; other sizes make another one', async () => {
  const ref = createRef<RapierCollider>();
  const colliderOf = (x: number, args: CuboidArgs): JSX.Element => (
    <CuboidCollider ref={ref} position={[x, 0, 0]} args={args} />
  );
  const scene = await runScene(colliderOf(0, [1, 1, 1]));
  const first = ref.current as RapierCollider;
  await scene.render(colliderOf(1, [1, 1, 1]));
  expect(ref.current).toBe(first);
  expect(first.translation().x).toBe(1);
  const handles = [first.handle];
  for (const [x, width] of [
    [1, 2],
    [2, 3],
  ] as const) {
    await scene.render(colliderOf(x, [width, 1, 1]));
    const made = ref.current as RapierCollider;
    expect(handles).not.toContain(made.handle);
    handles.push(made.handle);
    expect([made.halfExtents()?.x, made.translation().x]).toEqual([width, x]);
  }
  expect(scene.world.colliders.len()).toBe(1);
  await scene.unmount();
});
