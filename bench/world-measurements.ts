/** The measurements of `npm run bench:world`: a world of the page, in alternation with a hand-written simulation. */
import { Worker } from 'node:worker_threads';
import { getHeapStatistics } from 'node:v8';
import { typescriptThread } from '../scripts/typescript-thread.js';
import { connect, fromNodeWorker, type ConnectOptions } from '../src/render-main/index.js';
import {
  ColliderDesc,
  RigidBodyDesc,
  createWorld,
  type RigidBody,
  type World,
} from '../src/world/page/index.js';
import { threadTimeMs } from './thread-time.js';
import type { simulation as ownSimulation } from './world-own-node.worker.js';
import {
  BODIES,
  HEAP,
  HULL_NUMBERS,
  IMPULSE,
  placeApart,
  placeInHeap,
  pointsOf,
  type OwnSetup,
} from './world-scene.js';

/** Of both: velocities, and recovery, which saves a state now and then. */
const OPTIONS: ConnectOptions = {
  recovery: 'restart',
  startPaused: true,
  capacity: 2048,
  display: { velocities: true },
  recording: { limitBytes: 2 ** 28 },
};

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

/** Medians of a world and of the other one, and of their ratios, round by round. */
export interface Compared {
  readonly world: number;
  readonly other: number;
  readonly ratio: number;
}

