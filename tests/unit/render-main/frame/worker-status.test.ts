import { expect, test } from 'vitest';
import { describeStatus } from '../../../../src/render-main/session/worker-counters.js';
import { StatusReader } from '../../../../src/shared/memory/snapshot-reader.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';

test('the status counts ticks and time while the worker runs, and no time while it is paused', () => {
  const worker = new VirtualWorker({ tickRateHz: 100 });
  const reader = new StatusReader(worker.views);
  const reported = (pageMs: number) => {
    worker.advanceTo(pageMs);
    return describeStatus(reader.read(), pageMs);
  };
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
