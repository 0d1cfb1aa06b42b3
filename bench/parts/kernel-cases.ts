/** The measured kernels, each on data that makes it do its full work. */
import type { BodyId } from '../../src/shared/index.js';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import {
  blendValues,
  sampleMatrices,
  samplePose,
  type StatePair,
  type ValuePair,
} from '../../src/render-main/frame/interpolation.js';
import { SLOT_HEADER, STATE_HEADER } from '../../src/shared/memory/layout.js';
import { Schedule } from '../../src/shared/time/schedule.js';
import { SnapshotReader } from '../../src/shared/memory/snapshot-reader.js';
import { SnapshotWriter } from '../../src/sim-worker/bodies/snapshot-writer.js';
import { Timeline } from '../../src/render-main/frame/timeline.js';
import { BodyRegistry } from '../../src/sim-worker/bodies/body-registry.js';
import { StateValues } from '../../src/sim-worker/bodies/state-values.js';
import type { Batch } from './measure.js';

interface World {
  readonly registry: BodyRegistry;
  readonly values: StateValues;
  readonly writer: SnapshotWriter;
  readonly reader: SnapshotReader;
  readonly schedule: Schedule;
  readonly ids: BodyId[];
}

export function createWorld(bodies: number, capacity = bodies, valueCount = 0): World {
  const views = createBuffer(capacity, 4, undefined, undefined, false, valueCount);
  const registry = new BodyRegistry(capacity);
  const values = new StateValues(valueCount);
  const writer = new SnapshotWriter(views, registry, values);
  const ids = Array.from({ length: bodies }, (_, index) =>
    registry.spawn({ x: index, y: 0, z: 0, qx: 0, qy: 0, qz: 0, qw: 1 }),
  );
  const schedule = new Schedule(60);
  schedule.resume(0);
  return { registry, values, writer, reader: new SnapshotReader(views), schedule, ids };
}

/** Writes every body as if it tumbled: 0.2 rad a tick, so that slerp takes its slow path. */
function moveAll({ registry, ids }: World, tick: number): void {
  for (let index = 0; index < ids.length; index++) {
    const half = (tick * 0.2 + index) / 2;
    registry.setPose(ids[index] as BodyId, index, tick, 0, 0, Math.sin(half), 0, Math.cos(half));
  }
}

export function publish({ writer, registry, schedule }: World, tick: number): void {
  writer.publishState(
    { tick, virtualMs: schedule.dueVirtualMs(tick), simulatedSeconds: tick / 60, latenessMs: 0 },
    schedule,
  );
  registry.beginState(writer.nextState);
}

/** Two consecutive states of a world, as the page sees them. */
function pairOf(bodies: number, motion: 'tumbling' | 'resting'): { world: World; pair: StatePair } {
  const world = createWorld(bodies);
  for (let tick = 0; tick < 2; tick++) {
    if (motion === 'tumbling') moveAll(world, tick);
    publish(world, tick);
  }
  world.reader.fetch();
  const { poses, metas } = world.reader.slot;
  const [previous, current] = poses;
  const [previousMeta, currentMeta] = metas;
  if (!previous || !current || !previousMeta || !currentMeta) throw new Error('no states');
  return { world, pair: { previous, current, previousMeta, currentMeta, blend: 0.37 } };
}

export function sampleAll(bodies: number, motion: 'tumbling' | 'resting'): Batch {
  const { world, pair } = pairOf(bodies, motion);
  const ids = Uint32Array.from(world.ids);
  const scales = new Float32Array(bodies * 3).fill(1);
  const out = new Float32Array(bodies * 16);
  return {
    items: bodies,
    run: () => {
      sampleMatrices(pair, ids, scales, bodies, out);
    },
  };
}

/** The bodies of a pair, and what reads their poses as a sampled frame does. */
export function poseFrame(bodies: number, motion: 'tumbling' | 'resting') {
  const { world, pair } = pairOf(bodies, motion);
  const pose = <Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined =>
    samplePose(pair, id, out) ? out : undefined;
  return { ids: world.ids, pair, pose };
}

export function samplePoses(bodies: number): Batch {
  const { world, pair } = pairOf(bodies, 'tumbling');
  const out = new Float64Array(7);
  return {
    items: bodies,
    run: () => {
      for (let index = 0; index < bodies; index++)
        samplePose(pair, world.ids[index] as number, out);
    },
  };
}

export function publishAll(bodies: number): Batch {
  const world = createWorld(bodies);
  const poses = Array.from({ length: bodies }, (_, index) => index * 0.5);
  let tick = 0;
  return {
    items: bodies,
    run: () => {
      tick += 1;
      // Plain numbers instead of an engine's: reading the engine is not part of this.
      for (let index = 0; index < bodies; index++) {
        const at = poses[index] as number;
        world.registry.setPose(world.ids[index] as BodyId, at, tick, at, 0, 0, 0, 1);
      }
      publish(world, tick);
      world.reader.fetch();
    },
  };
}