function compared(rounds: readonly (readonly [world: number, other: number])[]): Compared {
  return {
    world: median(rounds.map(([world]) => world)),
    other: median(rounds.map(([, other]) => other)),
    ratio: median(rounds.map(([world, other]) => world / other)),
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Processor time of all threads in ms, up to now. The workers sleep while the page is measured. */
function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** @returns Of a tick, in ms of all threads. */
export async function measureTicks(rounds: number): Promise<Compared> {
  const world = await openWorld(-9.81);
  world.createCollider(ColliderDesc.cuboid(30, 1, 30).setTranslation(0, -1, 0));
  for (let index = 0; index < HEAP; index++) {
    const { x, y, z } = placeInHeap(index);
    const desc = RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false);
    world.createCollider(ColliderDesc.cuboid(0.5, 0.5, 0.5), world.createRigidBody(desc));
  }
  world.flush();
  const both = [await world.ready, await openOwn({ heap: HEAP, apart: 0 })] as const;
  const ticks = 30;
  // Until the heap has settled.
  for (let tick = 0; tick < 300; tick += ticks) for (const one of both) await one.step(ticks);
  const times: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const [first, second] = both;
    const beginMs = processMs();
    await first.step(ticks);
    const betweenMs = processMs();
    await second.step(ticks);
    times.push([(betweenMs - beginMs) / ticks, (processMs() - betweenMs) / ticks]);
  }
  for (const one of both) await one.dispose();
  return compared(times);
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

/** Of a frame in which nothing is written. */
export interface IdleFrames {
  /** In µs of the page's thread: with a thousand handles, and without any in a hand-written page. */
  readonly us: Compared;
  /** Bytes of garbage a frame. */
  readonly bytes: Compared;
  /** In µs of the page's thread: with a thousand handles, and with {@link FEW}. */
  readonly fewUs: Compared;
}

/** Handles of the world that one with a thousand is compared with. */
export const FEW = 10;

export async function measureIdleFrames(rounds: number): Promise<IdleFrames> {
  const { world } = await apart();
  const { world: small } = await apart(FEW);
  const own = await openOwn({ heap: 0, apart: BODIES });
  await own.step(2);
  let stampMs = performance.now() + 10_000;
  const frames = 2000;
  const sample = (one: {
    sample(stamp: number): unknown;
  }): readonly [us: number, bytes: number] => {
    globalThis.gc?.();
    const beforeBytes = getHeapStatistics().used_heap_size;
    const beforeMs = performance.now();
    for (let frame = 0; frame < frames; frame++) {
      stampMs += 4;
      one.sample(stampMs);
    }
    const us = ((performance.now() - beforeMs) * 1000) / frames;
    return [us, (getHeapStatistics().used_heap_size - beforeBytes) / frames];
  };
  const times: [number, number][] = [];
  const sizes: [number, number][] = [];
  const few: [number, number][] = [];
  for (let round = -5; round < rounds; round++) {
    const [[worldUs, worldBytes], [ownUs, ownBytes], [smallUs]] = [
      sample(world),
      sample(own),
      sample(small),
    ];
    // The first ones are not optimized yet.
    if (round < 0) continue;
    times.push([worldUs, ownUs]);
    sizes.push([worldBytes, ownBytes]);
    few.push([worldUs, smallUs]);
  }
  await world.dispose();
  await small.dispose();
  await own.dispose();
  return { us: compared(times), bytes: compared(sizes), fewUs: compared(few) };
}

export interface Impulses {
  /** Ms a frame: the calls, until they are in the queue. */
  readonly callsMs: Compared;
  /** Ms of the page's thread a frame, with its tick, the answers and the recording. */
  readonly pageMs: Compared;
  readonly frames: number;
  /** Bodies whose velocity is not that of all impulses. */
  readonly wrong: number;
}

/** Frames of one of the two before the other one has its turn. */
const BLOCK = 60;

/** A thousand impulses a frame, one for each body. */
export async function measureImpulses(blocks: number): Promise<Impulses> {
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
  let stampMs = performance.now();
  const runBlock = async (
    callAll: () => unknown,
    one: { step(ticks: number): Promise<unknown> },
    drawn: { sample(stamp: number): unknown },
  ): Promise<readonly [callsMs: number, pageMs: number]> => {
    const calls: number[] = [];
    const blockMs = threadTimeMs();
    for (let frame = 0; frame < BLOCK; frame++) {
      const beginMs = performance.now();
      const answer = callAll();
      calls.push(performance.now() - beginMs);
      await one.step(1);
      await answer;
      stampMs += 1000 / 60;
      drawn.sample(stampMs);
    }
    return [median(calls), (threadTimeMs() - blockMs) / BLOCK];
  };
  const [calls, pages]: [[number, number][], [number, number][]] = [[], []];
  for (let block = 0; block < blocks; block++) {
    const [worldCalls, worldPage] = await runBlock(callWorld, handle, world);
    const [ownCalls, ownPage] = await runBlock(callOwn, own, own);
    calls.push([worldCalls, ownCalls]);
    pages.push([worldPage, ownPage]);
  }
  const frames = blocks * BLOCK;
  const wrong = bodies.filter((body) => body.linvel().x !== frames * IMPULSE).length;
  await world.dispose();
  await own.dispose();
  return { callsMs: compared(calls), pageMs: compared(pages), frames, wrong };
}

export interface Creation {
  /** Ms until everything is in the queue. */
  readonly pageMs: Compared;
  /** The first time, with code that has never run. */
  readonly firstMs: number;
  /** Bodies that are drawn after it, in the last world. */
  readonly drawn: number;
}

/** A thousand bodies, each with another hull. */
export async function measureCreation(repeats: number): Promise<Creation> {
  const clouds = Array.from({ length: BODIES }, (_, index) => pointsOf(index));
  const times: [number, number][] = [];
  let [firstMs, drawn] = [Number.NaN, 0];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const world = await openWorld();
    const own = await openOwn({ heap: 0, apart: 0 });
    // They still measure their clocks for a while.
    for (const one of [await world.ready, own]) await one.step(60);
    const beginMs = performance.now();
    for (const [index, points] of clouds.entries()) {
      const { x, y, z } = placeApart(index);
      const body = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(x, y, z));
      world.createCollider(ColliderDesc.convexHull(points), body);
    }
    world.flush();
    const createdMs = performance.now();
    const numbers = new Float32Array(BODIES * HULL_NUMBERS);
    for (const [index, points] of clouds.entries()) {
      const { x, y, z } = placeApart(index);
      numbers.set([x, y, z], index * HULL_NUMBERS);
      numbers.set(points, index * HULL_NUMBERS + 3);
    }
    const answer = own.commands.create(numbers);
    const ownMs = performance.now() - createdMs;
    times.push([createdMs - beginMs, ownMs]);
    if (repeat === 0) firstMs = createdMs - beginMs;
    const handle = await world.ready;
    await handle.step(2);
    await own.step(2);
    await answer;
    drawn = world.bodies.getAll().filter(({ id }) => id !== undefined).length;
    await world.dispose();
    await own.dispose();
  }
  return { pageMs: compared(times), firstMs, drawn };
}
