/** Props that change: as in `@react-three/rapier` where that is right, and what is right where it is not. */
import { createRef } from 'react';
import { Vector3 } from 'three';
import { describe, expect, test } from 'vitest';
import * as ours from '../../src/render-main/react/index.js';
import type { RapierRigidBody } from '../../src/render-main/react/index.js';
import { describeWorld, differences } from './described-world.js';
import { peerLibrary, runOnPeer } from './run-on-peer.js';
import { runScene } from './run-scene.js';
import { alone, body, collider, withoutMeshes } from './snippets.js';

const { RigidBody } = ours;

const { Max, Min } = ours.CoefficientCombineRule;

/** Of a body: two values of each. */
const OF_BODY: Readonly<Record<string, readonly [unknown, unknown]>> = {
  type: ['dynamic', 'kinematicVelocity'],
  linearVelocity: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  angularVelocity: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  linearDamping: [0.5, 0.25],
  angularDamping: [0.5, 0.25],
  gravityScale: [0.5, 0],
  dominanceGroup: [3, -4],
  ccd: [true, false],
  softCcdPrediction: [0.5, 0.25],
  additionalSolverIterations: [3, 1],
  canSleep: [true, false],
  colliders: ['cuboid', 'ball'],
};

/** Of a collider, and of a body for its colliders. */
const OF_COLLIDER: typeof OF_BODY = {
  friction: [0.25, 0.75],
  restitution: [0.25, 0.75],
  frictionCombineRule: [Max, Min],
  restitutionCombineRule: [Min, Max],
  sensor: [true, false],
  collisionGroups: [ours.interactionGroups(1), ours.interactionGroups(2, 3)],
  solverGroups: [ours.interactionGroups(4), ours.interactionGroups([5, 6], 3)],
  activeCollisionTypes: [7, 15],
  contactSkin: [0.5, 0.25],
};

const OF_PLACE: typeof OF_BODY = {
  position: [
    [1, 2, 3],
    [4, 5, 6],
  ],
  rotation: [
    [0, 0, 1],
    [0, 1, 0],
  ],
  quaternion: [
    [0, 0, 0.6, 0.8],
    [0.6, 0, 0, 0.8],
  ],
};

const HANDLERS = [
  'onCollisionEnter',
  'onCollisionExit',
  'onIntersectionEnter',
  'onIntersectionExit',
  'onContactForce',
] as const;

describe('a prop that changes sets what it sets on the peer', () => {
  const tables = [
    ['a body', body, OF_BODY],
    // The peer turns the colliders of meshes by the quaternion of their body a second time.
    ['a body without meshes', withoutMeshes, OF_PLACE],
    [
      'a collider in a body',
      collider,
      {
        ...OF_COLLIDER,
        ...OF_PLACE,
        args: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
    ],
    ['a collider without a body', alone, { ...OF_COLLIDER, ...OF_PLACE }],
  ] as const;
  for (const [what, snippet, table] of tables) {
    test.each(Object.entries(table))(`${what}: %s`, async (prop, [before, after]) => {
      const mine = await runScene(snippet(ours, { [prop]: before }));
      const theirs = await runOnPeer(snippet(peerLibrary, { [prop]: before }));
      const compare = () => differences(describeWorld(mine.world), describeWorld(theirs.world));
      expect(compare()).toEqual([]);
      await mine.render(snippet(ours, { [prop]: after }));
      await theirs.render(snippet(peerLibrary, { [prop]: after }));
      expect(compare()).toEqual([]);
      await mine.unmount();
      await theirs.unmount();
    });
  }
});

describe('of a body, a setting of colliders that changes reaches all of them', () => {
  test.each(Object.entries(OF_COLLIDER))('%s', async (prop, [before, after]) => {
    const scene = await runScene(body(ours, { [prop]: before }));
    const [first] = scene.world.colliders.getAll();
    await scene.render(body(ours, { [prop]: after }));
    const fresh = await runScene(body(ours, { [prop]: after }));
    expect(differences(describeWorld(scene.world), describeWorld(fresh.world))).toEqual([]);
    expect(scene.world.colliders.getAll()[0]).toBe(first);
    await scene.unmount();
    await fresh.unmount();
  });
});

describe('a prop that goes away gets its default', () => {
  const velocities = new Set(['linearVelocity', 'angularVelocity']);
  const tables = [
    ['a body', body, { ...OF_BODY, ...OF_COLLIDER, ...OF_PLACE }],
    ['a collider in a body', collider, { ...OF_COLLIDER, ...OF_PLACE }],
    ['a collider without a body', alone, { ...OF_COLLIDER, ...OF_PLACE }],
  ] as const;
  for (const [what, snippet, table] of tables) {
    const rows = Object.entries(table).filter(([prop]) => !velocities.has(prop));
    test.each(rows)(`${what}: %s`, async (prop, [first, second]) => {
      const plain = await runScene(snippet(ours, {}));
      const scene = await runScene(snippet(ours, { [prop]: second }));
      const compare = () => differences(describeWorld(scene.world), describeWorld(plain.world));
      await scene.render(snippet(ours, {}));
      expect(compare()).toEqual([]);
      await scene.render(snippet(ours, { [prop]: first }));
      await scene.render(snippet(ours, { [prop]: undefined }));
      expect(compare()).toEqual([]);
      await scene.unmount();
      await plain.unmount();
    });
  }

  test('but a velocity that goes away is no reason to stop', async () => {
    const scene = await runScene(<RigidBody linearVelocity={[1, 2, 3]} />);
    await scene.render(<RigidBody />);
    expect(scene.world.bodies.getAll()[0]?.linvel()).toEqual({ x: 1, y: 2, z: 3 });
    await scene.unmount();
  });
});

describe('events of handlers', () => {
  test.each(HANDLERS)('%s of a body and of a collider may come later and go', async (name) => {
    for (const snippet of [body, collider]) {
      const scene = await runScene(snippet(ours, {}));
      const active = (): number[] =>
        scene.world.colliders.getAll().map((made) => made.activeEvents());
      const isForce = name === 'onContactForce';
      const none = active().map(() => 0);
      expect(active()).toEqual(none);
      await scene.render(snippet(ours, { [name]: () => {} }));
      expect(active()).toEqual(none.map(() => (isForce ? 2 : 1)));
      await scene.render(snippet(ours, {}));
      expect(active()).toEqual(none);
      await scene.unmount();
    }
  });
});

test.each([
  ['gravityScale', 0.5],
  ['linearDamping', 0.5],
  ['friction', 0.1],
  ['onContactForce', () => {}],
  ['userData', { name: 'b' }],
  ['name', 'b'],
])('a change of %s leaves the body where it is, and as fast as it is', async (prop, value) => {
  const ref = createRef<RapierRigidBody>();
  const props = {
    ref,
    position: [0, 5, 0],
    rotation: [0, 0, 1],
    linearVelocity: [1, 0, 0],
    angularVelocity: [0, 1, 0],
  };
  const scene = await runScene(body(ours, props));
  await scene.ticks(5);
  const state = (): unknown => [
    ref.current?.translation(),
    ref.current?.rotation(),
    ref.current?.linvel(),
    ref.current?.angvel(),
  ];
  const before = state();
  await scene.render(
    body(ours, {
      ...props,
      position: [0, 5, 0],
      linearVelocity: new Vector3(1, 0, 0).toArray(),
      [prop]: value,
    }),
  );
  expect(state()).toEqual(before);
  await scene.unmount();
});
