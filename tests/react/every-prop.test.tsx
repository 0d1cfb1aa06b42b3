/**
 * Every prop of `@react-three/rapier`, set at mount, changed, taken away and given again: bodies here have the settings and the motion that they have
 * there. That library runs on the engine of this one, so that all that differs is what it does itself.
 */
import { act, type JSX } from 'react';
import * as peer from '@react-three/rapier?our-engine';
import { expect, test } from 'vitest';
import * as ours from '../../src/react/index.js';
import { describeMasses, describeWorld, differences, type AnyWorld } from './described-world.js';
import { GROUND, OF_BODY, OF_COLLIDER, OF_PHYSICS, type Values } from './every-value.js';
import { runOnPeer, type Library } from './run-on-peer.js';
import { runScene } from './run-scene.js';
import type { Props } from './snippets.js';

/** With the types of this library. */
const here = peer as unknown as Library;

/** @param given The prop under test. @param other The same one with its other value. */
type Layout = (library: Library, body: object, given: object, other: object) => JSX.Element;

const Flat = (props: Props): JSX.Element => (
  <mesh {...props}>
    <boxGeometry args={[1, 0.5, 1]} />
  </mesh>
);
const left = <Flat position={[-0.75, 0, 0]} />;
const cuboid: ours.ColliderProps = { shape: 'cuboid', args: [0.5, 0.25, 0.5] };
const right: ours.ColliderProps = { ...cuboid, position: [0.75, 0, 0] };
const drawn = (
  <instancedMesh args={[undefined, undefined, 1]}>
    <boxGeometry args={[1, 0.5, 1]} />
  </instancedMesh>
);

/** The props of one component, and what the other library makes of them that is a bug of it. */
interface Case {
  readonly layout: Layout;
  readonly values: Readonly<Record<string, Values<unknown>>>;
  /** Differ from the beginning. */
  readonly wrong?: readonly string[];
  /** A change of them does nothing, or not all: here it does what they do at mount. */
  readonly stale: readonly string[];
  /** A change of them makes a body at the origin that has no other props of its component. */
  readonly lost?: readonly string[];
  /** A change of a prop moves a body to where it was made. */
  readonly isReset?: boolean;
}

/** Colliders keep what their body gave them first. */
const OF_ITS_COLLIDERS = [
  'activeCollisionTypes',
  'collisionGroups',
  'contactSkin',
  'density',
  'friction',
  'frictionCombineRule',
  'massProperties',
  'restitution',
  'restitutionCombineRule',
  'sensor',
  'solverGroups',
];
/** Props of things that keep the size that they were made with. */
const OF_SIZE = [...OF_ITS_COLLIDERS, 'scale'];
/** Props that are set only when another prop changes. */
const OF_MASS = ['density', 'mass', 'massProperties'];
const LOST = ['args', 'canSleep', 'colliders'];

const ofBody = { values: OF_BODY, stale: OF_SIZE, lost: LOST };
const ofCollider = { values: OF_COLLIDER, stale: [...OF_MASS, 'scale'] };
const ofInstance = { ...ofBody, isReset: true };
/** The collider of the mesh has what all instances have, whatever its own instance has. */
const ofAll = [...OF_ITS_COLLIDERS, 'colliders'];

