/** A world of the page, alternately with a hand-written simulation of the same scene. */
import { Worker } from 'node:worker_threads';
import { typescriptThread } from '../../scripts/typescript-thread.js';
import { connect, fromNodeWorker, type ConnectOptions } from '../../src/render-main/index.js';
import {
  ColliderDesc,
  RigidBodyDesc,
  createWorld,
  type RigidBody,
  type World,
} from '../../src/world/page/index.js';
import { medianOf } from '../engine/index.js';
import { createScene } from '../scenes/index.js';
import { alternately, tableOf, type FigureTable, type Metric } from '../tables/figures.js';
import type { PartOptions } from './part.js';
import { threadTimeMs } from './thread-time.js';
import type { simulation as ownSimulation } from './world-own-node.worker.js';
import {
  BODIES,
  HEAP,
  HULL_NUMBERS,
  IMPULSE,
  POINTS,
  placeApart,
  pointsOf,
  type OwnSetup,
} from './world-scene.js';

/** The same for both: velocities, and recovery, which saves a state now and then. */
const OPTIONS: ConnectOptions = {
  recovery: 'restart',
  startPaused: true,
  capacity: 2048,
  display: { velocities: true },
  recording: { limitBytes: 2 ** 28 },
};

const HEADS = { ours: 'world', theirs: 'hand-written' };
/** Ticks, or frames, of one of the two before the other one has its turn. */
const TICKS = 30;
const IDLE_FRAMES = 2000;
const FRAMES = 60;
/** Handles of the world that one with a thousand is compared with. */
const FEW = 10;

export async function measureWorld({ isQuick }: PartOptions): Promise<FigureTable[]> {
  const turns = (whole: number): number => (isQuick ? 1 : whole);
  return [
    await measureCreation(turns(15)),
    await measureImpulses(turns(60)),
    ...(await measureIdleFrames(turns(30))),
    await measureTicks(turns(40)),
  ];
}

const thread = (file: string): ReturnType<typeof fromNodeWorker> =>
  fromNodeWorker(new Worker(new URL(file, import.meta.url), { ...typescriptThread }));

async function openWorld(gravity = 0): Promise<World> {
  const world = createWorld({
    ...OPTIONS,
    gravity: { x: 0, y: gravity, z: 0 },
    createWorker: () => thread('./world-node.worker.ts'),
  });
  await world.ready;
  return world;
}

const openOwn = (setup: OwnSetup) =>
  connect<typeof ownSimulation>(() => thread('./world-own-node.worker.ts'), {
    ...OPTIONS,
    setup: { ...setup },
  });

/** Processor time of all threads in ms, up to now. The workers sleep while the page is measured. */
function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function measureTicks(turns: number): Promise<FigureTable> {
  const world = await openWorld(-9.81);
  const { statics, bodies } = createScene('heap', HEAP, 1);
  for (const { pose, half } of statics) {
    const desc = ColliderDesc.cuboid(half.x, half.y, half.z);
    world.createCollider(desc.setTranslation(pose.x, pose.y, pose.z));
  }
  for (const { pose } of bodies) {
    const rotation = { x: pose.qx, y: pose.qy, z: pose.qz, w: pose.qw };
    const desc = RigidBodyDesc.dynamic().setTranslation(pose.x, pose.y, pose.z);
    const body = world.createRigidBody(desc.setRotation(rotation).setCanSleep(false));
    world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), body);
  }
  world.flush();
  const both = [await world.ready, await openOwn({ heap: HEAP, apart: 0 })] as const;
  // Until the heap has settled.
  for (let tick = 0; tick < 300; tick += TICKS) for (const one of both) await one.step(TICKS);
  const measured = await alternately(both, turns, async (one) => {
    const beginMs = processMs();
    await one.step(TICKS);
    return (processMs() - beginMs) / TICKS;
  });
  for (const one of both) await one.dispose();
  return tableOf({ title: `a heap of ${HEAP}`, ...HEADS }, measured, [
    { what: 'a tick, all threads', unit: 'ms', of: (ms) => ms, ratioLimit: 1.1 },
  ]);
}

async function apart(
  count = BODIES,
): Promise<{ readonly world: World; readonly bodies: RigidBody[] }> {
  const world = await openWorld();
  const bodies = Array.from({ length: count }, (_, index) => {
    const { x, y, z } = placeApart(index);
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, y, z));
    world.createCollider(ColliderDesc.ball(0.5).setMass(1), body);
    return body;
  });
  world.flush();
  await (await world.ready).step(2);
  return { world, bodies };
}

