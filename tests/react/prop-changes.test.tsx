/** Props that change and go: as in `@react-three/rapier` where that is right, and what is right where it is not. */
import { expect, test } from 'vitest';
import * as ours from '../../src/react/index.js';
import { describeWorld, differences } from './described-world.js';
import { peerLibrary, runOnPeer } from './run-on-peer.js';
import { runScene } from './run-scene.js';
import { alone, body, collider, withoutMeshes, type Props } from './snippets.js';

const { RigidBody, interactionGroups } = ours;
const { Max, Min } = ours.CoefficientCombineRule;

type Values = readonly [before: Props, after: Props];

const OF_BODY: Values = [
  {
    type: 'dynamic',
    linearVelocity: [1, 2, 3],
    angularVelocity: [3, 2, 1],
    linearDamping: 0.5,
    angularDamping: 0.75,
    gravityScale: 0.5,
    dominanceGroup: 3,
    ccd: true,
    softCcdPrediction: 0.5,
    additionalSolverIterations: 3,
  },
  {
    type: 'kinematicVelocity',
    linearVelocity: [4, 5, 6],
    angularVelocity: [6, 5, 4],
    linearDamping: 0.25,
    angularDamping: 0.125,
    gravityScale: 0,
    dominanceGroup: -4,
    ccd: false,
    softCcdPrediction: 0.25,
    additionalSolverIterations: 1,
  },
];

/** Of a collider, and of a body for its colliders. */
const OF_COLLIDER: Values = [
  {
    friction: 0.25,
    restitution: 0.375,
    frictionCombineRule: Max,
    restitutionCombineRule: Min,
    sensor: true,
    collisionGroups: interactionGroups(1),
    solverGroups: interactionGroups(4),
    activeCollisionTypes: 7,
    contactSkin: 0.5,
  },
  {
    friction: 0.75,
    restitution: 0.625,
    frictionCombineRule: Min,
    restitutionCombineRule: Max,
    sensor: false,
    collisionGroups: interactionGroups(2, 3),
    solverGroups: interactionGroups([5, 6], 3),
    activeCollisionTypes: 1,
    contactSkin: 0.25,
  },
];

const turned: Values = [
  { position: [1, 2, 3], rotation: [0, 0, 1] },
  { position: [4, 5, 6], rotation: [0, 1, 0] },
];
const byQuaternion: Values = [{ quaternion: [0, 0, 0.6, 0.8] }, { quaternion: [0.6, 0, 0, 0.8] }];

/** A velocity that goes away is no reason to stop. */
const withVelocities = ({ linearVelocity, angularVelocity }: Props): Props =>
  linearVelocity === undefined ? {} : { linearVelocity, angularVelocity };

test.each([
  ['settings of a body', body, OF_BODY],
  ['whether a body may sleep', body, [{ canSleep: true }, { canSleep: false }]],
  ['what colliders a body has', body, [{ colliders: 'cuboid' }, { colliders: 'ball' }]],
  // The peer turns the colliders of meshes by the quaternion of their body a second time.
  ['the place of a body', withoutMeshes, turned],
  ['the quaternion of a body', withoutMeshes, byQuaternion],
  ['settings of a collider in a body', collider, OF_COLLIDER],
  ['the place of a collider in a body', collider, turned],
  ['the quaternion of a collider in a body', collider, byQuaternion],
  ['settings of a collider without a body', alone, OF_COLLIDER],
  ['the place of a collider without a body', alone, turned],
  ['the quaternion of a collider without a body', alone, byQuaternion],
  ['the size of a collider', collider, [{ args: [1, 2, 3] }, { args: [4, 5, 6] }]],
] as const)(
  'if %s: a change sets what it sets on the peer, and without the props they have their defaults',
  async (_what, snippet, [before, after]) => {
    const mine = await runScene(snippet(ours, before));
    const theirs = await runOnPeer(snippet(peerLibrary, before));
    const compare = () => differences(describeWorld(mine.world), describeWorld(theirs.world));
    expect(compare()).toEqual([]);
    await mine.render(snippet(ours, after));
    await theirs.render(snippet(peerLibrary, after));
    expect(compare()).toEqual([]);
    if ('args' in after) return;
    const none = withVelocities(after);
    const plain = describeWorld((await runScene(snippet(ours, none))).world);
    await mine.render(snippet(ours, none));
    expect(differences(describeWorld(mine.world), plain)).toEqual([]);
    await mine.render(snippet(ours, after));
    const absent = Object.fromEntries(Object.keys(after).map((name) => [name, undefined]));
    await mine.render(snippet(ours, { ...absent, ...none }));
    expect(differences(describeWorld(mine.world), plain)).toEqual([]);
  },
);

test('settings of colliders that a body has reach all of its colliders, and go', async () => {
  const scene = await runScene(body(ours, OF_COLLIDER[0]));
  const colliders = scene.world.colliders.getAll();
  expect(colliders).toHaveLength(2);
  for (const props of [...OF_COLLIDER, {}]) {
    await scene.render(body(ours, props));
    const fresh = await runScene(body(ours, props));
    expect(differences(describeWorld(scene.world), describeWorld(fresh.world))).toEqual([]);
  }
  expect(scene.world.colliders.getAll()).toEqual(colliders);
});

test('a velocity that goes away is no reason to stop', async () => {
  const scene = await runScene(<RigidBody linearVelocity={[1, 2, 3]} />);
  await scene.render(<RigidBody />);
  expect(scene.world.bodies.getAll()[0]?.linvel()).toEqual({ x: 1, y: 2, z: 3 });
});

test.each([
  ['a body', body],
  ['a collider', collider],
])(
  'handlers of %s may come later and go, and events are asked for while there are some',
  async (_, snippet) => {
    const scene = await runScene(snippet(ours, {}));
    const active = (): number[] => [
      ...new Set(scene.world.colliders.getAll().map((made) => made.activeEvents())),
    ];
    expect(active()).toEqual([0]);
    for (const [name, events] of Object.entries({
      onCollisionEnter: 1,
      onCollisionExit: 1,
      onIntersectionEnter: 1,
      onIntersectionExit: 1,
      onContactForce: 2,
    })) {
      await scene.render(snippet(ours, { [name]: () => {} }));
      expect([name, active()]).toEqual([name, [events]]);
      await scene.render(snippet(ours, {}));
      expect([name, active()]).toEqual([name, [0]]);
    }
  },
);
