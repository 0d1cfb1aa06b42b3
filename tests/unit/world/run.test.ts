/** What `connect` gives works for a world: pauses, steps, rates, files, restarts. */
import { describe, expect, inject, test, vi } from 'vitest';
import { fromNodeWorker } from '../../../src/render-main/index.js';
import {
  ColliderDesc,
  JointData,
  Ray,
  RigidBodyDesc,
  RigidBodyType,
  VehicleDesc,
  type RigidBody,
  type World,
} from '../../../src/render-main/world/index.js';
import { decodeRecording, encodeRecording } from '../../../src/shared/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { PANICS } from '../../fixtures/panics.js';
import { startThread } from '../../fixtures/threads.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

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

function createSmallWorld(capacity: number) {
  const reported = vi.fn<(error: Error) => void>();
  vi.stubGlobal('reportError', reported);
  const world = createWorldForTest({ capacity, recording: { hashEveryTicks: 1 } });
  return { world, messages: () => reported.mock.calls.map(([{ message }]) => message) };
}

describe('more bodies than there is room for', () => {
  test('are not made, and each is reported', async () => {
    const { world, messages } = createSmallWorld(2);
    const ground = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, -1, 0));
    world.createCollider(ColliderDesc.cuboid(1, 1, 1), ground);
    const bodies = [0, 3, 6, 9].map((x) => addBall(world, x));
    const [first, second, third, fourth] = bodies as [RigidBody, RigidBody, RigidBody, RigidBody];
    const middle = { x: 0, y: 0, z: 0 };
    const joint = world.createImpulseJoint(JointData.spherical(middle, middle), first, third, true);
    await advance(world, 1);
    await eventually(() => {
      expect(bodies.map((body) => body.isValid())).toEqual([true, true, false, false]);
    });
    expect(joint.isValid()).toBe(false);
    expect(world.colliders.len()).toBe(3);
    expect(messages()).toEqual(
      [third, fourth].map(({ handle }) =>
        expect.stringMatching(
          new RegExp(`^the body ${handle}: it is not made, .*capacity of createWorld`),
        ),
      ),
    );
    const hit = await world.castRay(
      new Ray({ x: 6, y: 110, z: 0 }, { x: 0, y: -1, z: 0 }),
      20,
      true,
    );
    expect(hit).toBeNull();
    world.removeRigidBody(second);
    const later = addBall(world, 12);
    await advance(world, 10);
    expect(later.isValid()).toBe(true);
    expect(later.id).toBeDefined();
    expect(later.translation().y).toBeLessThan(100);
    const handle = await world.ready;
    const replay = await handle.openReplay(handle.recording());
    expect(await replay.seek(11)).toMatchObject({ hashes: 11, differsAt: undefined });
    await replay.close();
    expect(messages()).toHaveLength(2);
  });

  test('cost a vehicle of which a wheel is not made', async () => {
    const { world, messages } = createSmallWorld(2);
    const chassis = addBall(world);
    const wheel = {
      chassisConnectionPointCs: { x: 0, y: 0, z: 0 },
      radius: 0.3,
      suspensionRestLength: 0.5,
    };
    const desc = new VehicleDesc().addWheel(wheel).addWheel(wheel);
    const vehicle = world.createVehicleController(chassis, desc);
    await advance(world, 1);
    await eventually(() => expect(vehicle.isValid()).toBe(false));
    expect(chassis.isValid()).toBe(true);
    expect(messages()).toHaveLength(1);
    await advance(world, 10);
  });

  test('leave a fixed one that would have to be drawn where it is', async () => {
    const { world, messages } = createSmallWorld(1);
    const wall = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 1, 0));
    world.createCollider(ColliderDesc.ball(0.5), wall);
    const ball = addBall(world);
    await advance(world, 1);
    wall.setTranslation({ x: 5, y: 1, z: 0 }, true);
    await advance(world, 1);
    await eventually(() => expect(wall.translation()).toEqual({ x: 0, y: 1, z: 0 }));
    expect(wall.isValid()).toBe(true);
    expect(messages()).toEqual([
      expect.stringMatching(
        new RegExp(`^the body ${wall.handle}: it is not changed, .*capacity of createWorld`),
      ),
    ]);
    world.removeRigidBody(ball);
    wall.setBodyType(RigidBodyType.Dynamic, true);
    await advance(world, 10);
    expect(wall.translation().y).toBeLessThan(1);
    expect(messages()).toHaveLength(1);
  });
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
    // The command may be rejected before the last worker has started.
    await sampleUntil(world, () => statuses.includes('restarted'));
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
