/** Mistakes whose only sign is that something does not happen: each has one warning, and without the mistake there is none. */
import { Mesh, Object3D } from 'three';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { gamepadSource } from '../../src/inputs/index.js';
import { connect } from '../../src/render-main/connect.js';
import type { BodyId } from '../../src/shared/memory/body-meta.js';
import type { SimulationContext } from '../../src/sim-worker/index.js';
import { runLocally } from '../../src/sim-worker/local.js';
import { BodyBinding } from '../../src/three/index.js';
import {
  ActiveEvents,
  ColliderDesc,
  RigidBodyDesc,
  VehicleDesc,
} from '../../src/world/page/index.js';
import { createWorldSimulation } from '../../src/world/worker/index.js';
import {
  addBody,
  advance,
  createWorldForTest,
  draw,
  warningsOfTest,
  type WorldForTest,
} from '../fixtures/worlds.js';
import { openPage } from '../unit/inputs/fakes.js';

const AT = { x: 1, y: 0, z: 0 };
const NOWHERE = { x: 0, y: 0, z: 0 };
const withDesc = (world: WorldForTest, desc: RigidBodyDesc) =>
  addBody(world, [0, 0, 0], ColliderDesc.ball(1), desc);
const fixed = (world: WorldForTest) => withDesc(world, RigidBodyDesc.fixed());
const car = (world: WorldForTest) =>
  world.createVehicle(
    addBody(world),
    new VehicleDesc().setInputs({ engineForce: 9, keys: { forward: ['KeyW'] } }),
  );
/** A body that a binding draws. */
async function drawnIn(world: WorldForTest, parent?: Object3D, bodies = new BodyBinding()) {
  addBody(world);
  bodies.populate(await world.ready, () => new Mesh(), parent === undefined ? {} : { parent });
  await advance(world, 1);
  return bodies;
}

beforeAll(async () => {
  // Loaded on demand, they might come after the mistakes.
  await import('../../src/three/binding-warnings.js');
  await import('../../src/world/page/world-warnings.js');
});

type Use = (world: WorldForTest) => unknown;

