/** Masses of colliders, when props change. */
import type { JSX } from 'react';
import { expect, test, vi } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import type { Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';
import { Box, collider, type Props } from './snippets.js';

const { CuboidCollider, RigidBody } = ours;

const onlyMesh = ({ RigidBody: Body }: Library, props: Props): JSX.Element => (
  <Body {...props}>
    <Box />
  </Body>
);

const inDenseBody = (_library: Library, props: Props): JSX.Element => (
  <RigidBody density={5}>
    <CuboidCollider args={[1, 2, 3]} {...props} />
  </RigidBody>
);

const massOf = async (
  before: Props,
  after: Props,
  snippet = collider,
): Promise<readonly number[]> => {
  const scene = await runScene(snippet(ours, before));
  const read = (): number[] => scene.world.colliders.getAll().map((made) => made.mass());
  const [first] = read();
  await scene.render(snippet(ours, after));
  const [second] = read();
  await scene.ticks(1);
  const third = scene.world.bodies.getAll()[0]?.mass();
  await scene.unmount();
  return [first, second, third].map((mass) => Number(mass?.toFixed(3)));
};

test('each of them alone may change, and go', async () => {
  expect(await massOf({ mass: 1 }, { mass: 2 })).toEqual([1, 2, 2]);
  expect(await massOf({ mass: 1 }, {})).toEqual([1, 48, 48]);
  expect(await massOf({ density: 2 }, { density: 3 })).toEqual([96, 144, 144]);
  expect(await massOf({ density: 2 }, {})).toEqual([96, 48, 48]);
  expect(await massOf({ density: 2 }, { mass: 5 })).toEqual([96, 5, 5]);
  const properties = {
    mass: 7,
    centerOfMass: { x: 0, y: 0, z: 0 },
    principalAngularInertia: { x: 1, y: 1, z: 1 },
    angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
  };
  expect(await massOf({ massProperties: properties }, { mass: 5 })).toEqual([7, 5, 5]);
  expect(await massOf({}, { massProperties: properties })).toEqual([48, 7, 7]);
  expect(await massOf({ massProperties: properties }, {})).toEqual([7, 48, 48]);
});

test('those of a body reach its colliders', async () => {
  expect(await massOf({ mass: 1 }, { mass: 2 }, onlyMesh)).toEqual([1, 2, 2]);
  expect(await massOf({ density: 1 }, { density: 2 }, onlyMesh)).toEqual([6, 12, 12]);
  expect(await massOf({ mass: 1 }, {}, onlyMesh)).toEqual([1, 6, 6]);
});

test('those of a collider count more than those of its body', async () => {
  expect(await massOf({ mass: 2 }, {}, inDenseBody)).toEqual([2, 240, 240]);
});

test('two of them are an error', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(runScene(collider(ours, { mass: 1, density: 1 }))).rejects.toThrow(
    'density and mass of <CuboidCollider>: give it only one of density, mass and massProperties',
  );
  errors.mockRestore();
});
