import { describe, expect, test, vi } from 'vitest';
import type { SimulationStatus } from '../../src/render-main/index.js';
import { sleep } from '../fixtures/busy.js';
import { connectToyForTest } from '../fixtures/threads.js';

const OPTIONS = { tickRateHz: 100, capacity: 64 } as const;

describe('events', () => {
  test('are delivered when the display shows their tick, in order', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const seen: { tick: number; shownTick: number }[] = [];
    let shownTick = 0;
    simulation.on('tenth', ({ tick, value }) => {
      expect(value).toEqual({ tick });
      seen.push({ tick, shownTick });
    });
    const endTick = simulation.stats().tick + 60;
    while (shownTick < endTick) {
      const frame = simulation.sample(performance.now());
      // Delivered within `sample`: the frame that shows the tick.
      if (seen.at(-1)?.shownTick === shownTick && seen.at(-1)?.tick !== undefined) {
        const newest = seen.at(-1);
        if (newest !== undefined && newest.shownTick === shownTick) newest.shownTick = frame.tick;
      }
      shownTick = frame.tick;
      await sleep(4);
    }
    const ticks = seen.map(({ tick }) => tick);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
    // Shown means that the display has come to that tick, and not that the page has heard of it.
    for (const event of seen) expect(event.shownTick).toBeGreaterThanOrEqual(event.tick);
  });

  test('wait while nothing is drawn, unless they are wanted at once', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const shown = vi.fn<() => void>();
    const now = vi.fn<() => void>();
    simulation.on('tenth', shown);
    simulation.on('tenth', now, { when: 'now' });
    await vi.waitFor(() => expect(now.mock.calls.length).toBeGreaterThan(4), 20_000);
    expect(shown).not.toHaveBeenCalled();
    await sleep(100);
    simulation.sample(performance.now());
    expect(shown.mock.calls.length).toBeGreaterThan(2);
  });

  test('that find no room are counted and told of, and the run goes on', async () => {
    const simulation = await connectToyForTest({ ...OPTIONS, tickRateHz: 1000, eventWords: 64 });
    const statuses: SimulationStatus[] = [];
    simulation.onStatus((status) => statuses.push(status));
    simulation.on('tenth', () => {});
    await vi.waitFor(() => expect(simulation.stats().lostEvents).toBeGreaterThan(0), 20_000);
    simulation.sample(performance.now());
    expect(statuses.some(({ kind }) => kind === 'events-lost')).toBe(true);
    const { tick } = simulation.stats();
    await vi.waitFor(() => expect(simulation.stats().tick).toBeGreaterThan(tick), 20_000);
  });

  test('are not told again by going back, and go on after it', async () => {
    const simulation = await connectToyForTest({
      ...OPTIONS,
      startPaused: true,
      rewindS: 10,
      saveEveryS: 0.1,
    });
    const ticks: number[] = [];
    simulation.on('tenth', ({ tick }) => ticks.push(tick), { when: 'now' });
    await simulation.step(50);
    await simulation.goTo(25);
    await simulation.step(10);
    await vi.waitFor(() => expect(ticks).toEqual([10, 20, 30, 40, 50, 30]), 20_000);
  });
});
