import { beforeEach, expect, test } from 'vitest';
import { FrameSampler } from '../../../../src/render-main/frame/frame-sampler.js';
import { describeStatus } from '../../../../src/render-main/session/worker-counters.js';
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

test('the status counts ticks and time while the worker runs, and no time while it is paused', () => {
  expect(reported(1234)).toEqual({
    tick: 123,
    simulatedS: 1.23,
    tickRateHz: 100,
    timeScale: 1,
    elapsedMs: 1234,
    bodies: 1,
  });
  worker.pause(2000);
  expect(reported(5000)).toMatchObject({ tick: 200, elapsedMs: 2000 });
  worker.resume(6000);
  expect(reported(6050)).toMatchObject({ tick: 205, elapsedMs: 2050 });
  worker.setTickRate(20, 6050);
  worker.setTimeScale(2, 6050);
  expect(reported(7050)).toMatchObject({
    tick: 245,
    tickRateHz: 20,
    timeScale: 2,
    simulatedS: 4.05,
  });
  worker.restart(7055);
  expect(reported(7555)).toMatchObject({ tick: 20, elapsedMs: 505, simulatedS: 1 });
});

test('reading the status does not change the frame that is being drawn', () => {
  const sampler = new FrameSampler(worker.views, {});
  worker.advanceTo(503);
  const frame = sampler.sample(503);
  const before = [...(frame.pose(worker.mover, new Float64Array(7)) ?? [])];
  const placed = { ...sampler.frame };
  for (let pageMs = 510; pageMs < 1000; pageMs += 10) {
    expect(reported(pageMs).tick).toBe(Math.floor(pageMs / 10));
  }
  expect([...(frame.pose(worker.mover, new Float64Array(7)) ?? [])]).toEqual(before);
  expect({ ...sampler.frame }).toEqual(placed);
});
