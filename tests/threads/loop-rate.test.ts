/**
 * The loop in its own thread: it runs by itself, and counts what it does. Exact numbers of ticks
 * are tested in virtual time (tests/unit), and on the real clock against a bare worker
 * (tests/real-time).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import {
  connectToy,
  connectToyForTest,
  ticksMatchTime,
  ticksPass,
  type ToyHandle,
} from '../fixtures/threads.js';

const TICK_RATE_HZ = 60;

/**
 * Blocks this thread until a condition holds that another thread causes. @throws Error after
 * minutes.
 */
function blockUntil(isSo: () => boolean): void {
  const endMs = performance.now() + 5 * 60_000;
  while (!isSo()) if (performance.now() > endMs) throw new Error('the other thread did not do it');
}

describe("a worker's loop", () => {
  let simulation: ToyHandle;
  beforeAll(async () => {
    simulation = await connectToy({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
  });
  afterAll(() => simulation.dispose());

  test('continues while the main thread is blocked, three times', async () => {
    for (let block = 0; block < 3; block++) {
      const { tick } = simulation.stats();
      // Read from shared memory: these ticks run while nothing runs here.
      blockUntil(() => simulation.stats().tick - tick > 8);
      await sleep(1);
    }
    const after = await ticksMatchTime(simulation);
    expect(after.simulatedS).toBeCloseTo(after.tick / TICK_RATE_HZ, 9);
  });

  test('sleeps in between: about one pass a tick', async () => {
    simulation.resetStats();
    await ticksPass(simulation, 30);
    const { iterations, ticks } = simulation.stats();
    expect(ticks).toBeGreaterThanOrEqual(30);
    expect(iterations).toBeLessThan(2 * ticks + 10);
  });

  test.each([10, 240, 59.94, TICK_RATE_HZ])(
    'changes to %d Hz when that is set',
    async (tickRateHz) => {
      await simulation.setTickRate(tickRateHz);
      expect(await simulation.queries.dt()).toBe(1 / tickRateHz);
      expect(simulation.stats().tickRateHz).toBe(tickRateHz);
      await ticksPass(simulation, 3);
    },
  );

  test('runs at another time scale, with the same step', async () => {
    await simulation.setTimeScale(0.5);
    await ticksPass(simulation, 5);
    expect(simulation.stats().timeScale).toBe(0.5);
    expect(await simulation.queries.dt()).toBe(1 / TICK_RATE_HZ);
    await simulation.setTimeScale(1);
  });

  test('restarts at tick 0 when the simulation asks for it', async () => {
    await simulation.pause();
    await simulation.queries.rebuild();
    expect(simulation.stats()).toMatchObject({ tick: 0, bodies: 16 });
    await simulation.resume();
    await ticksPass(simulation);
    const { tick, simulatedS } = simulation.stats();
    expect(simulatedS).toBeCloseTo(tick / TICK_RATE_HZ, 9);
  });
});

describe('ticks that could not run in time', () => {
  test('are made up, all of them, while the bound allows it', async () => {
    const options = { tickRateHz: 100, maxCatchUpTicks: 1000, capacity: 64 };
    const simulation = await connectToyForTest(options);
    // A machine that is suspended just then makes it a gap, after which nothing is made up.
    await eventually(async () => {
      await simulation.queries.stall(200);
      expect(simulation.stats().catchUpPasses).toBeGreaterThan(0);
    });
    const { droppedTicks, effectiveSpeed } = await ticksMatchTime(simulation);
    expect(droppedTicks).toBe(0);
    expect(effectiveSpeed).toBe(1);
  });

  test('are dropped beyond it, and counted', async () => {
    const options = { tickRateHz: 100, maxCatchUpTicks: 2, capacity: 64 };
    const simulation = await connectToyForTest(options);
    // As above.
    await eventually(async () => {
      await simulation.queries.stall(200);
      expect(simulation.stats().droppedTicks).toBeGreaterThanOrEqual(17);
    });
    await ticksMatchTime(simulation);
    await simulation.pause();
    const { droppedTicks, ticks, effectiveSpeed } = simulation.stats();
    expect(effectiveSpeed).toBe(ticks / (ticks + droppedTicks));
  });
});

test('frames sampled from a running thread go forwards, with alpha in [0, 1]', async () => {
  const simulation = await connectToyForTest({ tickRateHz: TICK_RATE_HZ, capacity: 64 });
  const alphas: number[] = [];
  const ticks: number[] = [];
  let between = 0;
  // Between states, and not at them, as soon as the machine lets both threads run.
  while (between <= 30 || alphas.length < 120) {
    const { alpha, tick, hasState } = simulation.sample(performance.now());
    expect(hasState).toBe(true);
    alphas.push(alpha);
    ticks.push(tick);
    if (alpha > 0.05 && alpha < 0.95) between += 1;
    await sleep(2);
  }
  expect(Math.min(...alphas)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...alphas)).toBeLessThanOrEqual(1);
  expect(ticks).toEqual(ticks.toSorted((a, b) => a - b));
  expect(simulation.stats().frames).toBe(alphas.length);
});
