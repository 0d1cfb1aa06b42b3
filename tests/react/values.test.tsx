/** Names and small helpers that `@react-three/rapier` has, too. */
import * as peer from '@react-three/rapier';
import { createRef } from 'react';
import { expect, test } from 'vitest';
import * as ours from '../../src/react/index.js';
import { runScene } from './run-scene.js';

const { BallCollider, RapierCollider, RapierRigidBody, RigidBody, interactionGroups } = ours;

test('every name of the other package is there, with the same numbers of rules and the same vectors', () => {
  const names = Object.keys(peer);
  expect(names).toEqual(expect.arrayContaining(['Physics', 'RapierRigidBody', 'useRapier']));
  expect(names.filter((name) => !(name in ours))).toEqual([]);
  expect(peer.CoefficientCombineRule).toMatchObject(ours.CoefficientCombineRule);
  const value = { x: 1, y: 2, z: 3, w: 4 };
  const numbersOf = ({ vec3, quat, euler }: Pick<typeof ours, 'vec3' | 'quat' | 'euler'>) =>
    [vec3(value), quat(value), euler(value)].map((made: Iterable<unknown>) => Array.from(made));
  expect(numbersOf(ours)).toEqual(numbersOf(peer as unknown as typeof ours));
});

test.each([
  [[0], 0x0001_ffff],
  [[[0, 1, 15]], 0x8003_ffff],
  [[0, 0], 0x0001_0001],
  [[[1], [0, 2]], 0x0002_0005],
  [[3, []], 0x0008_0000],
] as const)('interactionGroups of %j are its groups above what they meet, or all', (args, bits) => {
  expect(interactionGroups(...(args as unknown as [number]))).toBe(bits);
});

test('an invalid interaction group is named', () => {
  expect(() => interactionGroups(16)).toThrow(/memberships/);
  expect(() => interactionGroups(0, [1, -1])).toThrow(/filters/);
});

test('handles are instances of the classes that are exported', async () => {
  const body = createRef<ours.RapierRigidBody>();
  const collider = createRef<ours.RapierCollider>();
  const scene = await runScene(
    <RigidBody ref={body}>
      <BallCollider ref={collider} args={[1]} />
    </RigidBody>,
  );
  expect(body.current instanceof RapierRigidBody).toBe(true);
  expect(body.current instanceof RapierCollider).toBe(false);
  expect(collider.current instanceof RapierCollider).toBe(true);
  expect(scene.context.rapier.RigidBody).toBe(RapierRigidBody);
});
