/** Calls that reach a worker whose tick has just failed, before the page is notified of it. */
import { expect, test } from 'vitest';
import { WorkerFailedError, type SimulationStatus } from '../../../src/render-main/index.js';
import { failureOf } from '../../fixtures/stepped-toy.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('a run that has failed in the middle of a tick is neither saved nor queried', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 50 });
  simulation.on('status', () => {});
  await time.advance(100);
  await time.until(simulation.queries.failInNextTick('bad luck'));
  // The next tick is due, and the call wakes the worker for it.
  time.spend(100);
  const calls = [simulation.save(), simulation.queries.sum(), simulation.pause()];
  for (const { reason } of calls.map((call) => failureOf(call))) {
    const error = await time.until(reason);
    expect(error).toBeInstanceOf(WorkerFailedError);
    expect(error).toMatchObject({ message: expect.stringContaining('bad luck') });
  }
});

test('a run that has failed is not moved by any call made before the failure was known', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 50,
    startPaused: true,
    recovery: 'restart',
  });
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  await time.until(simulation.step(5));
  await time.until(simulation.queries.failInNextTick('bad luck'));
  const step = failureOf(simulation.step());
  // It is queued, and is posted within this turn of the event loop.
  for (let hops = 0; hops < 20; hops++) await Promise.resolve();
  for (const { reason } of [step, failureOf(simulation.queries.rebuild())]) {
    expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  }
  await time.until(simulation.pause());
  expect(statuses).toMatchObject([{ kind: 'restarting' }, { kind: 'restarted', tick: 5 }]);
  expect(simulation.stats().tick).toBe(5);
});
