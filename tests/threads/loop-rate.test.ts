import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sleep, stayBusy } from '../fixtures/busy.js';
import {
  connectToy,
  connectToyForTest,
  ticksMatchTime,
  type ToyHandle,
} from '../fixtures/threads.js';

const TICK_RATE_HZ = 60;

describe("a worker's loop", () => {
  let simulation: ToyHandle;
  beforeAll(async () => {
    simulation = await connectToy({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
  });
  afterAll(() => simulation.dispose());

  test('holds its rate while the main thread is blocked, three times', async () => {
    const before = await ticksMatchTime(simulation);
    const startMs = performance.now();
    for (let block = 0; block < 3; block++) {
      const { tick } = simulation.stats();
      stayBusy(400);
      // Read from shared memory at once: these ticks ran while nothing ran here.
      expect(simulation.stats().tick - tick).toBeGreaterThan(8);
      await sleep(20);
    }
    const passedMs = performance.now() - startMs;
    const after = await ticksMatchTime(simulation);
    // Held against this thread's own clock, too: what it ran and dropped is what has passed, but for a gap.
    const missingMs = passedMs - (after.elapsedMs - before.elapsedMs);
    expect(missingMs).toBeLessThan(after.gaps === before.gaps ? 1 : passedMs);
    expect(after.simulatedS).toBeCloseTo(after.tick / TICK_RATE_HZ, 9);
  });

  test('sleeps in between: about one pass a tick', async () => {
    simulation.resetStats();
    await sleep(500);
    const { iterations, ticks } = simulation.stats();
    expect(ticks).toBeGreaterThan(0);
    expect(iterations).toBeLessThan(2 * ticks + 10);
  });

  test.each([10, 240, 59.94, TICK_RATE_HZ])('holds %d Hz when that is set', async (tickRateHz) => {
    await simulation.setTickRate(tickRateHz);
    expect(await simulation.commands.stepS()).toBe(1 / tickRateHz);
    const before = simulation.stats();
    expect(before.tickRateHz).toBe(tickRateHz);
    await sleep(300);
    await ticksMatchTime(simulation, before);
  });

  test('runs at another time scale, with the same step', async () => {
    await simulation.setTimeScale(0.5);
    const before = simulation.stats();
    await sleep(300);
    expect((await ticksMatchTime(simulation, before)).timeScale).toBe(0.5);
    expect(await simulation.commands.stepS()).toBe(1 / TICK_RATE_HZ);
    await simulation.setTimeScale(1);
  });

  test('starts over at tick 0 when the simulation asks for it', async () => {
    await simulation.commands.rebuild();
    const { tick, elapsedMs, bodies } = simulation.stats();
    expect(tick).toBeLessThan(30);
    expect(elapsedMs).toBeLessThan(500);
    expect(bodies).toBe(16);
    simulation.resetStats();
    await ticksMatchTime(simulation);
  });
});

describe('ticks that could not run in time', () => {
  test('are made up, all of them, while the bound allows it', async () => {
    const simulation = await connectToyForTest({
      tickRateHz: 100,
      maxCatchUpTicks: 1000,
      capacity: 64,
    });
    await simulation.commands.stall(200);
    const { droppedTicks, catchUpPasses, effectiveSpeed } = await ticksMatchTime(simulation);
    expect(droppedTicks).toBe(0);
    expect(catchUpPasses).toBeGreaterThan(0);
    expect(effectiveSpeed).toBe(1);
  });

  test('are dropped beyond it, and counted', async () => {
    const simulation = await connectToyForTest({
      tickRateHz: 100,
      maxCatchUpTicks: 2,
      capacity: 64,
    });
    await simulation.commands.stall(200);
    const { droppedTicks, ticks, effectiveSpeed } = await ticksMatchTime(simulation);
    expect(droppedTicks).toBeGreaterThanOrEqual(17);
    expect(effectiveSpeed).toBe(ticks / (ticks + droppedTicks));
  });

  test('are told by the slow flag when it goes on', async () => {
    const simulation = await connectToyForTest(
      { tickRateHz: 100, maxCatchUpTicks: 1, capacity: 64 },
      { stepCostMs: 20 },
    );
    await vi.waitFor(() => expect(simulation.stats().isSlow).toBe(true), 20_000);
    const { effectiveSpeed, stepMs } = simulation.stats();
    expect(effectiveSpeed).toBeLessThan(0.6);
    expect(stepMs.p50).toBeGreaterThan(19.8);
  });
});

test('frames sampled from a running thread go forwards, with alpha in [0, 1]', async () => {
  const simulation = await connectToyForTest({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
  const alphas: number[] = [];
  const ticks: number[] = [];
  for (let frame = 0; frame < 120; frame++) {
    const { alpha, tick, hasState } = simulation.sample(performance.now());
    expect(hasState).toBe(true);
    alphas.push(alpha);
    ticks.push(tick);
    await sleep(3);
  }
  expect(Math.min(...alphas)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...alphas)).toBeLessThanOrEqual(1);
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  // Between states, and not on them.
  expect(alphas.filter((alpha) => alpha > 0.05 && alpha < 0.95).length).toBeGreaterThan(30);
  expect(simulation.stats().frames).toBe(120);
});
