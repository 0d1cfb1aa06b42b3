import { beforeEach, expect, test, vi } from 'vitest';
import { FrameSampler, FrameStatistics } from '../../../../src/render-main/frame/frame-sampler.js';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import { SLOT_HEADER } from '../../../../src/shared/memory/layout.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { Schedule } from '../../../../src/shared/time/schedule.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { SnapshotWriter } from '../../../../src/sim-worker/bodies/snapshot-writer.js';
import { StateValues } from '../../../../src/sim-worker/bodies/state-values.js';
import { poseAt } from '../../../fixtures/poses.js';
import { present } from '../../../fixtures/present.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { Frame } from '../../../../src/render-main/frame/frame.js';

const TICK_RATE_HZ = 100;
/** One period of 10 ms and a margin of 5 ms. */
const DELAY_MS = 15;

const MODES = ['interpolate', 'extrapolate', 'none'] as const;

let worker: VirtualWorker;
let sampler: FrameSampler;

beforeEach(() => {
  // Long after every stamp, as in a page that is open for a while.
  vi.spyOn(performance, 'now').mockReturnValue(1e6);
  worker = new VirtualWorker({ tickRateHz: TICK_RATE_HZ });
  sampler = new FrameSampler(worker.views, {});
});
function sampleAt(frameMs: number) {
  worker.advanceTo(frameMs);
  return sampler.sample(frameMs);
}

function sampleEvery10Ms(fromMs: number, untilMs: number): void {
  for (let frameMs = fromMs; frameMs < untilMs; frameMs += 10) sampleAt(frameMs);
}

const xOf = (frame: FrameSampler['frame'], id: BodyId = worker.mover): number | undefined =>
  frame.pose(id, new Float64Array(7))?.[0];

/** The mover's x after a number of ticks. */
const xAt = (ticks: number): number => (MOVER_SPEED * ticks) / TICK_RATE_HZ;

/** The page switches to a worker whose virtual time starts at 0. */
function follow(startMs: number): VirtualWorker {
  const next = new VirtualWorker({ tickRateHz: TICK_RATE_HZ, startMs });
  sampler.attach(next.views);
  return next;
}

/** A body's x in the newest state of the last sample; undefined if it does not live there. */
function newestX(id: BodyId = worker.mover): number | undefined {
  const out = new Float64Array(7).fill(5);
  if (sampler.frame.newest(id, out)) return out[0];
  expect([...out]).toEqual([5, 5, 5, 5, 5, 5, 5]);
  return undefined;
}

test('a sampled frame draws bodies where they were one delay ago, as poses and as matrices', () => {
  const frame = sampleAt(1003);
  expect([frame.hasState, frame.tick, frame.newestTick]).toEqual([true, 99, 100]);
  expect(frame.alpha).toBeCloseTo(0.8, 9);
  expect(xOf(frame)).toBeCloseTo((MOVER_SPEED * (1003 - DELAY_MS)) / 1000, 6);
  const matrix = new Float32Array(16);
  const ids = Uint32Array.of(worker.mover);
  expect(frame.writeMatrices(ids, Float32Array.of(1, 1, 1), 1, matrix)).toBe(1);
  expect(matrix[12]).toBe(Math.fround(xOf(frame) ?? 0));
  // The later state, for comparison.
  expect([sampler.latest.blend, xOf(sampler.latest)]).toEqual([1, expect.closeTo(xAt(99), 6)]);
});

test('a second call with the same timestamp returns the same frame, and counts once', () => {
  const first = sampleAt(500);
  const x = xOf(first);
  worker.advanceTo(508);
  expect(sampler.sample(500)).toBe(first);
  expect(xOf(first)).toBe(x);
  expect(sampler.statistics.summary().frames).toBe(1);
});

test('the cost of a frame is the time to place it and to write its matrices', () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 2));
  const ids = Uint32Array.of(worker.mover);
  const write = (frame: FrameSampler['frame']): number =>
    frame.writeMatrices(ids, Float32Array.of(1, 1, 1), 1, new Float32Array(16));
  write(sampleAt(100));
  write(sampler.frame);
  write(sampler.latest);
  expect(sampler.statistics.sampledMs).toBe(0);
  sampleAt(110);
  expect(sampler.statistics.sampledMs).toBe(8);
  sampleAt(120);
  expect(sampler.statistics.sampledMs).toBe(10);
});

