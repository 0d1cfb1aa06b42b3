/** Systems of a world: code of its script that runs with every tick. */
import { expect, test, vi } from 'vitest';
import {
  ActiveHooks,
  ColliderDesc,
  createWorld,
  type Collider,
  type RigidBody,
} from '../../../src/world/page/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createWorldSimulation } from '../../../src/world/worker/index.js';
import { eventually } from '../../fixtures/eventually.js';
import {
  NO_GRAVITY,
  RECORDED,
  addBody,
  advance,
  countBatches,
  createWorldForTest,
  expectReplay,
  shows,
  reportsOfTest,
  warningsOfTest,
  worldWorker,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const { FILTER_CONTACT_PAIRS, FILTER_INTERSECTION_PAIRS } = ActiveHooks;
const at = (x: number, y = 0) => ({ x, y, z: 0 });
/** A system that counts, and what it has counted. */
async function countIn(world: WorldForTest) {
  const counts: number[] = [];
  const sim = await world.ready;
  sim.on('count', ({ value }) => counts.push(value), { when: 'now' });
  const counter = world.system('counter');
  await advance(world, 3);
  const expectLast = (count: number) => eventually(() => expect(counts.at(-1)).toBe(count));
  await expectLast(3);
  return { sim, counts, counter, expectLast };
}

test('a system runs with every tick, with the props of its handle, until it is removed', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const ball = addBody(world);
  const props = { bodies: [ball.handle], x: 60 };
  const wind = world.system('wind', props);
  await advance(world, 1);
  const first = ball.linvel().x;
  expect(first).toBeGreaterThan(0);
  wind.set({ ...props, x: 0 });
  expect(wind.props()).toEqual({ ...props, x: 0 });
  await advance(world, 1);
  expect(ball.linvel().x).toBe(first);
  wind.set(props);
  const other = world.system('wind', props);
  await advance(world, 1);
  const second = ball.linvel().x;
  expect(second).toBeGreaterThan(first);
  world.removeSystem(wind);
  world.removeSystem(other);
  await advance(world, 1);
  expect(ball.linvel().x).toBe(second);
  expect([wind.isValid(), world.systems.len()]).toEqual([false, 0]);
});

test('a system whose props are equal to the last ones sends nothing', async () => {
  const world = createWorldForTest();
  const wind = world.system('wind', { bodies: [], x: 1 });
  await advance(world, 1);
  wind.set({ bodies: [], x: 1 });
  await advance(world, 1);
  expect(await countBatches(world)).toBe(1);
});

test('a system emits events, remembers what it saves, and learns that it is removed', async () => {
  const world = createWorldForTest(RECORDED);
  const { sim, counts, counter, expectLast } = await countIn(world);
  expect(counts).toEqual([1, 2, 3]);
  const gone: unknown[] = [];
  sim.on('gone', ({ value }) => gone.push(value), { when: 'now' });
  await sim.replaceWorker();
  await advance(world, 1);
  await expectLast(4);
  await sim.seek(2);
  await advance(world, 1);
  await expectLast(3);
  await shows(world, () => expect(counter.isValid()).toBe(true));
  world.removeSystem(counter);
  await advance(world, 1);
  await eventually(() => expect(gone).toEqual([null]));
});

test('a system continues with changed code, if the changed script has it', async () => {
  const world = createWorldForTest();
  const { sim, expectLast } = await countIn(world);
  await sim.replaceWorker(worldWorker(true));
  await advance(world, 1);
  await expectLast(103);
  await eventually(() => expect(() => world.system('wind' as never)).toThrow(/no system "wind"/));
  await sim.replaceWorker(worldWorker(false));
  await eventually(() => world.system('lift', { body: 0, y: 0 }));
  await advance(world, 1);
  await expect(sim.replaceWorker(worldWorker(true))).rejects.toThrow(
    /no system "lift"; it calls runWorld with: counter/,
  );
  await advance(world, 1);
  await expectLast(105);
});

test('a system that the changed script lacks goes, while all bodies continue', async () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest();
  const ball = addBody(world);
  const lift = world.system('lift', { body: ball.handle, y: 7 });
  const { sim, expectLast } = await countIn(world);
  // The system moves the body after the step, and the same state has it.
  expect(ball.translation().y).toBe(7);
  await sim.replaceWorker(worldWorker(true), { whenStateDiffers: 'reset' });
  await advance(world, 1);
  await expectLast(103);
  expect(ball.translation().y).toBeLessThan(7);
  expect(ball.translation().y).toBeGreaterThan(6);
  await shows(world, () => expect(lift.isValid()).toBe(false));
  // A worker has its own console.
  const isHere = sim.transport.kind === 'local';
  const line = expect.stringMatching(/no system "lift".* so this system is gone$/);
  expect(warnings()).toEqual(isHere ? [line] : []);
});

test('a system is replayed with equal hashes, and its handle has the props of the tick that is shown', async () => {
  const world = createWorldForTest(RECORDED);
  const ball = addBody(world, [0, 4, 0]);
  const wind = world.system('wind', { bodies: [ball.handle], x: 6 });
  await advance(world, 20);
  wind.set({ bodies: [ball.handle], x: -9 });
  await advance(world, 20);
  await expectReplay(world, 40);
  const sim = await world.ready;
  const replay = await sim.openReplay(sim.recording());
  await replay.seek(10);
  await shows(world, () => expect(wind.props()).toEqual({ bodies: [ball.handle], x: 6 }));
  await replay.close();
});

