import { beforeEach, describe, expect, test } from 'vitest';
import { FrameSampler } from '../../../../src/render-main/frame/frame-sampler.js';
import type { BodyId } from '../../../../src/shared/memory/body-meta.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { Schedule } from '../../../../src/shared/time/schedule.js';
import { SnapshotWriter } from '../../../../src/sim-worker/bodies/snapshot-writer.js';
import { BodyRegistry } from '../../../../src/sim-worker/bodies/body-registry.js';
import { poseAt } from '../../../fixtures/poses.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';

const TICK_RATE_HZ = 100;
/** One period of 10 ms and a margin of 5 ms. */
const DELAY_MS = 15;

let worker: VirtualWorker;
let sampler: FrameSampler;

beforeEach(() => {
  worker = new VirtualWorker({ tickRateHz: TICK_RATE_HZ });
  sampler = new FrameSampler(worker.views, {});
});

function sampleAt(frameMs: number) {
  worker.advanceTo(frameMs);
  return sampler.sample(frameMs);
}

const xOf = (frame: FrameSampler['frame'], id: BodyId): number | undefined =>
  frame.pose(id, new Float64Array(7))?.[0];

describe('a sampled frame', () => {
  test('draws the mover where it was one delay ago, as pose and as matrix', () => {
    const frame = sampleAt(1003);
    const expected = (MOVER_SPEED * (1003 - DELAY_MS)) / 1000;
    expect(frame.hasState).toBe(true);
    expect(frame.alpha).toBeCloseTo(0.8, 9);
    expect(frame.tick).toBe(99);
    expect(xOf(frame, worker.mover)).toBeCloseTo(expected, 6);
    const matrix = new Float32Array(16);
    expect(
      frame.writeMatrices(Uint32Array.of(worker.mover), Float32Array.of(1, 1, 1), 1, matrix),
    ).toBe(1);
    expect(matrix[12]).toBe(Math.fround(xOf(frame, worker.mover) ?? 0));
  });

  test('is the identical object and frame for a second call with the same timestamp', () => {
    const first = sampleAt(500);
    const x = xOf(first, worker.mover);
    worker.advanceTo(508);
    expect(sampler.sample(500)).toBe(first);
    expect(xOf(first, worker.mover)).toBe(x);
    expect(sampler.statistics.summary().frames).toBe(1);
  });

  test('includes its later state, for comparison', () => {
    sampleAt(1003);
    expect(sampler.latest.blend).toBe(1);
    expect(xOf(sampler.latest, worker.mover)).toBeCloseTo((MOVER_SPEED * 99) / 100, 6);
  });

  test('draws nothing if there is no state, and clears the requested poses', () => {
    const empty = new FrameSampler(worker.views, {}).frame;
    expect(empty.hasState).toBe(false);
    expect(xOf(empty, worker.mover)).toBeUndefined();
    const out = new Float32Array(32).fill(5);
    const ids = Uint32Array.of(worker.mover);
    expect(empty.writeMatrices(ids, Float32Array.of(1, 1, 1), 1, out)).toBe(0);
    expect([...out.subarray(0, 16)].every((element) => element === 0)).toBe(true);
    expect(out[16]).toBe(5);
  });
});

/** The page switches to a worker whose virtual time starts at 0. */
const follow = (startMs: number): VirtualWorker => {
  const next = new VirtualWorker({ tickRateHz: TICK_RATE_HZ, startMs });
  sampler.attach(next.views);
  return next;
};

/** The mover's x in the newest state of the last sample; undefined if it does not live there. */
function newestX(id: BodyId = worker.mover): number | undefined {
  const out = new Float64Array(7).fill(5);
  if (sampler.frame.newest(id, out)) return out[0];
  expect([...out]).toEqual([5, 5, 5, 5, 5, 5, 5]);
  return undefined;
}

describe('the newest state', () => {
  test('is that of the newest tick, up to a delay ahead of what is drawn', () => {
    expect(newestX()).toBeUndefined();
    for (let frameMs = 0; frameMs < 1000; frameMs += 7) {
      const frame = sampleAt(frameMs);
      const tick = Math.floor(frameMs / 10);
      expect(newestX()).toBeCloseTo((MOVER_SPEED * tick) / 100, 6);
      expect(newestX()).toBeGreaterThanOrEqual(xOf(frame, worker.mover) ?? Number.NaN);
    }
  });

  test('stays as it was at the sample until the next one', () => {
    sampleAt(500);
    worker.advanceTo(800);
    expect(newestX()).toBeCloseTo((MOVER_SPEED * 50) / 100, 6);
    sampler.sample(800);
    expect(newestX()).toBeCloseTo((MOVER_SPEED * 80) / 100, 6);
  });

  test.each(['interpolate', 'extrapolate', 'none'] as const)('is the same in mode %s', (mode) => {
    sampler = new FrameSampler(worker.views, { mode });
    for (let frameMs = 0; frameMs <= 500; frameMs += 10) sampleAt(frameMs);
    expect(newestX()).toBeCloseTo((MOVER_SPEED * 50) / 100, 6);
    const out = new Float64Array(7);
    expect(sampler.latest.newest(worker.mover, out)).toBe(out);
    expect(out[0]).toBe(newestX());
  });

  test('has bodies that are not shown yet, and lacks those that still are', () => {
    sampleAt(1000);
    worker.bodies.despawn(worker.mover);
    const next = worker.bodies.spawn(worker.bodies.pose(worker.mover) ?? poseAt(7));
    const frame = sampleAt(1011);
    expect([newestX(), newestX(next)]).toEqual([undefined, 7]);
    expect(xOf(frame, worker.mover)).toBeCloseTo((MOVER_SPEED * 99.6) / 100, 6);
    expect(xOf(frame, next)).toBeUndefined();
  });

  test('snaps with a teleport at once', () => {
    sampleAt(1000);
    worker.restart(1003);
    const frame = sampleAt(1004);
    expect(newestX()).toBe(0);
    expect(xOf(frame, worker.mover)).toBe(0);
  });

  test("is the old worker's until the new one has published, and then the new one's", () => {
    sampleAt(1003);
    sampler.attach(createBuffer(1, 4));
    sampler.sample(1010);
    expect(newestX()).toBeCloseTo((MOVER_SPEED * 100) / 100, 6);
    worker = follow(5000);
    sampleAt(5507);
    expect(newestX()).toBeCloseTo((MOVER_SPEED * 50) / 100, 6);
  });
});