test('a frame without a state draws nothing, and clears the matrices that were asked for', () => {
  const empty = new FrameSampler(worker.views, {}).frame;
  expect([empty.hasState, xOf(empty), newestX()]).toEqual([false, undefined, undefined]);
  const out = new Float32Array(32).fill(5);
  const ids = Uint32Array.of(worker.mover);
  expect(empty.writeMatrices(ids, Float32Array.of(1, 1, 1), 1, out)).toBe(0);
  expect([...out.subarray(0, 17)]).toEqual([...Array.from({ length: 16 }, () => 0), 5]);
});

test.each(MODES)('in mode "%s", the newest state is that of the newest tick', (mode) => {
  sampler = new FrameSampler(worker.views, { mode });
  for (let frameMs = 0; frameMs < 1000; frameMs += 7) {
    sampleAt(frameMs);
    expect(newestX()).toBeCloseTo(xAt(Math.floor(frameMs / 10)), 6);
    expect(sampler.latest.newest(worker.mover, new Float64Array(7))?.[0]).toBe(newestX());
  }
  worker.advanceTo(1500);
  expect(newestX()).toBeCloseTo(xAt(99), 6);
  sampler.sample(1500);
  expect(newestX()).toBeCloseTo(xAt(150), 6);
});

test('the newest state has bodies that are not shown yet, and lacks those that still are', () => {
  sampleAt(1000);
  worker.bodies.despawn(worker.mover);
  const next = worker.bodies.spawn(worker.bodies.pose(worker.mover) ?? poseAt(7));
  const frame = sampleAt(1011);
  expect([newestX(), newestX(next)]).toEqual([undefined, 7]);
  expect(xOf(frame)).toBeCloseTo(xAt(99.6), 6);
  expect(xOf(frame, next)).toBeUndefined();
});

test('the last frame stays until another worker has published a state', () => {
  const frame = sampleAt(1003);
  const x = xOf(frame) ?? Number.NaN;
  const { shownVirtualMs } = sampler.frame;
  sampler.attach(createBuffer(1, 4));
  // The previous worker publishes nothing more: its newest state stays.
  for (let frameMs = 1010; frameMs < 1500; frameMs += 10) sampler.sample(frameMs);
  expect(frame.hasState).toBe(true);
  expect(xOf(frame)).toBeGreaterThanOrEqual(x);
  expect(newestX()).toBeCloseTo(xAt(100), 6);
  expect(sampler.frame.shownVirtualMs).toBeGreaterThanOrEqual(shownVirtualMs);
  expect(sampler.worker).toBe(0);
  // The newest of those that were attached counts.
  worker = follow(5000);
  sampleAt(5507);
  expect(newestX()).toBeCloseTo(xAt(50), 6);
  expect(sampler.worker).toBe(2);
});

test('the last frame stays when a worker has published an invalid state, until another one publishes', () => {
  const frame = sampleAt(1003);
  const x = xOf(frame);
  expect(sampler.isBroken).toBe(false);
  for (const { header } of worker.views.slots) header[SLOT_HEADER.tickRateHz] = Number.NaN;
  sampler.sample(1010);
  sampler.sample(1020);
  expect([sampler.isBroken, xOf(frame)]).toEqual([true, x]);
  worker = follow(5000);
  expect(sampler.isBroken).toBe(false);
  sampleAt(5507);
  expect([sampler.isBroken, newestX()]).toEqual([false, expect.closeTo(xAt(50), 6)]);
});

test('another worker is drawn with the mode and the margin of the one before', () => {
  sampler = new FrameSampler(worker.views, { marginMs: 3 });
  sampler.timeline.mode = 'none';
  sampleEvery10Ms(0, 1000);
  worker = follow(5000);
  expect(xOf(sampleAt(5507))).toBeCloseTo(xAt(50), 6);
  expect([sampler.timeline.mode, sampler.frame.marginMs]).toEqual(['none', 3]);
});

test.each(['another worker', 'an interruption'])('%s is no error, nor a long frame', (what) => {
  sampleEvery10Ms(0, 500);
  if (what === 'another worker') worker = follow(2000);
  else {
    worker.pause(500);
    worker.resume(2500);
    sampler.interrupt();
  }
  sampleEvery10Ms(2505, 3000);
  const { animationErrorMs, frameMs } = sampler.statistics.summary();
  expect([animationErrorMs.max, frameMs.max]).toEqual([0, expect.closeTo(10, 1)]);
});

