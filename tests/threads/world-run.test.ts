/** What `connect` gives works for a world: pauses, steps, rates, files, restarts. */
import { describe, expect, inject, test, vi } from 'vitest';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { ColliderDesc, RigidBodyDesc, type World } from '../../src/render-main/world/index.js';
import { decodeRecording, encodeRecording } from '../../src/shared/index.js';
import { eventually } from '../fixtures/eventually.js';
import { PANICS } from '../fixtures/panics.js';
import { startThread } from '../fixtures/threads.js';
import { advance, createWorldForTest } from '../fixtures/worlds.js';

function addBall(world: World, x = 0) {
  const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, 100, 0));
  world.createCollider(ColliderDesc.ball(0.5), body);
  return body;
}

const sampleUntil = (world: World, isDone: () => boolean): Promise<void> =>
  eventually(() => {
    world.sample((frameMs += 100));
    expect(isDone()).toBe(true);
  });
let frameMs = 1e6;

test('a world that is not paused runs, and is paused, slowed and resumed', async () => {
  const world = createWorldForTest({ startPaused: false });
  const body = addBall(world);
  const handle = await world.ready;
  await sampleUntil(world, () => body.translation().y < 99.9);
  await handle.pause();
  const { tick } = handle.stats();
  await handle.step(3);
  expect(handle.stats().tick).toBe(tick + 3);
  handle.setTimeScale(50);
  handle.setTickRate(30);
  await handle.resume();
  await sampleUntil(world, () => handle.stats().tick > tick + 30);
});

test('changes of a paused world wait for its next tick, and a fall of one tick is that of its rate', async () => {
  const world = createWorldForTest({ tickRateHz: 10 });
  const body = addBall(world);
  await advance(world, 1);
  // Rapier adds the velocity of the whole step before it moves the body.
  expect(body.linvel().y).toBeCloseTo(-0.981, 5);
  body.setLinvel({ x: 0, y: 7, z: 0 }, true);
  expect(body.linvel().y).toBe(7);
  await advance(world, 1);
  expect(body.linvel().y).toBeCloseTo(7 - 0.981, 5);
});

test('a recording of a world is replayed from its file in another one', async () => {
  const world = createWorldForTest({ seed: 5, recording: { hashEveryTicks: 1 } });
  addBall(world);
  await advance(world, 20);
  addBall(world, 3).applyImpulse({ x: 1, y: 0, z: 0 }, true);
  await advance(world, 20);
  const file = encodeRecording((await world.ready).recording());
  const other = createWorldForTest({ seed: 5 });
  const replay = await (await other.ready).openReplay(decodeRecording(file));
  const report = await replay.seek(40);
  expect(report).toMatchObject({ tick: 40, differsAt: undefined });
  expect(report.hashes).toBe(40);
});

// With the local transport there is no worker to lose.
const createPanickingWorld = () =>
  createWorldForTest({
    createWorker: () => fromNodeWorker(startThread('panicking-world')),
    recovery: { mode: 'restart', hangLimitMs: Number.POSITIVE_INFINITY },
    recording: { rewindSeconds: 10 },
  });

describe.runIf(inject('transport') !== 'local')('a panic of the engine', () => {
  test('costs what caused it, and nothing else', async () => {
    const reported = vi.fn<(error: unknown) => void>();
    vi.stubGlobal('reportError', reported);
    const world = createPanickingWorld();
    const handle = await world.ready;
    const statuses: string[] = [];
    handle.on('status', ({ kind }) => statuses.push(kind));
    const body = addBall(world);
    await advance(world, 10);
    const before = body.translation();
    await handle.resume();
    world.createRigidBody(RigidBodyDesc.dynamic().setGravityScale(PANICS));
    await sampleUntil(world, () => world.bodies.len() === 1);
    expect(statuses.filter((kind) => kind === 'restarted').length).toBeGreaterThan(0);
    expect(reported.mock.calls.map(([error]) => String(error))).toEqual([
      expect.stringMatching(/the command "apply" was skipped because tick \d+/),
    ]);
    await sampleUntil(world, () => body.translation().y < before.y);
    const late = addBall(world, 5);
    await sampleUntil(world, () => late.translation().y < 100 && late.id !== undefined);
    expect(world.bodies.getAll()).toEqual([body, late]);
    vi.unstubAllGlobals();
  });
});
