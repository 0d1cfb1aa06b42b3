/** What bodies and colliders are set to, when props change in more ways than one. */
import { createRef, type JSX } from 'react';
import { Vector3 } from 'three';
import { expect, test, vi } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import type { RapierRigidBody, RigidBodyProps } from '../../src/render-main/react/index.js';
import { runScene } from './run-scene.js';
import { body } from './snippets.js';

const { CuboidCollider, RigidBody } = ours;

test('locks and enabled axes do not undo each other', async () => {
  const ref = createRef<RapierRigidBody>();
  const bodyOf = (props: RigidBodyProps): JSX.Element => (
    <RigidBody ref={ref} gravityScale={0} {...props}>
      <CuboidCollider args={[1, 1, 1]} />
    </RigidBody>
  );
  const enabled: RigidBodyProps = {
    enabledTranslations: [true, false, true],
    enabledRotations: [false, true, false],
  };
  const moves = async (props: RigidBodyProps): Promise<boolean[]> => {
    const scene = await runScene(
      bodyOf({ lockTranslations: true, lockRotations: true, ...enabled }),
    );
    await scene.render(bodyOf(props));
    ref.current?.applyImpulse({ x: 1, y: 1, z: 1 }, true);
    ref.current?.applyTorqueImpulse({ x: 1, y: 1, z: 1 }, true);
    await scene.ticks(1);
    const speeds = [ref.current?.linvel(), ref.current?.angvel()];
    await scene.unmount();
    return speeds.flatMap((speed) => [speed?.x !== 0, speed?.y !== 0, speed?.z !== 0]);
  };
  expect(await moves(enabled)).toEqual([true, false, true, false, true, false]);
  expect(await moves({ lockTranslations: false, ...enabled })).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
  expect(await moves({ lockRotations: true, ...enabled })).toEqual([
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(await moves({})).toEqual([true, true, true, true, true, true]);
});

test('what was set on the handle stays, if its prop does not change', async () => {
  const ref = createRef<RapierRigidBody>();
  const plain = (friction: number): JSX.Element => (
    <RigidBody ref={ref} friction={friction} linearDamping={0.5}>
      <CuboidCollider args={[1, 1, 1]} />
    </RigidBody>
  );
  const scene = await runScene(plain(1));
  const made = ref.current as RapierRigidBody;
  made.setLinearDamping(0.25);
  made.userData = 'mine';
  made.collider(0)?.setRestitution(0.5);
  await scene.render(plain(0.5));
  expect(made.linearDamping()).toBe(0.25);
  expect(made.userData).toBe('mine');
  expect(made.collider(0)?.restitution()).toBe(0.5);
  expect(made.collider(0)?.friction()).toBe(0.5);
  await scene.unmount();
});

test('a velocity that a fixed body could not have is set when it may move', async () => {
  const ref = createRef<RapierRigidBody>();
  const bodyOf = (type: RigidBodyProps['type']): JSX.Element => (
    <RigidBody ref={ref} type={type} linearVelocity={[1, 0, 0]} angularVelocity={[0, 1, 0]} />
  );
  const scene = await runScene(bodyOf('fixed'));
  expect(ref.current?.linvel().x).toBe(0);
  await scene.render(bodyOf('dynamic'));
  expect(ref.current?.linvel()).toEqual({ x: 1, y: 0, z: 0 });
  expect(ref.current?.angvel()).toEqual({ x: 0, y: 1, z: 0 });
  await scene.unmount();
});

test('an equal velocity as a vector is not set again', async () => {
  const ref = createRef<RapierRigidBody>();
  const bodyOf = (): JSX.Element => body(ours, { ref, linearVelocity: new Vector3(1, 2, 3) });
  const scene = await runScene(bodyOf());
  await scene.ticks(3);
  const before = ref.current?.linvel();
  await scene.render(bodyOf());
  expect(ref.current?.linvel()).toEqual(before);
  await scene.unmount();
});

test('a change of type leaves everything else', async () => {
  const ref = createRef<RapierRigidBody>();
  const scene = await runScene(body(ours, { ref, type: 'dynamic', position: [0, 5, 0] }));
  await scene.ticks(5);
  const [before, first] = [ref.current?.translation(), ref.current];
  await scene.render(body(ours, { ref, type: 'kinematicPosition', position: [0, 5, 0] }));
  expect([ref.current === first, ref.current?.isKinematic()]).toEqual([true, true]);
  expect(ref.current?.translation()).toEqual(before);
  await scene.unmount();
});

test('an unknown type is named', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const props = { type: 'static' } as unknown as RigidBodyProps;
  await expect(runScene(<RigidBody {...props} />)).rejects.toThrow(
    'type must be one of fixed, dynamic, kinematicPosition, kinematicVelocity, but is "static"',
  );
  errors.mockRestore();
});