test('the whole state of a frame is the earlier one until the later one is reached', () => {
  expect(sampler.wholeState).toBe(-1);
  sampleAt(1003);
  const { wholeState } = sampler;
  sampleAt(1005);
  expect([sampler.frame.alpha < 1, sampler.wholeState]).toEqual([false, wholeState + 1]);
  sampleAt(1012);
  expect([sampler.frame.alpha < 1, sampler.wholeState]).toEqual([true, wholeState + 1]);
  sampler.timeline.mode = 'none';
  sampleAt(1013);
  expect(sampler.wholeState).toBe(wholeState + 2);
});

/** Publishes states of as many bodies as values. */
function createPublisher(size: number, hasVelocities: boolean) {
  const views = createBuffer(size, 4, undefined, undefined, hasVelocities, size);
  const bodies = new BodyRegistry(size, hasVelocities);
  const values = new StateValues(size);
  const writer = new SnapshotWriter(views, bodies, values);
  const schedule = new Schedule(TICK_RATE_HZ);
  schedule.resume(0);
  const publishState = (tick: number): void => {
    const [virtualMs, simulatedSeconds] = [tick * 10, tick / 100];
    writer.publishState({ tick, virtualMs, simulatedSeconds, latenessMs: 0 }, schedule);
    bodies.beginState(writer.nextState);
  };
  const pause = (atMs: number): void => {
    schedule.pause(atMs);
    writer.publishSchedule(schedule);
  };
  return { views, bodies, values, publishState, pause };
}

test('sleep, velocity and values are those of the newest state, for bodies that live in it', () => {
  const { views, bodies, values, publishState } = createPublisher(2, true);
  const [id, gone] = [bodies.spawn(poseAt(0)), bodies.spawn(poseAt(0))];
  sampler = new FrameSampler(views, {});
  const { frame } = sampler;
  const velocity = (of: BodyId) => frame.velocity(of, new Float64Array(6));
  expect(frame.isAsleep(id) ?? velocity(id) ?? frame.newestValues).toBeUndefined();
  for (let tick = 0; tick < 3; tick++) {
    const isLast = tick === 2;
    bodies.setVelocity(id, tick, 2, 3, 4, 5, 6);
    bodies.setAsleep(id, isLast);
    values.numbers.set([tick, 7]);
    if (isLast) bodies.despawn(gone);
    publishState(tick);
    sampler.sample(tick * 10 + 3);
    expect([...(velocity(id) ?? [])]).toEqual([tick, 2, 3, 4, 5, 6]);
    expect([frame.isAsleep(id), [...(frame.newestValues ?? [])]]).toEqual([isLast, [tick, 7]]);
    for (const state of [velocity(gone), frame.isAsleep(gone)]) {
      expect(state === undefined).toBe(isLast);
    }
  }
});

/** Publishes values and bodies that move and jump alike: a jump is a cut of the one, and a teleport of the other. */
function publishValues(size: number) {
  const { views, bodies, values, publishState, pause } = createPublisher(size, false);
  const ids = Array.from({ length: size }, () => bodies.spawn(poseAt(0)));
  const publish = (tick: number): void => {
    const first = tick % 3 === 0 ? size - 40 : size;
    if (first < size) values.cut(first);
    // The last one jumps in every state.
    values.cut(size - 1, 1);
    for (const [index, id] of ids.entries()) {
      const x = Math.sin(tick * (index + 1)) * 2 ** (index % 9);
      values.numbers[index] = x;
      if (index >= first || index === size - 1) bodies.teleport(id, poseAt(x));
      else bodies.setPose(id, x, 0, 0, 0, 0, 0, 1);
    }
    publishState(tick);
  };
  return { views, ids, publish, pause };
}

