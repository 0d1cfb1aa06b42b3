/** What the first worker sends before the page is notified that it runs. */
import { expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('a state that is saved in the first tick is kept', async () => {
  // This loop makes its first tick as soon as it begins, and a state after each.
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 10,
    recording: { saveEverySeconds: 0.1, rewindSeconds: 10 },
    stepper: { kind: 'frame-locked' },
  });
  await time.until(simulation.pause());
  expect(simulation.recording().states.map(({ tick }) => tick)).toEqual([1]);
});
