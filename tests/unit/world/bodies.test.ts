/** Bodies and colliders of a world: what is read of them, and when changes are sent. */
import { expect, test } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import { PageValues } from '../../../src/world/page/page-values.js';
import { BatchSender } from '../../../src/world/page/batch-sender.js';
import { expectBelow, expectEqual } from '../../fixtures/quick-checks.js';
import { changeScene, isSceneChangedAt, sceneIn } from '../../fixtures/world-scene.js';
import {
  NO_GRAVITY,
  addBody,
  addBox,
  advance,
  countBatches,
  createEngineForTest,
  createWorldForTest,
  nextFrameMs,
} from '../../fixtures/worlds.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

const { ColliderDesc, RigidBodyDesc } = page;
type RigidBody = page.RigidBody;
const at = (x: number, y = 0, z = 0) => ({ x, y, z });

/** In 32 bits, in which states are published. Whole numbers stay exact: they may be bits. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Math.fround(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const { x, y, z } = value as { x: number; y: number; z: number };
  return [x, y, z].map(Math.fround);
}

const read = (thing: object, names: string) =>
  names
    .split(/\s+/)
    .map((name) => [name, rounded((thing as Record<string, () => unknown>)[name]?.())]);

/** As set, or as the engine has sent it: equal to the bit. */
const BODY = `translation linvel angvel isSleeping isMoving mass invMass effectiveInvMass localCom principalInertia
  invPrincipalInertia principalInertiaLocalFrame nextTranslation bodyType isEnabled gravityScale linearDamping
  angularDamping dominanceGroup additionalSolverIterations isCcdEnabled softCcdPrediction userForce numColliders`;
const COLLIDER = `shapeType halfExtents radius halfHeight roundRadius heightfieldHeights heightfieldScale
  heightfieldNRows heightfieldNCols mass volume density friction restitution frictionCombineRule
  restitutionCombineRule contactForceEventThreshold activeEvents activeHooks activeCollisionTypes isSensor isEnabled
  contactSkin`;
const SETTINGS = [
  'timestep',
  'lengthUnit',
  'numSolverIterations',
  'numInternalPgsIterations',
  'maxCcdSubsteps',
] as const;

function membersOf(body: RigidBody): unknown {
  const { x, y, z, w } = body.rotation();
  // The engine's quaternion has a length of nearly 1.
  const factor = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  const colliders = Array.from({ length: body.numColliders() }, (_, index) => {
    const collider = body.collider(index) as page.Collider;
    const groups = [collider.collisionGroups() >>> 0, collider.solverGroups() >>> 0];
    return [...read(collider, COLLIDER), groups];
  });
  const turn = [x, y, z, w].map((value) => Math.fround(value * factor));
  return [...read(body, BODY), turn, colliders];
}

const settingsOf = (world: page.World): unknown => [
  ...SETTINGS.map((name) => Math.fround(world[name])),
  // The engine rounds in between.
  Math.round(world.integrationParameters.contact_erp * 1e5),
  Math.fround(world.integrationParameters.normalizedAllowedLinearError),
  Math.fround(world.integrationParameters.normalizedPredictionDistance),
];

const PLACES = [1, 2, 3] as const;
const rowsOf = (matrix: page.SdpMatrix3): number[] =>
  PLACES.flatMap((row) => PLACES.map((column) => matrix[`m${row}${column}` as const]));

/** Values that follow from a rotation, which has a length of exactly 1 on the page. */
const derivedOf = (body: RigidBody): number[] =>
  [
    ...[body.worldCom(), body.userTorque(), body.velocityAtPoint(at(1, 2, 3))].flatMap(
      ({ x, y, z }) => [x, y, z],
    ),
    // The engine answers both in one buffer.
    ...rowsOf(body.effectiveWorldInvInertia()),
    ...rowsOf(body.effectiveAngularInertia()),
  ].map(Math.fround);

test('a world is the same as one of Rapier with the same calls, bit for bit', async () => {
  const { rapier, engine } = await createEngineForTest();
  const own = sceneIn(rapier, engine);
  const world = createWorldForTest({ queries: true });
  await world.ready;
  const scene = sceneIn(page, world);
  let moved = 0;
  for (let tick = 1; tick <= 430; tick++) {
    const { gravity } = engine;
    changeScene(tick, own, engine);
    changeScene(tick, scene, world);
    // The engine itself lets everything sleep on.
    if (engine.gravity !== gravity) {
      engine.bodies.forEach((body) => body.isSleeping() && body.wakeUp());
    }
    // The scene has a rope.
    const { numInternalPgsIterations } = engine;
    engine.numInternalPgsIterations = Math.max(4, numInternalPgsIterations);
    engine.step();
    engine.numInternalPgsIterations = numInternalPgsIterations;
    if (tick % 60 !== 0 && !isSceneChangedAt(tick + 1)) continue;
    await advance(world, tick - moved);
    moved = tick;
    expectEqual(settingsOf(world as page.World), settingsOf(engine as never));
    for (const [name, body] of Object.entries(scene.bodies)) {
      if (body.isFixed()) continue;
      const theirs = own.bodies[name] as RigidBody;
      expectEqual([tick, name, membersOf(body)], [tick, name, membersOf(theirs)]);
      const derived = derivedOf(theirs);
      const size = Math.max(1, ...derived.map(Math.abs));
      const errors = derivedOf(body).map((value, index) => Math.abs(value - (derived[index] ?? 0)));
      expectBelow(Math.max(...errors), 1e-4 * size);
    }
  }
});

