import { describe, expect, test, vi } from 'vitest';
import type { SimulationStatus } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { connectToyForTest } from '../fixtures/threads.js';

const OPTIONS = { tickRateHz: 100, capacity: 64 } as const;

describe('events', () => {
  test('are delivered when the display shows their tick, in order', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const delivered: number[] = [];
    const seen: { tick: number; shownTick: number }[] = [];
    simulation.on('tenth', ({ tick, value }) => {
      expect(value).toEqual({ tick });
      delivered.push(tick);
    });
    const endTick = simulation.stats().tick + 60;
    let shownTick = 0;
    while (shownTick < endTick) {
      shownTick = simulation.sample(performance.now()).tick;
      // Delivered within `sample`: the frame that shows the tick.
      for (const tick of delivered.splice(0)) seen.push({ tick, shownTick });
      await sleep(4);
      expect(delivered).toEqual([]);
    }
    const ticks = seen.map(({ tick }) => tick);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    // Shown means that the display has reached that tick, and not that the page has received it.
    for (const event of seen) expect(event.shownTick).toBeGreaterThanOrEqual(event.tick);
  });

  test('wait while nothing is drawn, unless their handler wants them immediately', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const shown = vi.fn<() => void>();
    const now = vi.fn<() => void>();
    simulation.on('tenth', shown);
    simulation.on('tenth', now, { when: 'now' });
    await eventually(() => expect(now.mock.calls.length).toBeGreaterThan(4));
    expect(shown).not.toHaveBeenCalled();
    await eventually(() => {
      simulation.sample(performance.now());
      expect(shown.mock.calls.length).toBeGreaterThan(2);
    });
  });

  test('without room are counted and reported, and the run continues', async () => {
    const simulation = await connectToyForTest({
      ...OPTIONS,
      tickRateHz: 1000,
      queues: { eventWords: 64 },
    });
    const statuses: SimulationStatus[] = [];
    simulation.on('status', (status) => statuses.push(status));
    simulation.on('tenth', () => {});
    await eventually(() => expect(simulation.stats().lostEvents).toBeGreaterThan(0));
    simulation.sample(performance.now());
    expect(statuses.some(({ kind }) => kind === 'events-lost')).toBe(true);
    const { tick } = simulation.stats();
    await eventually(() => expect(simulation.stats().tick).toBeGreaterThan(tick));
  });

  test('are not repeated by going back, and continue after it', async () => {
    const simulation = await connectToyForTest({
      ...OPTIONS,
      startPaused: true,
      recording: { rewindSeconds: 10, saveEverySeconds: 0.1 },
    });
    const ticks: number[] = [];
    simulation.on('tenth', ({ tick }) => ticks.push(tick), { when: 'now' });
    await simulation.step(50);
    await simulation.seek(25);
    await simulation.step(10);
    await eventually(() => expect(ticks).toEqual([10, 20, 30, 40, 50, 30]));
  });
});