const CASES: Readonly<Record<string, Case>> = {
  'a body of one mesh': {
    ...ofBody,
    layout: ({ RigidBody }, body, given) => (
      <RigidBody {...body} {...given}>
        <Flat />
        <group visible={false}>
          <Flat position={[0, 2, 0]} />
        </group>
      </RigidBody>
    ),
    // The colliders of these bodies are turned twice.
    wrong: ['quaternion'],
    stale: [...OF_SIZE, 'includeInvisible'],
  },
  'a body of two meshes': {
    ...ofBody,
    layout: ({ RigidBody }, body, given) => (
      <RigidBody {...body} {...given}>
        {left}
        <Flat position={[0.75, 0, 0]} />
      </RigidBody>
    ),
    wrong: ['quaternion'],
  },
  'a body of a collider': {
    ...ofBody,
    layout: ({ RigidBody, AnyCollider }, body, given) => (
      <RigidBody {...body} {...given}>
        <AnyCollider {...cuboid} />
      </RigidBody>
    ),
  },
  'a collider': {
    ...ofCollider,
    layout: ({ RigidBody, AnyCollider }, body, given) => (
      <RigidBody {...body}>
        <AnyCollider {...cuboid} {...given} />
      </RigidBody>
    ),
  },
  'a collider, in a body with another value': {
    ...ofCollider,
    layout: ({ RigidBody, AnyCollider }, body, given, other) => (
      <RigidBody {...body} {...other}>
        <AnyCollider {...cuboid} {...given} />
      </RigidBody>
    ),
    // Twice and one and a half times is as much as the reverse.
    stale: OF_MASS,
    lost: ['args'],
  },
  'a collider next to a mesh, in a body with another value': {
    ...ofCollider,
    layout: ({ RigidBody, AnyCollider }, body, given, other) => (
      <RigidBody {...body} {...other}>
        {left}
        <AnyCollider {...right} {...given} />
      </RigidBody>
    ),
    wrong: ['quaternion'],
    stale: [...OF_SIZE, 'mass'],
    lost: ['args'],
  },
  'all instances': {
    ...ofInstance,
    layout: ({ InstancedRigidBodies }, body, given) => (
      <InstancedRigidBodies {...given} instances={[{ key: 0, ...body }]}>
        {drawn}
      </InstancedRigidBodies>
    ),
    wrong: ['quaternion'],
  },
  'an instance': {
    ...ofInstance,
    layout: ({ InstancedRigidBodies }, body, given) => (
      <InstancedRigidBodies instances={[{ key: 0, ...body, ...given }]}>
        {drawn}
      </InstancedRigidBodies>
    ),
    wrong: ['colliders'],
  },
  'an instance, where all have another value': {
    ...ofInstance,
    layout: ({ InstancedRigidBodies }, body, given, other) => (
      <InstancedRigidBodies {...other} instances={[{ key: 0, ...body, ...given }]}>
        {drawn}
      </InstancedRigidBodies>
    ),
    wrong: [...ofAll, 'quaternion'],
    stale: [],
  },
  'an instance of a collider': {
    ...ofInstance,
    layout: ({ InstancedRigidBodies, AnyCollider }, body, given) => (
      <InstancedRigidBodies
        colliders={false}
        instances={[{ key: 0, ...body, ...given }]}
        colliderNodes={[<AnyCollider key="node" {...cuboid} />]}
      >
        {drawn}
      </InstancedRigidBodies>
    ),
    wrong: ['colliders'],
  },
};

/** One body for each prop, each on its own ground. Counts calls of handlers. */
function bodiesWith(
  library: Library,
  { layout, values, isReset }: Case,
  when: When,
  calls: Calls = {},
): JSX.Element {
  const { CuboidCollider } = library;
  const given = (prop: string, at: When): object => {
    // The other library fails with some that are undefined, and here such a one of an instance hides that of all.
    const isOmitted = library === here || isReset || NEEDED.has(prop);
    if (at === 2) return isOmitted ? {} : { [prop]: undefined };
    if (prop === 'userData') return { userData: { name: prop, ...(values[prop]?.[at] as object) } };
    const call = (): void => void (calls[prop] = (calls[prop] ?? 0) + 1);
    return { [prop]: prop.startsWith('on') ? call : values[prop]?.[at] };
  };
  return (
    <>
      {Object.keys(values).map((prop, index) => (
        <group key={prop} position={[10 + 10 * (index % 7), 0, 10 * Math.floor(index / 7)]}>
          <CuboidCollider
            args={[4, 1, 4]}
            position={[0, -1, 0]}
            collisionGroups={GROUND}
            solverGroups={GROUND}
          />
          {layout(
            library,
            { position: [0, 1, 0], userData: NAMES[prop] },
            given(prop, when),
            given(prop, when === 0 ? 1 : 0),
          )}
        </group>
      ))}
    </>
  );
}

