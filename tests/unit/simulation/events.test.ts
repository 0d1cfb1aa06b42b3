/** Events of the simulation on the page, in virtual time. Over threads: tests/threads/transports. */
import { expect, test } from 'vitest';
import type { SimulationStatus } from '../../../src/render-main/index.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

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

test('events without room are counted and reported, and the run continues', async () => {
  const { time, simulation } = await connectInVirtualTime(
    tuned({ ...OPTIONS, startPaused: true }, { eventWords: 64 }),
  );
  const statuses: SimulationStatus[] = [];
  simulation.on('status', (status) => statuses.push(status));
  const shown: number[] = [];
  simulation.on('tenth', ({ tick }) => shown.push(tick));
  // In one pass, in which nothing can be read.
  await time.until(simulation.step(1000));
  await time.until(simulation.resume());
  await time.advance(100);
  simulation.sample(time.nowMs);
  const { lostEvents, tick } = simulation.stats();
  expect(lostEvents).toBeGreaterThan(0);
  expect(tick).toBeGreaterThan(1005);
  expect(shown.length + lostEvents).toBe(Math.floor(tick / 10));
  expect(statuses.some(({ kind }) => kind === 'events-lost')).toBe(true);
});

test('events are not repeated by going back, and come again from the ticks that run again', async () => {
  const { time, simulation } = await connectInVirtualTime({ ...OPTIONS, startPaused: true });
  const ticks: number[] = [];
  simulation.on('tenth', ({ tick }) => ticks.push(tick), { when: 'now' });
  await time.until(simulation.step(50));
  await time.until(simulation.seek(25));
  await time.until(simulation.step(10));
  await time.advance(100);
  expect(ticks).toEqual([10, 20, 30, 40, 50, 30]);
});
