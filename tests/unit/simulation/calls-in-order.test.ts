/**
 * If memory is not shared, a call that may be withdrawn is held back until the worker takes calls.
 */
import { expect, test } from 'vitest';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const PATIENT = { timeoutMs: 1000 };

test('the last call is executed last, whether or not calls may be withdrawn', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  const rates = [simulation.setTickRate(30, PATIENT), simulation.setTickRate(60)];
  await time.until(Promise.all(rates));
  expect(simulation.stats().tickRateHz).toBe(60);
  const scales = [
    simulation.setTimeScale(2),
    simulation.setTimeScale(3, PATIENT),
    simulation.setTimeScale(4, PATIENT),
    simulation.setTimeScale(5),
  ];
  await time.until(Promise.all(scales));
  expect(simulation.stats().timeScale).toBe(5);
});

test('a simulation that is resumed and paused immediately is paused', async () => {
  const { time, simulation } = await connectInVirtualTime({ startPaused: true });
  // Whenever the call arrives that resumes it.
  for (let turns = 0; turns < 12; turns++) {
    const resumed = simulation.resume(PATIENT);
    for (let turn = 0; turn < turns; turn++) await takeTurn();
    await time.until(Promise.all([resumed, simulation.pause()]));
    const { tick } = simulation.stats();
    await time.advance(200);
    expect([simulation.state, simulation.stats().tick]).toEqual(['paused', tick]);
  }
});