test.each([
  ['interpolate', ['between', 'at the end']],
  ['extrapolate', ['between', 'at the end', 'beyond']],
  ['none', ['at the end']],
] as const)('in mode "%s", values are drawn as positions are, cuts as teleports', (mode, seen) => {
  const size = 100;
  const { views, ids, publish, pause } = publishValues(size);
  sampler = new FrameSampler(views, { mode, marginMs: 5 });
  const { frame } = sampler;
  const [values, pose] = [new Float32Array(size), new Float32Array(7)];
  expect(frame.writeValues(values)).toBeUndefined();
  const blends = new Set<string>();
  const expectDrawn = (frameMs: number): void => {
    sampler.sample(frameMs);
    blends.add(frame.blend < 1 ? 'between' : frame.blend > 1 ? 'beyond' : 'at the end');
    expect(frame.writeValues(values)).toBe(values);
    expect([...values]).toEqual(ids.map((id) => frame.pose(id, pose)?.[0]));
  };
  for (let tick = 0; tick <= 40; tick++) {
    publish(tick);
    // Some states come together, and some frames find no state.
    if (tick % 4 === 1 || tick % 4 === 2) continue;
    for (const afterMs of [1, 4, 8, tick === 20 ? 27 : 9]) expectDrawn(tick * 10 + afterMs);
  }
  pause(412);
  expectDrawn(420);
  expect([...values]).toEqual([...present(frame.newestValues)]);
  expect(blends).toEqual(new Set(seen));
});

test('a range of the values is written to the beginning of an array, and one that is not there is refused', () => {
  const { views, publish } = publishValues(100);
  sampler = new FrameSampler(views, { marginMs: 5 });
  const { frame } = sampler;
  // The frame is between the first two; in the second, values from 60 on are cut.
  for (const tick of [2, 3, 4]) publish(tick);
  for (const frameMs of [20, 30, 43]) sampler.sample(frameMs);
  expect(frame.blend).toBeCloseTo(0.8);
  const all = present(frame.writeValues(new Float32Array(100)));
  expect([...present(frame.writeValues(new Float32Array(41), 30))]).toEqual([
    ...all.subarray(30, 71),
  ]);
  const few = new Float32Array(4).fill(-1);
  frame.writeValues(few, 62, 3);
  expect([...few]).toEqual([...all.subarray(62, 65), -1]);
  frame.writeValues(few, 100, 0);
  for (const [start, some] of [[97], [97, 4], [-1, 1], [0.5, 1], [0, -1], [0, Number.NaN]]) {
    expect(() => frame.writeValues(few, start, some)).toThrow(
      /^(start|count), within display.values, must be a whole number from 0 to /,
    );
  }
  expect(() => frame.writeValues(few, 0, 5)).toThrow('5 values do not fit into an array of 4');
  expect([...few]).toEqual([...all.subarray(62, 65), -1]);
});

test('a velocity that is not published is an error that says how to publish it', () => {
  const out = new Float64Array(6);
  expect(sampler.frame.velocity(worker.mover, out)).toBeUndefined();
  const frame = sampleAt(1003);
  expect(() => frame.velocity(worker.mover, out)).toThrow(/display: \{ velocities: true \}/);
});

const shownInputs = () => {
  const { max, p50 } = sampler.statistics.summary().inputToFrameMs;
  return [max, p50];
};

/** A worker some of whose ticks received an input. */
const receiving = (inputs: Readonly<Record<number, number>>, startMs = 0): VirtualWorker =>
  new VirtualWorker({
    tickRateHz: TICK_RATE_HZ,
    startMs,
    inputMs: (tick) => inputs[tick] ?? Number.NaN,
  });

/** Shows inputs by the worker above, and its display. */
function showInputs(inputs: Readonly<Record<number, number>>): void {
  worker = receiving(inputs);
  sampler = new FrameSampler(worker.views, { marginMs: 5 });
}

test('the time from an input to the first frame that shows its effect is measured once', () => {
  showInputs({ 10: 91 });
  // Shown 15 ms after the tick before it was due: from 105 on, first by the frame at 108.
  for (let ms = 4; ms <= 104; ms += 4) sampleAt(ms);
  expect(shownInputs()).toEqual([Number.NaN, Number.NaN]);
  for (let ms = 108; ms <= 300; ms += 4) sampleAt(ms);
  expect(shownInputs()).toEqual([expect.closeTo(17, 1), expect.closeTo(17, 1)]);
});

test('the time from an input is measured for every state, even if one frame shows several', () => {
  // The worker may repeat the stamp of a state that it believes was never fetched.
  showInputs({ 11: 101, 12: 103, 13: 103, 14: 105 });
  sampleEvery10Ms(0, 110);
  const record = vi.spyOn(sampler.statistics, 'recordShownInput');
  worker.advanceTo(140);
  sampler.sample(160);
  expect(record).toHaveBeenCalledTimes(3);
  expect(shownInputs()).toEqual([expect.closeTo(59, 0), expect.closeTo(57, 0)]);
});

