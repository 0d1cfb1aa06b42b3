/** What is drawn is the same, bit for bit, with every transport. */
import { expect, test } from 'vitest';
import { StateHash } from '../../src/shared/recording/state-hash.js';
import { connectToyForTest } from '../fixtures/threads.js';

/**
 * Of the poses drawn below: from shared memory, from transferred packets and from this thread's own
 * memory.
 */
const DRAWN = 'd42a815261f330b0';

test('the poses drawn between states are the same by every transport', async () => {
  const simulation = await connectToyForTest({
    capacity: 64,
    startPaused: true,
    display: { marginMs: 5 },
  });
  const bodies = await Promise.all(
    Array.from({ length: 16 }, (_, index) => simulation.queries.bodyOf(index)),
  );
  const pose = new Float64Array(7);
  const drawn = new StateHash();
  let between = 0;
  for (let tick = 1; tick <= 40; tick++) {
    expect(await simulation.step(1)).toBe(tick);
    // The status and the snapshot are those of the call that was answered.
    expect(simulation.stats().tick).toBe(tick);
    simulation.sample(performance.now() + tick);
    const { alpha } = simulation.stats();
    if (alpha > 0 && alpha < 1) between += 1;
    for (const body of bodies) {
      for (const value of simulation.pose(body, pose) ?? []) drawn.addNumber(value);
    }
  }
  expect(between).toBeGreaterThan(30);
  expect(drawn.digest()).toBe(DRAWN);
});
