/** Bodies whose poses become invalid, in virtual time. */
import { expect, test } from 'vitest';
import type { SimulationStatus } from '../../../src/render-main/index.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('an invalid pose stops the run with that policy, after exactly that tick, is named, and the run can continue', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 100,
    invalidPosePolicy: 'stop',
  });
  const reported: SimulationStatus[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'invalid-pose') reported.push(status);
  });
  await time.advance(105);
  const body = await time.until(simulation.queries.bodyOf(3));
  await time.until(simulation.queries.spoil(3));
  await time.advance(200);
  const { tick } = simulation.stats();
  expect(reported).toMatchObject([{ tick, body, tag: null, policy: 'stop' }]);
  expect(simulation.stats()).toMatchObject({ state: 'paused', invalidPoses: 1, bodies: 16 });
  await time.until(simulation.resume());
  await time.advance(100);
  expect(simulation.stats().tick).toBeGreaterThan(tick + 5);
});