test('the time from an input is measured for another worker, whose states begin at 0 again', () => {
  sampleEvery10Ms(0, 200);
  worker = receiving({ 1: 1005 }, 1000);
  sampler.attach(worker.views);
  sampleAt(1020);
  expect(shownInputs()[0]).toBeCloseTo(15, 1);
});

const FRAME = Object.assign(new Frame(), { hasState: true, paused: false, following: true });

let statistics: FrameStatistics;
beforeEach(() => {
  statistics = new FrameStatistics();
});

/** Counts a frame that shows a time, with the lag that follows from it. */
function count(frameMs: number, shownVirtualMs: number, more: Partial<Frame> = {}): void {
  const lagMs = frameMs - shownVirtualMs;
  statistics.recordFrame(
    frameMs,
    Object.assign(new Frame(), FRAME, { shownVirtualMs, lagMs, ...more }),
  );
}

/** Every tenth frame shows 2 ms too much, and the next one 2 ms too little. */
const tooMuchMs = (frame: number): number => (frame > 0 && frame % 10 === 0 ? 2 : 0);

test("the animation error is the change of the time shown minus the change of the display's time, reported as mean, 99th percentile and maximum", () => {
  count(0, 0);
  expect(statistics.summary().animationErrorMs.mean).toBeNaN();
  for (let frame = 1; frame <= 100; frame++) {
    count(frame * 10, frame * 10 + tooMuchMs(frame));
    expect(statistics.lastErrorMs).toBe(tooMuchMs(frame) - tooMuchMs(frame - 1));
  }
  const { mean, p99, max } = statistics.summary().animationErrorMs;
  expect(mean).toBeCloseTo((10 * 2 + 9 * 2) / 100, 9);
  expect([p99, max]).toEqual([expect.closeTo(2, 2), expect.closeTo(2, 2)]);
});

test.each<[string, Partial<Frame>]>([
  ['paused', { paused: true }],
  ['waiting for the first states', { following: false }],
  ['without a state', { hasState: false }],
])('a frame that is %s has no animation error, and neither has the next one', (_, incomparable) => {
  count(0, 0);
  count(10, 5, incomparable);
  expect(statistics.lastErrorMs).toBe(0);
  count(20, 5);
  expect(statistics.lastErrorMs).toBe(0);
  expect(statistics.summary().animationErrorMs.max).toBeNaN();
  expect(statistics.summary().repeatedFrames).toBe(0);
  count(30, 20);
  expect(statistics.lastErrorMs).toBe(5);
});

test('the times between frames, of samples and of inputs are reported', () => {
  expect(statistics.summary().inputToFrameMs.max).toBeNaN();
  for (let frame = 0; frame <= 144; frame++) count((frame * 1000) / 144, 0);
  for (const ms of [0.1, 0.2, 0.3]) statistics.recordSample(ms);
  for (const ms of [20, 30, 40]) statistics.recordShownInput(ms);
  const { frameMs, sampleMs, inputToFrameMs } = statistics.summary();
  for (const value of [frameMs.p50, frameMs.p99, frameMs.max]) expect(value).toBeCloseTo(6.944, 2);
  expect([sampleMs.p50, sampleMs.max]).toEqual([expect.closeTo(0.2, 3), expect.closeTo(0.3, 3)]);
  expect([inputToFrameMs.p50, inputToFrameMs.max]).toEqual([
    expect.closeTo(30, 1),
    expect.closeTo(40, 1),
  ]);
  expect(statistics.sampledMs).toBeCloseTo(0.6, 9);
});

test('counts begin again at a reset, though the next frame is still compared with the last', () => {
  count(0, 0, { starved: true });
  count(10, 0, { reset: true });
  statistics.recordSample(1);
  statistics.recordShownInput(20);
  statistics.reset();
  const { sampleMs, inputToFrameMs, frameMs, animationErrorMs, ...counts } = statistics.summary();
  const none = { frames: 0, starvedFrames: 0, repeatedFrames: 0, timelineResets: 0 };
  expect(counts).toMatchObject(none);
  for (const { max } of [sampleMs, inputToFrameMs, frameMs, animationErrorMs]) {
    expect(max).toBeNaN();
  }
  expect([animationErrorMs.mean, statistics.sampledMs]).toEqual([Number.NaN, 1]);
  count(20, 11);
  expect(statistics.lastErrorMs).toBe(1);
  expect(statistics.summary().animationErrorMs.mean).toBe(1);
});