/** Two values, and none. */
type When = 0 | 1 | 2;
/** Layouts have others of these. */
const NEEDED = new Set(['args', 'position', 'shape', 'userData']);
/** Calls of handlers. */
type Calls = Record<string, number>;

/** The same object in each render: for another one, the other library sets all props again. */
const NAMES: Readonly<Record<string, object>> = Object.fromEntries(
  [...Object.keys(OF_BODY), 0, 1, 2].map((name) => [name, { name: `${name}` }]),
);

interface Found {
  /** With their masses. */
  readonly settings: object;
  readonly motion: object;
}

const keyOf = (collider: object): string => JSON.stringify({ ...collider, pose: null });

/** The bodies by the props that they test. */
function found(world: AnyWorld): Readonly<Record<string, Found>> {
  const { bodies, colliders } = describeWorld(world);
  const masses = new Map(describeMasses(world).map((of) => [of['name'], of]));
  return Object.fromEntries(
    bodies.map(({ translation, rotation, linvel, angvel, isSleeping, ...body }) => {
      const { name } = body;
      const { mass, localCom, principalInertia } = masses.get(name) ?? {};
      const own = colliders
        .filter((collider) => collider['body'] === name)
        .toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
      const settings = { ...body, mass, localCom, principalInertia, colliders: own };
      return [name, { settings, motion: { translation, rotation, linvel, angvel, isSleeping } }];
    }),
  );
}

/** How bodies differ, by the props that they test. */
function compared(
  what: keyof Found,
  [mine, theirs]: readonly [AnyWorld, AnyWorld],
  without: readonly string[] = [],
): Readonly<Record<string, readonly string[]>> {
  const other = found(theirs);
  const all = Object.entries(found(mine)).map(
    ([name, each]) => [name, differences(each[what], other[name]?.[what], 0.01)] as const,
  );
  return Object.fromEntries(all.filter(([name, at]) => at.length > 0 && !without.includes(name)));
}

/** Whether a change of the prop that it tests makes no other body. */
const isKept = (body: ours.RapierRigidBody): boolean =>
  !['canSleep', 'colliders'].includes((body.userData as { name: string }).name);

const push = ({ bodies }: AnyWorld): void => {
  for (const body of bodies.getAll() as ours.RapierRigidBody[]) {
    body.applyImpulse({ x: 2, y: 0, z: 0 }, true);
  }
};

test.each(Object.entries(CASES))('the props of %s do what they do there', async (_, each) => {
  const { wrong = [], stale, lost = [], isReset = false } = each;
  const calls: Calls = {};
  const theirCalls: Calls = {};
  const at = (when: 0 | 1) =>
    [bodiesWith(ours, each, when, calls), bodiesWith(here, each, when, theirCalls)] as const;
  // Drawn where they are: otherwise a change of a prop moves a body there to where it is drawn.
  const props = { interpolate: false };
  const mine = await runScene(at(0)[0], { ...props, capacity: 256 });
  const theirs = await runOnPeer(at(0)[1], props, peer);
  const worlds = [mine.world, theirs.world] as const;
  const run = async (ticks: number): Promise<void> => {
    await act(() => mine.context.step(ticks / 60));
    await mine.frame();
    await act(() => {
      for (let tick = 0; tick < ticks; tick++) theirs.step(1 / 60);
    });
  };
  await run(1);
  expect(Object.keys(found(mine.world))).toHaveLength(Object.keys(each.values).length);
  expect(compared('settings', worlds, wrong)).toEqual({});
  expect(compared('motion', worlds, wrong)).toEqual({});
  const differing = { ...compared('settings', worlds), ...compared('motion', worlds) };
  expect(Object.keys(differing).toSorted()).toEqual(wrong.toSorted());
  worlds.forEach(push);
  await run(60);
  expect(compared('motion', worlds, wrong)).toEqual({});

  const [myChange, theirChange] = at(1);
  const before = mine.world.bodies.getAll();
  await mine.render(myChange);
  expect(before.filter(isKept).every((body) => body.isValid())).toBe(true);
  await theirs.render(theirChange);
  await run(1);
  const changed = [...stale, ...lost];
  const without = [...wrong, ...changed];
  expect(compared('settings', worlds, without)).toEqual({});
  expect(Object.keys(compared('settings', worlds))).toEqual(expect.arrayContaining(changed));
  const fresh = await runOnPeer(theirChange, props, peer);
  await fresh.ticks(1);
  expect(compared('settings', [mine.world, fresh.world], wrong)).toEqual({});
  if (!isReset) {
    worlds.forEach(push);
    await run(60);
    expect(compared('motion', worlds, without)).toEqual({});
  }
  const none = await runOnPeer(bodiesWith(here, each, 2), props, peer);
  await none.ticks(1);
  await mine.render(bodiesWith(ours, each, 2));
  expect(compared('settings', [mine.world, none.world], wrong)).toEqual({});
  await mine.render(myChange);
  expect(compared('settings', [mine.world, fresh.world], wrong)).toEqual({});
  // A contact that ends calls both there.
  delete theirCalls['onIntersectionExit'];
  expect(differences(calls, theirCalls, 0.01)).toEqual([]);
});