test('the changes of one turn travel as one batch, and the same code gives the same recording', async () => {
  const recordings = [];
  for (let run = 0; run < 2; run++) {
    const world = createWorldForTest({ seed: 1 });
    sceneIn(page, world);
    await advance(world, 5);
    expect(await countBatches(world)).toBe(1);
    recordings.push((await world.ready).recording().entries);
  }
  expect(recordings[0]).toEqual(recordings[1]);
});

test('changes of one turn that cancel each other are not sent', async () => {
  const world = createWorldForTest();
  await advance(world, 1);
  const body = addBody(world);
  body.applyImpulse(at(1), true);
  // In another change of it.
  body.setLinvel(at(1), true);
  world.removeRigidBody(body);
  await advance(world, 1);
  // The batch with the gravity.
  expect(await countBatches(world)).toBe(1);
  expect([world.bodies.len(), world.colliders.len()]).toEqual([0, 0]);
});

test('a world lists what it has', () => {
  const world = createWorldForTest();
  const wall = world.createRigidBody(RigidBodyDesc.fixed());
  const sleeper = world.createRigidBody(RigidBodyDesc.dynamic().setSleeping(true));
  const faller = world.createRigidBody(RigidBodyDesc.dynamic());
  const collider = world.createCollider(ColliderDesc.ball(1), wall);
  const [bodies, active, colliders]: [unknown[], unknown[], unknown[]] = [[], [], []];
  world.forEachRigidBody((body) => bodies.push(body));
  world.forEachActiveRigidBody((body) => active.push(body));
  world.forEachCollider((each) => colliders.push(each));
  expect([bodies, active, colliders]).toEqual([[wall, sleeper, faller], [faller], [collider]]);
  expect([world.bodies.contains(wall.handle), world.bodies.get(wall.handle)]).toEqual([true, wall]);
  expect([world.colliders.contains(99), world.colliders.get(99)]).toEqual([false, null]);
});

test('the step of a world follows the tick rate', async () => {
  const world = createWorldForTest({ tickRateHz: 10 });
  const body = addBody(world);
  expect(world.timestep).toBe(Math.fround(1 / 10));
  await advance(world, 1);
  // Rapier adds the velocity of the whole step before it moves the body.
  expect(body.linvel().y).toBeCloseTo(-0.981, 5);
  await (await world.ready).setTickRate(100);
  await advance(world, 1);
  expect(world.timestep).toBe(Math.fround(1 / 100));
  expect(body.linvel().y).toBeCloseTo(-0.981 - 0.0981, 5);
});

/** The least queue: a quarter of it is taken by the changes of all bodies. */
test.each([2, 5])(
  'changes for which the queue has no room wait, and none overtakes another: %i batches in one turn',
  async (batches) => {
    const world = createWorldForTest(tuned(NO_GRAVITY, { inputWords: 1024 }));
    const all: RigidBody[] = [];
    // In parts: a batch that creates all would not fit.
    for (let x = 0; x < 40; x++) {
      all.push(addBody(world, [10 * x, 0, 0]));
      if (x % 10 === 9) await advance(world, 1);
    }
    const [first] = all;
    for (let y = 1; y <= batches; y++) {
      for (const [x, body] of all.entries()) body.setTranslation(at(10 * x, y), true);
      world.flush();
      // Small: it may still fit where the one before did not.
      first?.setTranslation(at(0, y + 0.5), true);
      world.flush();
    }
    for (let tick = 0; tick <= 2 * batches; tick++) await advance(world, 1);
    const heights = all.map((body) => body.translation().y);
    expect(heights).toEqual(all.map((body) => (body === first ? batches + 0.5 : batches)));
    const handle = await world.ready;
    const drawn = [...handle.bodies].map(([id, tag]) => {
      const pose = handle.sample(nextFrameMs()).newest(id, new Float64Array(7));
      return [tag, pose?.[1]];
    });
    expect(drawn).toEqual(all.map((body, index) => [body.handle, heights[index]]));
  },
);

test('a world that is not paused runs from its first body on', async () => {
  const world = createWorldForTest({ startPaused: false });
  addBox(world, [1, 1, 1]);
  const handle = await world.ready;
  expect(await handle.pause()).toBeUndefined();
  expect(handle.state).toBe('paused');
});

/** A simulation that answers no command. */
const SILENT = {
  on: () => {},
  applyBatch: () => new Promise(() => {}),
};

test('a state names the last batch that it has, which the page knows before the answer', async () => {
  const world = createWorldForTest();
  addBody(world);
  await advance(world, 1);
  world.gravity = at(0, 1);
  await advance(world, 1);
  expect(PageValues.lastBatchOf(world.frame)).toBe(await countBatches(world));
  const sender = new BatchSender(() => {});
  sender.start(SILENT as never, {} as never);
  sender.change().world.lengthUnit = 2;
  sender.flush();
  sender.confirmUntil(9);
  expect(sender.shownNumber).toBe(0);
  sender.confirmUntil(9, 1);
  expect(sender.shownNumber).toBe(1);
});

test('a page that draws nothing keeps no list of what was applied', async () => {
  let tick = 0;
  const answering = {
    ...SILENT,
    applyBatch: async () => ({ tick: ++tick, ids: [], problems: [] }),
  };
  const sender = new BatchSender(() => {});
  sender.start(answering as never, {} as never);
  for (let turn = 0; turn < 500; turn++) {
    sender.change().world.lengthUnit = 2;
    await Promise.resolve();
  }
  expect(sender.pendingAfter(0).length).toBeLessThan(70);
  sender.confirmUntil(499);
  expect(sender.shownNumber).toBe(499);
});