export function publishAsleep(bodies: number): Batch {
  const world = createWorld(bodies);
  for (let tick = 0; tick < 8; tick++) publish(world, tick);
  let tick = 8;
  return {
    items: bodies,
    run: () => {
      tick += 1;
      publish(world, tick);
      world.reader.fetch();
    },
  };
}

export const AWAKE = 100;

/** Publications in a batch: one is too short to be timed. */
const PUBLICATIONS = 20;

/** Writes and publishes {@link AWAKE} bodies that are spread over others, which sleep. */
export function publishAwakeAmong(bodies: number): Batch {
  const world = createWorld(bodies + AWAKE);
  const awake = Array.from({ length: AWAKE }, (_, index) => {
    return world.ids[Math.floor((index * world.ids.length) / AWAKE)] as BodyId;
  });
  for (const id of world.ids) if (!awake.includes(id)) world.registry.setAsleep(id, true);
  let tick = 0;
  return {
    items: 1,
    run: () => {
      tick += 1;
      for (const id of awake) world.registry.setPose(id, tick % 8, 0, 0, 0, 0, 0, 1);
      publish(world, tick);
      world.reader.fetch();
    },
  };
}

/** Publishes a state with one body and some values. */
export function publishValues(valueCount: number, areChanged: boolean): Batch {
  const world = createWorld(1, 1, valueCount);
  let tick = 0;
  return {
    items: PUBLICATIONS,
    run: () => {
      for (let index = 0; index < PUBLICATIONS; index++) {
        tick += 1;
        if (areChanged) world.values.numbers.fill(tick);
        publish(world, tick);
        world.reader.fetch();
      }
    },
  };
}

/** Blends some values into an array. */
export function drawValues(valueCount: number): Batch {
  const world = createWorld(1, 1, valueCount);
  for (let tick = 0; tick < 2; tick++) {
    for (let index = 0; index < valueCount; index++) {
      world.values.numbers[index] = Math.sin(index + tick);
    }
    publish(world, tick);
  }
  world.reader.fetch();
  const { values, valueWords } = world.reader.slot;
  const [previous, current] = values;
  const words = valueWords[1];
  if (!previous || !current || !words) throw new Error('no states');
  const pair: ValuePair = { previous, current, words, blend: 0.37 };
  const out = new Float32Array(valueCount);
  return {
    items: PUBLICATIONS,
    run: () => {
      for (let index = 0; index < PUBLICATIONS; index++) blendValues(pair, 0, valueCount, out);
    },
  };
}

/**
 * Heap growth of a frame: fetch, place, sample. Measured over enough frames to reveal a single
 * object a frame, after a collection if Node was started with `--expose-gc`.
 */
export function bytesPerFrame(bodies: number): number {
  const world = createWorld(bodies);
  moveAll(world, 0);
  publish(world, 0);
  publish(world, 1);
  const timeline = new Timeline();
  const ids = Uint32Array.from(world.ids);
  const scales = new Float32Array(bodies * 3).fill(1);
  const out = new Float32Array(bodies * 16);
  const pair: StatePair = {
    previous: out,
    previousMeta: new Int32Array(0),
    current: out,
    currentMeta: new Int32Array(0),
    blend: 0,
  };
  const frames = 20_000;
  const rounds = 10;
  // Boxed beforehand, as browsers pass them: an array with other values among them keeps its
  // numbers as objects.
  const stamps: (number | null)[] = [null];
  for (let index = 1; index <= (rounds + 1) * frames; index++) stamps.push((index * 1000) / 144);
  let next = 0;
  const frame = (): void => {
    next += 1;
    const frameMs = stamps[next] as number;
    world.reader.fetch();
    const { slot } = world.reader;
    const placed = timeline.advance(frameMs, slot);
    pair.previous = slot.poses[placed.previous] as Float32Array;
    pair.previousMeta = slot.metas[placed.previous] as Int32Array;
    pair.current = slot.poses[placed.current] as Float32Array;
    pair.currentMeta = slot.metas[placed.current] as Int32Array;
    pair.blend = placed.blend;
    sampleMatrices(pair, ids, scales, 100, out);
    // The header is read as an application would; it must not allocate either.
    if ((slot.header[SLOT_HEADER.stateCount] ?? 0) < 0) throw new Error('impossible');
    if ((slot.stateHeaders[0]?.[STATE_HEADER.tick] ?? 0) < 0) throw new Error('impossible');
  };
  for (let index = 0; index < frames; index++) frame();
  // The measurement itself leaves about a byte, spread over all frames.
  const empty = heapGrowth(() => {}, frames);
  // The best round: sometimes the JavaScript engine itself allocates, to optimize something.
  const min = Math.min(...Array.from({ length: rounds }, () => heapGrowth(frame, frames)));
  return Math.max(0, Math.round((min - empty) / frames));
}

/** Bytes that some calls leave on the heap. */
function heapGrowth(call: () => void, calls: number): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < calls; index++) call();
  return process.memoryUsage().heapUsed - before;
}
