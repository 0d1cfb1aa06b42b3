/**
 * How many ticks run, in virtual time: exactly. Real threads are in tests/threads, real rates in
 * tests/real-time.
 */
import { describe, expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

/** A second, and a little for the timers, which fire on whole ms. */
const SECOND_MS = 1003;

describe('a loop', () => {
  test.each([
    [10, 10],
    [59.94, 60],
    [60, 60],
    [240, 240],
  ])('at %d Hz runs that many ticks in a second, one pass each', async (tickRateHz, ticks) => {
    const { time, simulation } = await connectInVirtualTime({ tickRateHz });
    expect(simulation.stats()).toMatchObject({ tick: 0, elapsedMs: 0, tickRateHz });
    await time.advance(SECOND_MS);
    const stats = simulation.stats();
    expect(stats).toMatchObject({ tick: ticks, elapsedMs: SECOND_MS, droppedTicks: 0, gaps: 0 });
    expect(stats.simulatedS).toBeCloseTo(ticks / tickRateHz, 9);
    expect(stats.latenessMs.max).toBeLessThanOrEqual(1.01);
    // One to begin with; at low rates it checks five times a second.
    expect(stats.iterations).toBeLessThanOrEqual(ticks + 7);
  });

  test('applies another rate while it runs, with its step', async () => {
    const { time, simulation } = await connectInVirtualTime({ tickRateHz: 60 });
    await time.advance(503);
    for (const tickRateHz of [10, 240, 59.94]) {
      const before = simulation.stats();
      await time.until(simulation.setTickRate(tickRateHz));
      expect(await time.until(simulation.queries.dt())).toBe(1 / tickRateHz);
      await time.advance(700);
      const { tick, elapsedMs, droppedTicks } = simulation.stats();
      const due = ((elapsedMs - before.elapsedMs) * tickRateHz) / 1000;
      expect(Math.abs(tick - before.tick - due)).toBeLessThanOrEqual(1);
      expect(droppedTicks).toBe(0);
    }
  });

  test.each([0.5, 2])(
    'at %d times the speed runs that many times the ticks, with the same step',
    async (scale) => {
      const { time, simulation } = await connectInVirtualTime({ tickRateHz: 60 });
      await time.until(simulation.setTimeScale(scale));
      await time.advance(SECOND_MS);
      expect(simulation.stats()).toMatchObject({ tick: 60 * scale, timeScale: scale });
      expect(await time.until(simulation.queries.dt())).toBe(1 / 60);
    },
  );

  test('restarts at tick 0 when the simulation asks for it', async () => {
    const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100 });
    await time.advance(505);
    expect(simulation.stats().tick).toBe(50);
    await time.until(simulation.queries.rebuild());
    expect(simulation.stats()).toMatchObject({ tick: 0, simulatedS: 0, bodies: 16 });
    expect(simulation.stats().elapsedMs).toBeLessThan(10);
    await time.advance(500);
    expect(simulation.stats().tick).toBe(50);
  });

  test('does not run while it is paused, without a pass, and does not catch up that time', async () => {
    const { time, simulation } = await connectInVirtualTime({ tickRateHz: 60 });
    await time.advance(SECOND_MS);
    await time.until(simulation.pause());
    const before = simulation.stats();
    await time.advance(60_000);
    expect(simulation.stats()).toMatchObject({
      tick: before.tick,
      elapsedMs: before.elapsedMs,
      iterations: before.iterations,
    });
    await time.until(simulation.resume());
    await time.advance(SECOND_MS);
    expect(simulation.stats()).toMatchObject({ tick: before.tick + 60, droppedTicks: 0, gaps: 0 });
  });
});

describe('ticks that could not run in time', () => {
  const RATE = { tickRateHz: 100, capacity: 64 };

  test('are all caught up while the bound allows it', async () => {
    const { time, simulation } = await connectInVirtualTime({ ...RATE, maxCatchUpTicks: 1000 });
    await time.advance(105);
    await time.until(simulation.queries.stall(200));
    await time.advance(700);
    const { tick, elapsedMs, ...stats } = simulation.stats();
    expect(tick).toBe(Math.floor(elapsedMs / 10));
    expect(stats).toMatchObject({ droppedTicks: 0, catchUpPasses: 1, effectiveSpeed: 1, gaps: 0 });
  });

  test('are dropped beyond it, and counted', async () => {
    const { time, simulation } = await connectInVirtualTime({ ...RATE, maxCatchUpTicks: 2 });
    await time.advance(105);
    await time.until(simulation.queries.stall(200));
    await time.advance(700);
    const { tick, elapsedMs, ticks, droppedTicks, effectiveSpeed } = simulation.stats();
    // 20 were due, and two of them ran.
    expect(droppedTicks).toBe(18);
    expect(tick + droppedTicks).toBe(Math.floor(elapsedMs / 10));
    expect(effectiveSpeed).toBe(ticks / (ticks + droppedTicks));
  });

  test('set the slow flag when the loop continues', async () => {
    const options = { ...RATE, maxCatchUpTicks: 1 };
    const { time, simulation } = await connectInVirtualTime(options, { stepCostMs: 20 });
    expect(simulation.stats().isSlow).toBe(false);
    await time.advance(3000);
    const { isSlow, effectiveSpeed, stepMs } = simulation.stats();
    expect(isSlow).toBe(true);
    expect(effectiveSpeed).toBeCloseTo(0.5, 2);
    expect(stepMs.p50).toBeCloseTo(20, 0);
  });

  test('do not exist when the machine was suspended', async () => {
    const { time, simulation } = await connectInVirtualTime(RATE);
    const gapsMs: number[] = [];
    simulation.on('status', (status) => {
      if (status.kind === 'gap') gapsMs.push(status.gapMs);
    });
    await time.advance(105);
    time.spend(5000);
    await time.advance(500);
    const { tick, elapsedMs, ...stats } = simulation.stats();
    expect(stats).toMatchObject({ gaps: 1, droppedTicks: 0 });
    expect(tick).toBe(Math.floor(elapsedMs / 10));
    expect(tick).toBeLessThan(65);
    expect(gapsMs).toEqual([expect.closeTo(4995, -1)]);
  });
});

test('frames that are drawn between its ticks move forwards, evenly, with alpha in [0, 1]', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 60 });
  const shown: number[] = [];
  const alphas: number[] = [];
  await time.advance(SECOND_MS);
  for (let frame = 0; frame < 300; frame++) {
    const { alpha, tick, hasState } = simulation.sample(time.nowMs);
    expect(hasState).toBe(true);
    alphas.push(alpha);
    shown.push(tick - 1 + alpha);
    await time.advance(1000 / 240);
  }
  expect(Math.min(...alphas)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...alphas)).toBeLessThanOrEqual(1);
  const steps = shown.slice(1).map((position, index) => position - (shown[index] ?? 0));
  // A quarter of a tick each, except for the adaptation of the margin: 5 % at most.
  expect(Math.min(...steps)).toBeGreaterThan(0.25 * 0.94);
  expect(Math.max(...steps)).toBeLessThan(0.25 * 1.06);
  expect(simulation.stats()).toMatchObject({ frames: 300, starvedFrames: 0 });
});