test('a recording with a system that the script lacks is not shown', async () => {
  const world = createWorldForTest(RECORDED);
  world.system('wind', { bodies: [], x: 6 });
  await advance(world, 2);
  const recording = (await world.ready).recording();
  const other = await createWorldForTest({ createWorker: worldWorker(true) }).ready;
  await expect(other.openReplay(recording)).rejects.toThrow(/no system "wind".*with: counter/);
});

const addPlate = (world: WorldForTest): Collider =>
  world.createCollider(ColliderDesc.cuboid(2, 0.1, 2).setActiveHooks(FILTER_CONTACT_PAIRS));

/** From below the plate. */
function shootUp(ball: RigidBody): void {
  ball.setTranslation(at(0, -2), true);
  ball.setLinvel(at(0, 10), true);
}

test('a filter of contacts decides what collides, also in the next worker and in a replay', async () => {
  const world = createWorldForTest(RECORDED);
  const plate = addPlate(world);
  const ball = addBody(world);
  shootUp(ball);
  const oneWay = world.system('oneWay', { collider: plate.handle });
  await advance(world, 5);
  await (await world.ready).replaceWorker();
  await advance(world, 25);
  expect(ball.translation().y).toBeGreaterThan(0.6);
  await expectReplay(world, 30, 25);
  await advance(world, 120);
  expect(ball.translation().y).toBeCloseTo(0.6, 1);
  world.removeSystem(oneWay);
  shootUp(ball);
  await advance(world, 30);
  expect(ball.translation().y).toBeLessThan(0);
});

test('a filter of intersections decides what a sensor notices', async () => {
  const world = createWorldForTest(NO_GRAVITY);
  const noticed = new Map<number, number>();
  const sim = await world.ready;
  sim.on('noticed', ({ value: { body, by } }) => noticed.set(body, by), { when: 'now' });
  const zone = ColliderDesc.cuboid(9, 9, 9).setSensor(true);
  world.createCollider(zone.setActiveHooks(FILTER_INTERSECTION_PAIRS));
  const [ball, other] = [addBody(world), addBody(world, [0, 3, 0])];
  world.system('ghost', { body: ball.handle });
  await advance(world, 2);
  await eventually(() =>
    expect(Object.fromEntries(noticed)).toEqual({ [ball.handle]: 0, [other.handle]: 1 }),
  );
});

test('a system that throws, or touches the engine in a filter, fails the simulation with its name', async () => {
  for (const [name, message] of [
    ['failing', /the system "failing" failed in beforeStep: no wind today/],
    ['touching', /the system "touching" failed in filterContact: .*may not touch the engine/],
  ] as const) {
    const world = createWorldForTest({ recovery: 'none' });
    const failures: string[] = [];
    (await world.ready).on('status', (status) => {
      if (status.kind === 'failed') failures.push(status.error.message);
    });
    addPlate(world);
    addBody(world, [0, 0.5, 0]);
    if (name === 'failing') world.system(name, { at: 2 });
    else world.system(name);
    await expect(advance(world, 5)).rejects.toThrow(message);
    expect(failures).toEqual([expect.stringMatching(message)]);
  }
});

test('a system is refused at the call for an unknown name, or for props that are no JSON', async () => {
  const warnings = warningsOfTest();
  const world = createWorldForTest();
  await advance(world, 1);
  expect(() => world.system('storm' as never)).toThrow(
    /the worker script has no system "storm"; it calls runWorld with: wind, oneWay/,
  );
  expect(() => world.system('toString' as never)).toThrow(/no system "toString"/);
  expect(() => world.system('wind', { bodies: [], x: Number.NaN })).toThrow(/props, at x,/);
  const wind = world.system('wind', { bodies: [], x: 1 });
  expect(() => wind.set({ bodies: [], x: (() => 1) as never })).toThrow(/props, at x,/);
  world.removeSystem(wind);
  wind.set({ bodies: [], x: 2 });
  expect(warnings().join()).toMatch(/the system \d+ was removed from its world/);
});

test('a system that returns no object is not made, and its error says what to return', async () => {
  const reports = reportsOfTest();
  const world = createWorldForTest();
  const system = world.system('empty');
  await advance(world, 1);
  await eventually(() => expect(system.isValid()).toBe(false));
  expect(reports()).toEqual([
    expect.stringMatching(/the system "empty" must be an object such as \{ beforeStep \}/),
  ]);
});

test('a system with an unknown name is refused when the worker is ready, if that was not known before', async () => {
  const world = createWorldForTest();
  world.system('storm' as never);
  await expect(world.ready).rejects.toThrow(/no system "storm"/);
});

test('a world without a worker script has no systems', async () => {
  vi.stubGlobal('Worker', undefined);
  const world = createWorld();
  world.ready.catch(() => {});
  expect(() => world.system('wind' as never)).toThrow(/createWorld needs createWorker/);
  await world.dispose();
});

test('a worker script with an invalid system is refused', () => {
  expect(() => runLocally(createWorldSimulation({ wind: {} as never }))).toThrow(
    /systems\.wind must be a system/,
  );
});