describe('an interruption', () => {
  test('is not an animation error', () => {
    for (let frameMs = 0; frameMs < 500; frameMs += 10) sampleAt(frameMs);
    worker.pause(500);
    worker.resume(2500);
    sampler.interrupt();
    for (let frameMs = 2505; frameMs < 3000; frameMs += 10) sampleAt(frameMs);
    const { animationErrorMs, frameMs } = sampler.statistics.summary();
    expect(animationErrorMs.max).toBe(0);
    expect(frameMs.max).toBeCloseTo(10, 1);
  });
});

describe('another worker', () => {
  test('that has published nothing yet leaves the last frame unchanged', () => {
    const frame = sampleAt(1003);
    const x = xOf(frame, worker.mover);
    sampler.attach(createBuffer(1, 4));
    const { shownVirtualMs } = sampler.placed;
    // The previous worker publishes nothing more: its newest state stays.
    for (let frameMs = 1010; frameMs < 1500; frameMs += 10) sampler.sample(frameMs);
    expect(frame.hasState).toBe(true);
    expect(xOf(frame, worker.mover)).toBeGreaterThanOrEqual(x ?? Number.NaN);
    expect(sampler.placed.shownVirtualMs).toBeGreaterThanOrEqual(shownVirtualMs);
  });

  test('is drawn as soon as it has published, with the same mode and margin', () => {
    sampler = new FrameSampler(worker.views, { mode: 'none', marginMs: 3 });
    for (let frameMs = 0; frameMs < 1000; frameMs += 10) sampleAt(frameMs);
    worker = follow(5000);
    expect(xOf(sampleAt(5507), worker.mover)).toBeCloseTo((MOVER_SPEED * 50) / 100, 6);
    expect(sampler.timeline.mode).toBe('none');
    expect(sampler.placed.marginMs).toBe(3);
  });

  test('is no animation error, nor a long frame', () => {
    for (let frameMs = 0; frameMs < 500; frameMs += 10) sampleAt(frameMs);
    worker = follow(2000);
    for (let frameMs = 2505; frameMs < 3000; frameMs += 10) sampleAt(frameMs);
    const { animationErrorMs, frameMs } = sampler.statistics.summary();
    expect(animationErrorMs.max).toBe(0);
    expect(frameMs.max).toBeCloseTo(10, 1);
  });
});

const shown = () => sampler.statistics.summary().inputToFrameMs;

describe('the time from an input to the first frame that shows its effect', () => {
  let schedule: Schedule;
  let writer: SnapshotWriter;
  let tick: number;
  const views = () => {
    const created = createBuffer(1, 4);
    schedule = new Schedule(TICK_RATE_HZ);
    writer = new SnapshotWriter(created, new BodyRegistry(1));
    tick = -1;
    publish();
    schedule.resume(0);
    return created;
  };
  /** The next tick's state, at its due time. */
  const publish = (inputMs = Number.NaN): void => {
    tick += 1;
    const stamp = {
      tick,
      virtualMs: tick * 10,
      simulatedSeconds: tick / 100,
      latenessMs: 0,
      inputMs,
    };
    writer.publishState(stamp, schedule);
  };
  /** A frame every 4 ms up to a time, and a tick every 10 ms; some ticks received an input. */
  const run = (untilMs: number, inputOfTick: Readonly<Record<number, number>>): void => {
    for (let ms = 2; ms <= untilMs; ms += 2) {
      if (ms % 10 === 0) publish(inputOfTick[ms / 10]);
      if (ms % 4 === 0) sampler.sample(ms);
    }
  };

  beforeEach(() => {
    sampler = new FrameSampler(views(), { marginMs: 5 });
  });

  test('is NaN without inputs', () => {
    run(200, {});
    expect(shown().max).toBeNaN();
  });

  test('is measured once, at that frame', () => {
    // Shown 15 ms after the tick before it was due: from 105 on, first by the frame at 108.
    run(104, { 10: 91 });
    expect(shown().max).toBeNaN();
    run(0, {});
    for (let ms = 106; ms <= 300; ms += 2) {
      if (ms % 10 === 0) publish();
      if (ms % 4 === 0) sampler.sample(ms);
    }
    expect(shown().max).toBeCloseTo(17, 1);
    expect(shown().p50).toBeCloseTo(17, 1);
  });

  test('is measured for every state, even if one frame shows several', () => {
    run(100, {});
    publish(101);
    publish(103);
    publish(105);
    sampler.sample(160);
    expect(shown().max).toBeCloseTo(59, 0);
    expect(shown().p50).toBeCloseTo(57, 0);
  });

  test('restarts with another worker, whose states are counted from 0 again', () => {
    run(200, {});
    sampler.attach(views());
    schedule.pause(0);
    schedule.resume(1000);
    publish(1005);
    publish();
    publish();
    sampler.sample(1020);
    expect(shown().max).toBeCloseTo(15, 1);
  });
});
