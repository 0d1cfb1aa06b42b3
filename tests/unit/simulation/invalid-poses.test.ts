/** Bodies whose poses become invalid, in virtual time. */
import { expect, test } from 'vitest';
import type { ConnectOptions, SimulationStatus } from '../../../src/render-main/index.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

/** A simulation in which a body's pose has become invalid, and what was reported. */
async function spoiled(options: ConnectOptions) {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100, ...options });
  const reported: SimulationStatus[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'invalid-pose') reported.push(status);
  });
  await time.advance(105);
  const body = await time.until(simulation.queries.bodyOf(3));
  await time.until(simulation.queries.spoil(3));
  await time.advance(200);
  const drawn = (): Float64Array | undefined => {
    simulation.sample(time.nowMs);
    return simulation.pose(body, new Float64Array(7));
  };
  return { time, simulation, reported, body, drawn };
}

test('a body with an invalid pose is named, keeps its last valid one, and the run continues', async () => {
  const { simulation, reported, body, drawn } = await spoiled({});
  expect(reported).toMatchObject([{ kind: 'invalid-pose', body, tag: null, policy: 'freeze' }]);
  expect(simulation.stats()).toMatchObject({ state: 'running', invalidPoses: 1, bodies: 16 });
  expect(simulation.stats().tick).toBeGreaterThan(25);
  expect(drawn()?.every(Number.isFinite)).toBe(true);
});

test('an invalid pose stops the run with that policy, after exactly that tick, and it can continue', async () => {
  const { time, simulation, reported } = await spoiled({ invalidPosePolicy: 'stop' });
  const { tick } = simulation.stats();
  expect(simulation.state).toBe('paused');
  expect(reported).toMatchObject([{ tick }]);
  await time.until(simulation.resume());
  await time.advance(100);
  expect(simulation.stats().tick).toBeGreaterThan(tick + 5);
});