/** By what is missing or wrong: how a beginner does it, the warning, and the cure. */
const MISTAKES: Readonly<Record<string, readonly [mistake: Use, warning: RegExp, cure: Use]>> = {
  'no active events': [
    (world) => [addBody(world), world.on('collision', () => {})],
    /on\('collision'\) has a handler.*setActiveEvents\(ActiveEvents.COLLISION_EVENTS\)/,
    (world) => {
      addBody(world).collider(0).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
      world.on('collision', () => {});
    },
  ],
  'a body without a mass': [
    (world) => world.createRigidBody(RigidBodyDesc.dynamic()),
    /the body with the handle 1 is dynamic, and has neither a collider nor a mass/,
    (world) =>
      [RigidBodyDesc.dynamic().setAdditionalMass(1), RigidBodyDesc.kinematicPositionBased()].map(
        (desc) => world.createRigidBody(desc),
      ),
  ],
  'a next pose of a dynamic body': [
    (world) => addBody(world).setNextKinematicTranslation(AT),
    /setNextKinematicTranslation does nothing to the body 1, because it is dynamic.*kinematicPositionBased/,
    (world) =>
      withDesc(world, RigidBodyDesc.kinematicPositionBased()).setNextKinematicTranslation(AT),
  ],
  'a velocity of a fixed body': [
    (world) => fixed(world).setLinvel(AT, true),
    /setLinvel does nothing to the body 1, because it is fixed/,
    (world) => [fixed(world).setLinvel(NOWHERE, true), addBody(world).setLinvel(AT, true)],
  ],
  'an impulse on a fixed body': [
    (world) => fixed(world).applyImpulse(AT, true),
    /applyImpulse does nothing to the body 1, because it is fixed.*dynamic\(\)/,
    (world) => addBody(world).applyImpulse(AT, true),
  ],
  'inputs without a source': [
    car,
    /setInputs lets keys and gamepads control something.*keyboardSource/,
    async (world) => [car(world), gamepadSource((await world.ready).inputs)],
  ],
  'objects in no scene': [
    async (world) => (await drawnIn(world)).update(draw(world)),
    /is in no scene.*\{ parent: scene \}/,
    async (world) => (await drawnIn(world, new Object3D())).update(draw(world)),
  ],
  'a binding without updates': [
    (world) => drawnIn(world, new Object3D()),
    /update was never called.*bodies\.update\(/,
    async (world) => (await drawnIn(world, new Object3D())).update(draw(world)),
  ],
  'a binding for two worlds': [
    async (world) => {
      const other = createWorldForTest({ transport: 'local' });
      const bodies = await drawnIn(world, new Object3D());
      await drawnIn(other, new Object3D(), bodies);
      for (const each of [world, other, world]) bodies.update(draw(each));
    },
    /frames of two simulations in turn.*one BodyBinding for each/,
    async (world) => {
      const bodies = await drawnIn(world, new Object3D());
      const { latest } = await world.ready;
      for (let halves = 0; halves < 2; halves++) {
        bodies.update(latest);
        bodies.update(draw(world));
      }
    },
  ],
  'a world that is never sampled': [
    async (world) => (await world.ready).resume(),
    /nothing samples it.*sample\(stamp\)/,
    async (world) => [await (await world.ready).resume(), draw(world)],
  ],
};

/** Makes the mistake on a page in a browser, and waits. @returns The warnings. */
async function warningsAfter(use: Use): Promise<readonly string[]> {
  // The engine takes the time from its window, if there is one.
  const page = Object.assign(openPage(), { performance });
  vi.stubGlobal('document', page.document);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const warnings = warningsOfTest();
  const world = createWorldForTest({ transport: 'local' });
  await world.ready;
  await vi.advanceTimersByTimeAsync(10);
  await use(world);
  await vi.advanceTimersByTimeAsync(10_000);
  await use(world);
  await vi.advanceTimersByTimeAsync(10_000);
  return warnings();
}

test.each(Object.entries(MISTAKES))(
  '%s: there is one warning, and none with the cure',
  async (_, [mistake, warning, cure]) => {
    expect(await warningsAfter(cure)).toEqual([]);
    expect(await warningsAfter(mistake)).toEqual([expect.stringMatching(warning)]);
  },
);

test('a binding that is cleared at once, as in StrictMode, needs no updates', async () => {
  const warnings = await warningsAfter(async (world) => {
    const bodies = new BodyBinding();
    bodies.populate(await world.ready, () => new Mesh());
    bodies.attach(new Mesh(), 0 as BodyId);
    bodies.clear();
  });
  expect(warnings).toEqual([]);
});

test('a script that runs a world says so to a page that only connects to it', async () => {
  const warnings = warningsOfTest();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const sim = await connect(() => runLocally(createWorldSimulation()), { transport: 'local' });
  await vi.advanceTimersByTimeAsync(4000);
  expect(warnings()).toEqual([expect.stringContaining('createWorld({ createWorker })')]);
  await sim.dispose();
});

test('a pose of a body that was despawned has one warning', async () => {
  const warnings = warningsOfTest();
  let { bodies }: Partial<SimulationContext> = {};
  const ids: BodyId[] = [];
  const simulation = {
    init(context: SimulationContext) {
      ({ bodies } = context);
      for (let x = 0; x < 2; x++)
        ids.push(bodies.spawn({ x, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 }));
    },
    step(_dt: number, tick: number) {
      if (tick === 2) bodies?.despawn(ids[0] as BodyId);
      for (const id of ids) bodies?.setPose(id, tick, 0, 0, 0, 0, 0, 1);
    },
  };
  const sim = await connect(() => runLocally(simulation), {
    transport: 'local',
    startPaused: true,
  });
  onTestFinished(() => sim.dispose());
  await sim.step(1);
  expect(warnings()).toEqual([]);
  await sim.step(2);
  expect(warnings()).toEqual([expect.stringMatching(/setPose was called with \d+, in tick 2/)]);
});

test('an object is not attached to a body without an id', () => {
  const world = createWorldForTest({ transport: 'local' });
  expect(() => new BodyBinding().attach(new Mesh(), addBody(world).id as never)).toThrow(
    /id is undefined.*populate/,
  );
});