/** Two boxes, one on the other, and a fast one that hits a thin wall. */
const scene = ({ CuboidCollider, RigidBody }: Library): JSX.Element => (
  <>
    <CuboidCollider args={[9, 1, 9]} position={[0, -1, 0]} />
    <CuboidCollider args={[9, 5, 0.01]} position={[0, 5, -5]} />
    {[0, 1].map((index) => (
      <RigidBody key={index} userData={NAMES[index]} position={[0, 0.3 + index * 0.6, 0]}>
        <Flat />
      </RigidBody>
    ))}
    <RigidBody
      ccd
      lockRotations
      gravityScale={0}
      userData={NAMES[2]}
      position={[3, 1, 0]}
      linearVelocity={[0, 0, -200]}
    >
      <CuboidCollider args={[0.1, 0.1, 0.1]} />
    </RigidBody>
  </>
);

/** Settings of the engine, by the names that both have. */
const parametersOf = (world: AnyWorld): object => {
  const { gravity, integrationParameters: of } = world as ours.RapierContext['world'];
  const { x, y, z } = gravity;
  const { dt, lengthUnit, maxCcdSubsteps, contact_erp: erp } = of;
  const { normalizedAllowedLinearError: error, normalizedPredictionDistance: prediction } = of;
  const { numSolverIterations, numInternalPgsIterations } = of;
  const iterations = [numSolverIterations, numInternalPgsIterations];
  return { x, y, z, dt, lengthUnit, maxCcdSubsteps, erp, error, prediction, iterations };
};

test.each(Object.entries(OF_PHYSICS))(
  'the prop %s of <Physics> does what it does there',
  async (name, values) => {
    const mine = await runScene(null);
    const theirs = await runOnPeer(null, {}, peer);
    const worlds = [mine.world, theirs.world] as const;
    for (const [index, value] of [...values, undefined].entries()) {
      const props = { interpolate: false, [name]: value };
      // The change of `colliders` is one of each body.
      const key = name === 'colliders' ? index : 0;
      await mine.render(<group key={key}>{scene(ours)}</group>, props);
      await theirs.render(<group key={key}>{scene(here)}</group>, props);
      const dt = name === 'timeStep' ? ((value as number | undefined) ?? 1 / 60) : 1 / 60;
      await act(() => mine.context.step(1));
      await mine.frame();
      await act(() => {
        for (let time = dt / 2; time < 1; time += dt) theirs.step(dt);
      });
      expect(differences(...(worlds.map(parametersOf) as [object, object]))).toEqual([]);
      expect(compared('settings', worlds)).toEqual({});
      // There, another gravity leaves the boxes asleep.
      const wrong = name === 'gravity' && index > 0 ? ['0', '1'] : [];
      expect(compared('motion', worlds, wrong)).toEqual({});
      expect(Object.keys(compared('motion', worlds))).toEqual(wrong);
    }
  },
);
