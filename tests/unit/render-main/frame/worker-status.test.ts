import { beforeEach, describe, expect, test } from 'vitest';
import { FrameSampler } from '../../../../src/render-main/frame/frame-sampler.js';
import { describeStatus } from '../../../../src/render-main/session/statistics.js';
import { StatusReader } from '../../../../src/shared/memory/snapshot-reader.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';

let worker: VirtualWorker;
let reader: StatusReader;

beforeEach(() => {
  worker = new VirtualWorker({ tickRateHz: 100 });
  reader = new StatusReader(worker.views);
});

function reported(pageMs: number) {
  worker.advanceTo(pageMs);
  return describeStatus(reader.read(), pageMs);
}

describe("what the worker's status says about time and bodies", () => {
  test('while it runs', () => {
    expect(reported(1234)).toEqual({
      tick: 123,
      simulatedS: 1.23,
      tickRateHz: 100,
      timeScale: 1,
      elapsedMs: 1234,
      bodies: 1,
    });
  });

  test('while it is paused, and after a pause', () => {
    worker.pause(1000);
    expect(reported(5000)).toMatchObject({ tick: 100, elapsedMs: 1000 });
    worker.resume(6000);
    expect(reported(6050)).toMatchObject({ tick: 105, elapsedMs: 1050 });
  });

  test('after ticks were dropped: ticks and dropped ticks fill the elapsed time', () => {
    worker.advanceTo(1000);
    worker.stepCostMs = (tick) => (tick === 101 ? 200 : 0);
    const { tick, elapsedMs } = reported(2000);
    expect(worker.droppedTicks).toBeGreaterThan(10);
    expect(elapsedMs).toBeCloseTo(2000, 6);
    expect(tick + worker.droppedTicks).toBe(200);
  });

  test('after a gap: the gap is not part of the elapsed time', () => {
    worker.wakeDelayMs = (tick) => (tick === 51 ? 1000 : 0);
    const { tick, elapsedMs } = reported(2000);
    expect(worker.gapMs).toBeCloseTo(1000, 6);
    expect(elapsedMs).toBeCloseTo(1000, 6);
    expect(tick).toBe(100);
  });

  test('after a restart it counts from 0', () => {
    worker.restart(1005);
    expect(reported(1500)).toMatchObject({ tick: 50, elapsedMs: 500, simulatedS: 0.5 });
  });

  test('at another rate and scale', () => {
    worker.setTickRate(20, 1000);
    worker.setTimeScale(2, 1000);
    expect(reported(2000)).toMatchObject({
      tick: 140,
      tickRateHz: 20,
      timeScale: 2,
      simulatedS: 3,
    });
  });
});

test('reading the status does not change the frame that is being drawn', () => {
  const sampler = new FrameSampler(worker.views, {});
  worker.advanceTo(503);
  const frame = sampler.sample(503);
  const before = [...(frame.pose(worker.mover, new Float64Array(7)) ?? [])];
  const placed = { ...sampler.placed };
  for (let pageMs = 510; pageMs < 1000; pageMs += 10) {
    expect(reported(pageMs).tick).toBe(Math.floor(pageMs / 10));
  }
  expect([...(frame.pose(worker.mover, new Float64Array(7)) ?? [])]).toEqual(before);
  expect(sampler.placed).toEqual(placed);
});
