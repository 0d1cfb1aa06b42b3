/** Bodies whose poses become invalid, and values, in virtual time. */
import { expect, test } from 'vitest';
import type { SimulationContext } from '../../../src/sim-worker/index.js';
import { runLocally } from '../../../src/sim-worker/local.js';
import { connectInVirtualTime, connectLocally, statusesOf } from '../../fixtures/virtual-time.js';

test('an invalid pose stops the run with that policy, after exactly that tick, is named, and the run can continue', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 100,
    invalidPosePolicy: 'stop',
  });
  const statuses = statusesOf(simulation);
  await time.advance(105);
  const body = await time.until(simulation.queries.bodyOf(3));
  await time.until(simulation.queries.spoil(3));
  await time.advance(200);
  const { tick } = simulation.stats();
  expect(statuses).toMatchObject([{ kind: 'invalid-pose', tick, body, tag: null, policy: 'stop' }]);
  expect(simulation.stats()).toMatchObject({ state: 'paused', invalidPoses: 1, bodies: 16 });
  await time.until(simulation.resume());
  await time.advance(100);
  expect(simulation.stats().tick).toBeGreaterThan(tick + 5);
});

test('an invalid value is counted in each state, and the page keeps the last valid one', async () => {
  let values: Float32Array = new Float32Array();
  const { time, simulation } = await connectLocally(
    () =>
      runLocally({
        init: (context: SimulationContext) => void (values = context.values),
        step: (_dt, tick) => values.fill(tick > 2 ? Number.NaN : tick),
      }),
    { startPaused: true, display: { values: 2 } },
  );
  await time.until(simulation.step(5));
  expect([...(simulation.sample(1).newestValues ?? [])]).toEqual([2, 2]);
  expect(simulation.stats()).toMatchObject({ tick: 5, invalidPoses: 0, invalidValues: 6 });
});
