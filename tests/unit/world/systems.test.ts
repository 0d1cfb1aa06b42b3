import { describe, expect, test, vi } from 'vitest';
import {
  ActiveHooks,
  ColliderDesc,
  RigidBodyDesc,
  createWorld,
  type RigidBody,
  type World,
} from '../../../src/render-main/world/index.js';
import { ATTRACTOR, type AttractorFields } from '../../../src/shared/world/attractor.js';
import type { BuiltInSimulation } from '../../../src/shared/world/built-in-systems.js';
import { IGNORED_PAIR } from '../../../src/shared/world/ignored-pair.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { createWorldSimulation } from '../../../src/sim-worker/world/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { advance, createWorldForTest, worldWorker, type WorldForTest } from '../../fixtures/worlds.js';

const { FILTER_CONTACT_PAIRS, FILTER_INTERSECTION_PAIRS } = ActiveHooks;
const NO_GRAVITY = { x: 0, y: 0, z: 0 };

function ballIn(world: WorldForTest, y: number, hooks = 0): RigidBody {
  const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, y, 0));
  world.createCollider(ColliderDesc.ball(0.5).setActiveHooks(hooks), body);
  return body;
}

describe('a system', () => {
  test('runs with every tick, with the props of its handle, until it is removed', async () => {
    const world = createWorldForTest({ gravity: NO_GRAVITY });
    const ball = ballIn(world, 0);
    const props = { bodies: [ball.handle], x: 60 };
    const wind = world.system('wind', props);
    await advance(world, 1);
    const first = ball.linvel().x;
    expect(first).toBeGreaterThan(0);
    wind.set({ ...props, x: 0 });
    expect(wind.props()).toEqual({ ...props, x: 0 });
    await advance(world, 1);
    expect(ball.linvel().x).toBe(first);
    wind.set({ ...props, x: 60 });
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

  test('sends no props that are equal to the last ones', async () => {
    const world = createWorldForTest();
    const wind = world.system('wind', { bodies: [], x: 1 });
    await advance(world, 1);
    wind.set({ bodies: [], x: 1 });
    await advance(world, 1);
    const { entries } = (await world.ready).recording();
    expect(entries.filter(({ kind }) => kind === 'command')).toHaveLength(1);
  });

  test('emits events, remembers what it saves, and learns that it is removed', async () => {
    const world = createWorldForTest({ recording: { rewindSeconds: 10 } });
    const sim = await world.ready;
    const counts: number[] = [];
    const gone: unknown[] = [];
    sim.on('count', ({ value }) => counts.push(value), { when: 'now' });
    sim.on('gone', ({ value }) => gone.push(value), { when: 'now' });
    const counter = world.system('counter');
    await advance(world, 3);
    await eventually(() => expect(counts).toEqual([1, 2, 3]));
    await sim.replaceWorker();
    await advance(world, 1);
    await eventually(() => expect(counts.at(-1)).toBe(4));
    await sim.seek(2);
    await advance(world, 1);
    await eventually(() => expect(counts.at(-1)).toBe(3));
    await eventually(() => expect(counter.isValid()).toBe(true));
    world.removeSystem(counter);
    await advance(world, 1);
    await eventually(() => expect(gone).toEqual([null]));
  });

  test('continues with changed code, if the changed script has it', async () => {
    const world = createWorldForTest();
    const sim = await world.ready;
    const counts: number[] = [];
    sim.on('count', ({ value }) => counts.push(value), { when: 'now' });
    world.system('counter');
    await advance(world, 3);
    await sim.replaceWorker(worldWorker(true));
    await advance(world, 1);
    await eventually(() => expect(counts.at(-1)).toBe(103));
    await eventually(() => expect(() => world.system('wind' as never)).toThrow(/no system "wind"/));
    await sim.replaceWorker(worldWorker(false));
    await eventually(() => world.system('lift', { body: 0, y: 0 }));
    await advance(world, 1);
    await expect(sim.replaceWorker(worldWorker(true))).rejects.toThrow(
      /no system "lift"; it calls runWorld with: counter/,
    );
    await advance(world, 1);
    await eventually(() => expect(counts.at(-1)).toBe(105));
  });

  test('starts over if the changed script cannot restore it, while all bodies continue', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const world = createWorldForTest();
    const sim = await world.ready;
    const counts: number[] = [];
    sim.on('count', ({ value }) => counts.push(value), { when: 'now' });
    const ball = ballIn(world, 0);
    world.system('counter');
    const lift = world.system('lift', { body: ball.handle, y: 7 });
    await advance(world, 3);
    await sim.replaceWorker(worldWorker(true), { whenStateDiffers: 'reset' });
    await advance(world, 1);
    await eventually(() => expect(counts.at(-1)).toBe(103));
    expect(ball.translation().y).toBeLessThan(7);
    expect(ball.translation().y).toBeGreaterThan(6);
    await eventually(() => expect(lift.isValid()).toBe(false));
    expect((await world.ready).recording().entries.length).toBeGreaterThan(0);
    // A worker has its own console.
    const isHere = sim.transport.kind === 'local';
    const line = [expect.stringMatching(/no system "lift".* so this system is gone$/)];
    expect(warn.mock.calls).toEqual(isHere ? [line] : []);
    warn.mockRestore();
  });

  test('moves bodies after the step, and the same state has it', async () => {
    const world = createWorldForTest();
    const ball = ballIn(world, 0);
    world.system('lift', { body: ball.handle, y: 7 });
    await advance(world, 1);
    expect(ball.translation().y).toBe(7);
  });

  test('that pulls is there in every script, and is replayed with equal hashes', async () => {
    const world = createWorldForTest({ recording: { hashEveryTicks: 1, rewindSeconds: 10 } });
    const balls = [1, 2, 3].map((x) => ballIn(world, x));
    const pull: AttractorFields = {
      x: 0,
      y: 1,
      z: 0,
      body: null,
      type: 'linear',
      strength: 0.1,
      range: 20,
      gravitationalConstant: 1,
      collisionGroups: null,
    };
    const attractor = (world as unknown as World<BuiltInSimulation>).system(ATTRACTOR, pull);
    await advance(world, 20);
    attractor.set({ ...pull, x: 5, body: balls[0]?.handle ?? 0 });
    const sim = await world.ready;
    await advance(world, 10);
    const saved = await sim.save();
    await advance(world, 10);
    const end = balls.map((ball) => ball.translation());
    const replay = await sim.openReplay(sim.recording());
    expect(await replay.seek(40)).toMatchObject({ tick: 40, differsAt: undefined });
    expect(replay.report.hashes).toBeGreaterThan(10);
    await replay.close();
    await sim.restore(saved);
    await advance(world, 10);
    expect(balls.map((ball) => ball.translation())).toEqual(end);
  });

  test('is replayed with equal hashes', async () => {
    const world = createWorldForTest({ recording: { hashEveryTicks: 1, rewindSeconds: 10 } });
    const ball = ballIn(world, 4);
    const wind = world.system('wind', { bodies: [ball.handle], x: 6 });
    const sim = await world.ready;
    await advance(world, 20);
    wind.set({ bodies: [ball.handle], x: -9 });
    await advance(world, 20);
    const replay = await sim.openReplay(sim.recording());
    await replay.seek(40);
    expect(replay.report.differsAt).toBeUndefined();
    expect(replay.report.hashes).toBeGreaterThan(10);
    await replay.seek(10);
    world.sample(performance.now() + 1000);
    await eventually(() => {
      world.sample(performance.now() + 2000);
      expect(wind.props()).toEqual({ bodies: [ball.handle], x: 6 });
    });
    await replay.close();
  });
});

describe('filters', () => {
  test('of contacts decide what collides', async () => {
    const world = createWorldForTest();
    const plate = world.createCollider(
      ColliderDesc.cuboid(2, 0.1, 2).setActiveHooks(FILTER_CONTACT_PAIRS),
    );
    const ball = ballIn(world, -2);
    ball.setLinvel({ x: 0, y: 10, z: 0 }, true);
    const oneWay = world.system('oneWay', { collider: plate.handle });
    await advance(world, 30);
    expect(ball.translation().y).toBeGreaterThan(0.6);
    await advance(world, 120);
    expect(ball.translation().y).toBeCloseTo(0.6, 1);
    world.removeSystem(oneWay);
    ball.setTranslation({ x: 0, y: -2, z: 0 }, true);
    ball.setLinvel({ x: 0, y: 10, z: 0 }, true);
    await advance(world, 30);
    expect(ball.translation().y).toBeLessThan(0);
  });

  test('survive a restored state', async () => {
    const world = createWorldForTest({ recording: { hashEveryTicks: 1, rewindSeconds: 10 } });
    const plate = world.createCollider(
      ColliderDesc.cuboid(2, 0.1, 2).setActiveHooks(FILTER_CONTACT_PAIRS),
    );
    const ball = ballIn(world, -2);
    ball.setLinvel({ x: 0, y: 10, z: 0 }, true);
    world.system('oneWay', { collider: plate.handle });
    await advance(world, 5);
    const sim = await world.ready;
    await sim.replaceWorker();
    await advance(world, 40);
    expect(ball.translation().y).toBeGreaterThan(0.6);
    const replay = await sim.openReplay(sim.recording());
    await replay.seek(45);
    expect(replay.report.differsAt).toBeUndefined();
    await replay.close();
  });

  test('of ignored pairs are there in every script, and are replayed with equal hashes', async () => {
    const world = createWorldForTest({ recording: { hashEveryTicks: 1, rewindSeconds: 10 } });
    world.createCollider(ColliderDesc.cuboid(5, 0.1, 5));
    const below = ballIn(world, 0.7, FILTER_CONTACT_PAIRS);
    const above = ballIn(world, 2);
    const fields = { body: above.handle, other: below.handle };
    const pair = (world as unknown as World<BuiltInSimulation>).system(IGNORED_PAIR, fields);
    await advance(world, 20);
    const sim = await world.ready;
    const saved = await sim.save();
    await advance(world, 40);
    expect(above.translation().y).toBeCloseTo(0.6, 1);
    expect(below.translation().y).toBeCloseTo(0.6, 1);
    const replay = await sim.openReplay(sim.recording());
    expect(await replay.seek(60)).toMatchObject({ tick: 60, differsAt: undefined });
    expect(replay.report.hashes).toBeGreaterThan(10);
    await replay.close();
    await sim.restore(saved);
    await advance(world, 40);
    expect(above.translation().y).toBeCloseTo(0.6, 1);
    await eventually(() => expect(pair.isValid()).toBe(true));
    world.removeSystem(pair);
    above.setTranslation({ x: 0, y: 2, z: 0 }, true);
    await advance(world, 20);
    expect(above.translation().y).toBeGreaterThan(1.2);
  });

  test('of intersections decide what a sensor notices', async () => {
    const world = createWorldForTest({ gravity: NO_GRAVITY });
    const noticed = new Map<number, number>();
    const sim = await world.ready;
    sim.on('noticed', ({ value: { body, by } }) => noticed.set(body, by), { when: 'now' });
    world.createCollider(
      ColliderDesc.cuboid(9, 9, 9).setSensor(true).setActiveHooks(FILTER_INTERSECTION_PAIRS),
    );
    const [ball, other] = [ballIn(world, 0), ballIn(world, 3)];
    world.system('ghost', { body: ball.handle });
    await advance(world, 2);
    await eventually(() =>
      expect(Object.fromEntries(noticed)).toEqual({ [ball.handle]: 0, [other.handle]: 1 }),
    );
  });

  test('that touch the engine say so, with the name of the system', async () => {
    const world = createWorldForTest({ recovery: 'none' });
    const failures: string[] = [];
    const sim = await world.ready;
    sim.on('status', (status) => {
      if (status.kind === 'failed') failures.push(String(status.error));
    });
    world.createCollider(ColliderDesc.cuboid(2, 0.1, 2).setActiveHooks(FILTER_CONTACT_PAIRS));
    ballIn(world, 0.5);
    world.system('touching');
    await expect(advance(world, 5)).rejects.toThrow(
      /the system "touching" failed in filterContact: .*may not touch the engine/,
    );
    expect(failures.join()).toMatch(/"touching"/);
  });
});

test('a system that throws fails the simulation as any step that throws, with its name', async () => {
  const world = createWorldForTest({ recovery: 'none' });
  const failures: string[] = [];
  (await world.ready).on('status', (status) => {
    if (status.kind === 'failed') failures.push(status.error.message);
  });
  world.system('failing', { at: 3 });
  await advance(world, 2);
  const message = /the system "failing" failed in beforeStep: no wind today/;
  await expect(advance(world, 1)).rejects.toThrow(message);
  expect(failures).toEqual([expect.stringMatching(message)]);
});

describe('bad input', () => {
  test('is refused at the call', async () => {
    const world = createWorldForTest();
    await advance(world, 1);
    expect(() => world.system('storm' as never)).toThrow(
      /the worker script has no system "storm"; it calls runWorld with: wind, oneWay/,
    );
    expect(() => world.system('toString' as never)).toThrow(/no system "toString"/);
    expect(() => world.system('wind', { bodies: [], x: Number.NaN })).toThrow(/props, at x,/);
    const wind = world.system('wind', { bodies: [], x: 1 });
    expect(() => wind.set({ bodies: [], x: (() => 1) as never })).toThrow(/props, at x,/);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    world.removeSystem(wind);
    wind.set({ bodies: [], x: 2 });
    expect(warn.mock.calls.join()).toMatch(/the system \d+ was removed from its world/);
    warn.mockRestore();
  });

  test('is refused when the worker is ready, if it was not known before', async () => {
    const world = createWorldForTest();
    world.system('storm' as never);
    await expect(world.ready).rejects.toThrow(/no system "storm"/);
  });

  test('says that a world without a worker script has no systems', async () => {
    vi.stubGlobal('Worker', undefined);
    const world = createWorld();
    world.ready.catch(() => {});
    expect(() => world.system('wind' as never)).toThrow(/createWorld needs createWorker/);
    await world.dispose();
    vi.unstubAllGlobals();
  });

  test('is refused in the worker script', () => {
    expect(() => runLocally(createWorldSimulation({ wind: {} as never }))).toThrow(
      /systems\.wind must be a system/,
    );
  });
});
