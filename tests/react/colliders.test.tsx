/** Props of a collider reach its handle, once. */
import { createRef, type JSX } from 'react';
import { describe, expect, test, vi } from 'vitest';
import {
  ConeCollider,
  CoefficientCombineRule,
  CuboidCollider,
  RigidBody,
  interactionGroups,
  type ColliderSettings,
  type RapierCollider,
} from '../../src/render-main/react/index.js';
import { ColliderHandle } from '../../src/render-main/world/bodies/collider-handle.js';
import { runScene } from './run-scene.js';

type Method = keyof RapierCollider & `set${string}`;

/** The collider of some props, and what of a method was called for it. */
async function colliderOf<T>(
  settings: ColliderSettings,
  methods: readonly Method[],
  read: (collider: RapierCollider) => T,
): Promise<{ readonly value: T; readonly calls: readonly unknown[][] }> {
  const spies = methods.map((method) => vi.spyOn(ColliderHandle.prototype, method));
  const ref = createRef<RapierCollider>();
  const scene = await runScene(<CuboidCollider ref={ref} args={[1, 2, 3]} {...settings} />);
  const value = read(ref.current as RapierCollider);
  const calls = spies.flatMap((spy) => spy.mock.calls as unknown[][]);
  for (const spy of spies) spy.mockRestore();
  await scene.unmount();
  return { value, calls };
}

const groups = [
  interactionGroups([0], [0]),
  interactionGroups([0, 1], [0, 1, 2, 3]),
  interactionGroups([0, 1]),
  interactionGroups(1, [0, 15]),
];
const rules = Object.values(CoefficientCombineRule);

const CASES: readonly [
  name: keyof ColliderSettings,
  method: Method,
  read: (collider: RapierCollider) => unknown,
  values: readonly unknown[],
  standard: unknown,
][] = [
  ['sensor', 'setSensor', (made) => made.isSensor(), [true, false], false],
  ['collisionGroups', 'setCollisionGroups', (made) => made.collisionGroups(), groups, 0xffff_ffff],
  ['solverGroups', 'setSolverGroups', (made) => made.solverGroups(), groups, 0xffff_ffff],
  ['friction', 'setFriction', (made) => made.friction(), [0, 1, 5], 0.5],
  ['restitution', 'setRestitution', (made) => made.restitution(), [0.25, 1, 5], 0],
  ['frictionCombineRule', 'setFrictionCombineRule', (made) => made.frictionCombineRule(), rules, 0],
  [
    'restitutionCombineRule',
    'setRestitutionCombineRule',
    (made) => made.restitutionCombineRule(),
    rules,
    0,
  ],
];

describe.each(CASES)('%s', (name, method, read, values, standard) => {
  test('reaches the collider, if it is not the default', async () => {
    for (const wanted of values) {
      const { value, calls } = await colliderOf({ [name]: wanted }, [method], read);
      expect(value).toBe(wanted);
      expect(calls).toEqual(wanted === standard ? [] : [[wanted]]);
    }
    const without = await colliderOf({ [name]: undefined }, [method], read);
    expect([without.value, without.calls]).toEqual([standard, []]);
  });
});

const massAndDensity = (made: RapierCollider): number[] => [made.mass(), made.density()];

describe('the mass', () => {
  const METHODS = ['setDensity', 'setMass', 'setMassProperties'] as const;
  /** Of 2 × 4 × 6 m³. */
  const VOLUME = 48;

  test.each([1, 2, 5, undefined])('of %s', async (mass) => {
    const { value, calls } = await colliderOf({ mass }, METHODS, massAndDensity);
    expect(value[0]).toBe(mass ?? VOLUME);
    expect(value[1]).toBeCloseTo((mass ?? VOLUME) / VOLUME, 6);
    expect(calls).toEqual(mass === undefined ? [] : [[mass]]);
  });

  test('with all of its properties', async () => {
    const massProperties = {
      mass: 4,
      centerOfMass: { x: 4, y: 5, z: 6 },
      principalAngularInertia: { x: 0.3, y: 0.2, z: 0.1 },
      angularInertiaLocalFrame: { x: 0, y: 0, z: 0, w: 1 },
    };
    const { value, calls } = await colliderOf({ massProperties }, METHODS, massAndDensity);
    expect(value).toEqual([4, expect.closeTo(4 / VOLUME, 6)]);
    expect(calls).toEqual([Object.values(massProperties)]);
  });

  test('by a density', async () => {
    const { value, calls } = await colliderOf({ density: 2 }, METHODS, massAndDensity);
    expect([value, calls]).toEqual([[2 * VOLUME, 2], [[2]]]);
  });
});

test('a ref of a collider has a handle', async () => {
  const ref = createRef<RapierCollider>();
  const scene = await runScene(<CuboidCollider ref={ref} args={[1, 2, 3]} />);
  expect(ref.current).toBeInstanceOf(ColliderHandle);
  await scene.unmount();
});

const contents = (hasBody: boolean, hasCollider: boolean): JSX.Element => (
  <>
    {hasBody && (
      <RigidBody>
        <CuboidCollider args={[1, 1, 1]} />
        <CuboidCollider args={[1, 1, 1]} position={[1, 1, 1]} />
      </RigidBody>
    )}
    {hasCollider && <ConeCollider args={[1, 2]} />}
  </>
);

test('colliders and bodies come and go with their components', async () => {
  const scene = await runScene(contents(false, false));
  const counts = (): number[] => [scene.world.colliders.len(), scene.world.bodies.len()];
  expect(counts()).toEqual([0, 0]);
  for (const [hasBody, hasCollider, expected] of [
    [false, true, [1, 0]],
    [true, true, [3, 1]],
    [true, false, [2, 1]],
    [false, false, [0, 0]],
  ] as const) {
    await scene.ticks(1);
    await scene.render(contents(hasBody, hasCollider));
    expect(counts()).toEqual(expected);
  }
  await scene.unmount();
});
