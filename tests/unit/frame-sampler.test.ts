import { beforeEach, describe, expect, test } from 'vitest';
import { FrameSampler } from '../../src/render-main/frame-sampler.js';
import type { BodyId } from '../../src/shared/body-meta.js';
import { MOVER_SPEED, VirtualWorker } from '../fixtures/virtual-worker.js';

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

  test('is the very same object and picture for a second call with the same stamp', () => {
    const first = sampleAt(500);
    const x = xOf(first, worker.mover);
    worker.advanceTo(508);
    expect(sampler.sample(500)).toBe(first);
    expect(xOf(first, worker.mover)).toBe(x);
    expect(sampler.statistics.summary().frames).toBe(1);
  });

  test('has its later state beside it, for comparison', () => {
    sampleAt(1003);
    expect(sampler.currentOnly.blend).toBe(1);
    expect(xOf(sampler.currentOnly, worker.mover)).toBeCloseTo((MOVER_SPEED * 99) / 100, 6);
  });

  test('without any state draws nothing, and clears what was asked for', () => {
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
