/** Events of the simulation on the page, in virtual time. Over threads: tests/threads/transports. */
import { expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

const OPTIONS = { tickRateHz: 100, capacity: 64 } as const;

test('events are delivered in order, within the frame that shows their tick', async () => {
  const { time, simulation } = await connectInVirtualTime(OPTIONS);
  const delivered: number[] = [];
  simulation.on('tenth', ({ tick, value }) => {
    expect(value).toEqual({ tick });
    delivered.push(tick);
  });
  const seen: number[] = [];
  for (let frame = 0; frame < 90; frame++) {
    await time.advance(4);
    expect(delivered).toEqual([]);
    const shownTick = simulation.sample(time.nowMs).tick;
    for (const tick of delivered.splice(0)) {
      seen.push(tick);
      // The display has reached that tick, and not only received it.
      expect(shownTick).toBeGreaterThanOrEqual(tick);
      expect(shownTick).toBeLessThan(tick + 2);
    }
  }
  expect(seen).toEqual([10, 20, 30]);
});