/** Frames in which nothing is written. */
async function measureIdleFrames(turns: number): Promise<FigureTable[]> {
  const { world } = await apart();
  const { world: few } = await apart(FEW);
  const own = await openOwn({ heap: 0, apart: BODIES });
  await own.step(2);
  let stampMs = performance.now() + 10_000;
  const sample = (one: { sample(stamp: number): unknown }) => {
    globalThis.gc?.();
    const beforeBytes = process.memoryUsage().heapUsed;
    const beforeMs = performance.now();
    for (let frame = 0; frame < IDLE_FRAMES; frame++) {
      stampMs += 4;
      one.sample(stampMs);
    }
    return {
      us: ((performance.now() - beforeMs) * 1000) / IDLE_FRAMES,
      bytes: (process.memoryUsage().heapUsed - beforeBytes) / IDLE_FRAMES,
    };
  };
  const all = [world, own, few];
  // The first ones are not optimized yet.
  await alternately(all, 5, sample);
  const [ofWorld = [], ofOwn = [], ofFew = []] = await alternately(all, turns, sample);
  for (const one of all) await one.dispose();
  const metrics: readonly Metric<ReturnType<typeof sample>>[] = [
    { what: 'page', unit: 'µs', of: ({ us }) => us, ratioLimit: 1.6 },
    { what: 'garbage', unit: 'bytes', of: ({ bytes }) => bytes },
  ];
  const title = `a frame with ${BODIES} handles, nothing written`;
  return [
    tableOf({ title, ...HEADS }, [ofWorld, ofOwn], metrics),
    tableOf({ title, ours: 'world', theirs: `with ${FEW} handles` }, [ofWorld, ofFew], metrics),
  ];
}

/** A thousand impulses a frame, one for each body. */
async function measureImpulses(turns: number): Promise<FigureTable> {
  const { world, bodies } = await apart();
  const handle = await world.ready;
  const own = await openOwn({ heap: 0, apart: BODIES });
  const impulse = { x: IMPULSE, y: 0, z: 0 };
  const numbers = new Float32Array(3 * BODIES);
  const callWorld = (): void => {
    for (const body of bodies) body.applyImpulse(impulse, true);
    world.flush();
  };
  const callOwn = (): Promise<unknown> => {
    for (let index = 0; index < numbers.length; index += 3) numbers[index] = impulse.x;
    return own.commands.push(numbers);
  };
  const both = [
    { callAll: callWorld, step: () => handle.step(1), drawn: world },
    { callAll: callOwn, step: () => own.step(1), drawn: own },
  ];
  let stampMs = performance.now();
  const measured = await alternately(both, turns, async ({ callAll, step, drawn }) => {
    const calls: number[] = [];
    const beginMs = threadTimeMs();
    for (let frame = 0; frame < FRAMES; frame++) {
      const callMs = performance.now();
      const answer: unknown = callAll();
      calls.push(performance.now() - callMs);
      await step();
      await answer;
      stampMs += 1000 / 60;
      drawn.sample(stampMs);
    }
    return { callsMs: medianOf(calls), pageMs: (threadTimeMs() - beginMs) / FRAMES };
  });
  const lost = bodies.filter((body) => body.linvel().x !== turns * FRAMES * IMPULSE);
  await world.dispose();
  await own.dispose();
  if (lost.length > 0) throw new Error(`${lost.length} bodies have another velocity than expected`);
  return tableOf({ title: `${BODIES} impulses`, ...HEADS }, measured, [
    { what: 'the calls', unit: 'ms', of: ({ callsMs }) => callsMs, limit: 0.5 },
    { what: 'with tick, answer and recording', unit: 'ms', of: ({ pageMs }) => pageMs },
  ]);
}

/** A thousand bodies, each with another hull, until all is in the queue. */
async function measureCreation(turns: number): Promise<FigureTable> {
  const clouds = Array.from({ length: BODIES }, (_, index) => pointsOf(index));
  const createAll = async (): Promise<number> => {
    const world = await openWorld();
    const handle = await world.ready;
    // A page still measures its clock for a while.
    await handle.step(60);
    const beginMs = performance.now();
    for (const [index, points] of clouds.entries()) {
      const { x, y, z } = placeApart(index);
      const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, y, z));
      world.createCollider(ColliderDesc.convexHull(points), body);
    }
    world.flush();
    const tookMs = performance.now() - beginMs;
    await handle.step(2);
    const drawn = world.bodies.getAll().filter(({ id }) => id !== undefined).length;
    await world.dispose();
    if (drawn !== BODIES) throw new Error(`${drawn} bodies of ${BODIES} are drawn`);
    return tookMs;
  };
  const createOwn = async (): Promise<number> => {
    const own = await openOwn({ heap: 0, apart: 0 });
    await own.step(60);
    const beginMs = performance.now();
    const numbers = new Float32Array(BODIES * HULL_NUMBERS);
    for (const [index, points] of clouds.entries()) {
      const { x, y, z } = placeApart(index);
      numbers.set([x, y, z], index * HULL_NUMBERS);
      numbers.set(points, index * HULL_NUMBERS + 3);
    }
    const answer = own.commands.create(numbers);
    const tookMs = performance.now() - beginMs;
    await own.step(2);
    await answer;
    await own.dispose();
    return tookMs;
  };
  const measured = await alternately([createAll, createOwn], turns, (create) => create());
  const title = `${BODIES} bodies with hulls of ${POINTS} points`;
  return tableOf({ title, ...HEADS }, measured, [
    { what: 'the calls', unit: 'ms', of: (ms) => ms, limit: 30 },
  ]);
}
