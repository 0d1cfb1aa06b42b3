/**
 * How many ticks run, in virtual time: exactly. Real threads are in tests/threads, real rates in
 * tests/real-time.
 */
import { expect, test } from 'vitest';
import type { ConnectOptions } from '../../../src/render-main/index.js';
import { connectFaulty } from '../../fixtures/faulty-toy.js';
import { inputOf } from '../../fixtures/run-toy.js';
import { connectInVirtualTime, statusesOf, VirtualTime } from '../../fixtures/virtual-time.js';

/** A second, and a little for the timers, which fire on whole ms. */
const SECOND_MS = 1003;

test.each([
  [10, 10],
  [59.94, 60],
  [240, 240],
])('a loop at %d Hz runs that many ticks in a second, one pass each', async (tickRateHz, ticks) => {
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

test('a loop restarts at tick 0 when the simulation asks for it', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100 });
  await time.advance(205);
  expect(simulation.stats().tick).toBe(20);
  await time.until(simulation.queries.rebuild());
  expect(simulation.stats()).toMatchObject({ tick: 0, simulatedS: 0, bodies: 16 });
  expect(simulation.stats().elapsedMs).toBeLessThan(10);
  await time.advance(200);
  expect(simulation.stats().tick).toBe(20);
});

test('a loop does not run while it is paused, without a pass, and does not catch up that time', async () => {
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

test('a state that is saved in the first tick is kept', async () => {
  // Before the page knows that the worker runs: a tick is due at the next reading of the clock, and has a state.
  const time = new VirtualTime();
  time.readingMs = 2;
  const { simulation } = await connectFaulty(
    'local',
    { timeScale: 100, recording: { saveEverySeconds: 0.1, rewindSeconds: 10 } },
    {},
    time,
  );
  time.readingMs = 0;
  await time.until(simulation.pause());
  expect(simulation.recording().states[0]?.tick).toBe(1);
});

test('another rate for a paused simulation makes no ticks due', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 10 });
  // Nearly a period after the last tick.
  await time.advance(195);
  await time.until(simulation.pause());
  const { tick } = simulation.stats();
  await time.until(simulation.setTickRate(1000));
  expect(await time.until(simulation.step(3))).toBe(tick + 3);
  await time.until(simulation.setTickRate(2));
  expect(await time.until(simulation.step(1))).toBe(tick + 4);
  await time.until(simulation.setTickRate(100));
  await time.until(simulation.resume());
  const before = simulation.stats();
  await time.advance(100);
  const after = simulation.stats();
  expect(Math.abs(after.tick - before.tick - 10)).toBeLessThanOrEqual(1);
  expect([after.droppedTicks, after.catchUpPasses]).toEqual([0, before.catchUpPasses]);
});

test('delayed inputs go to the ticks of their input windows, and those from before it to the next', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 100,
    capacity: 64,
    maxCatchUpTicks: 100,
  });
  await time.advance(105);
  // Events occur while this thread is blocked for 200 ms, ten apart, and are sent afterwards.
  const beganMs = time.nowMs;
  time.spend(200);
  for (let code = 0; code < 18; code++) {
    simulation.inputs.push(inputOf(code, 1), beganMs + 10 * code);
  }
  await time.advance(100);
  const given = await time.until(simulation.queries.given());
  expect(given.map(({ inputs }) => inputs.map(({ code }) => code))).toEqual(
    Array.from({ length: 18 }, (_, code) => [code]),
  );
  expect(simulation.stats()).toMatchObject({ inputs: 18, lateInputs: 0, catchUpPasses: 1 });
  // The oldest was sent 200 ms after it occurred.
  expect(simulation.stats().inputLatencyMs.max).toBeCloseTo(200, -1);
  // From before the window.
  simulation.inputs.push(inputOf(18, 1), 0);
  await time.advance(10);
  expect(simulation.stats().lateInputs).toBe(1);
  expect((await time.until(simulation.queries.given())).at(-1)).toMatchObject({
    inputs: [{ code: 18, fraction: 0 }],
  });
});

test('calls neither cost nor add ticks', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 100, capacity: 64 });
  for (let call = 0; call < 40; call++) {
    await time.advance(7.3);
    await time.until(simulation.queries.echo(call));
  }
  await time.advance(5);
  const { tick, elapsedMs, droppedTicks } = simulation.stats();
  expect(droppedTicks).toBe(0);
  expect(Math.abs(tick - elapsedMs / 10)).toBeLessThan(1.2);
});

/** At each wake-up 24 or 25 ticks of 4 ms are due; it runs one, and drops the rest. */
const OVERLOADED: ConnectOptions = { tickRateHz: 240, maxCatchUpTicks: 1, capacity: 64 };
const STEP_MS = 100;

async function overloaded() {
  const connected = await connectInVirtualTime(OVERLOADED, { stepCostMs: STEP_MS });
  return { ...connected, statuses: statusesOf(connected.simulation) };
}

test('a simulation that does not keep up is reported once, and continues in slow motion', async () => {
  const { time, simulation, statuses } = await overloaded();
  await time.advance(2500);
  expect(statuses).toMatchObject([{ kind: 'slow', isSlow: true }]);
  const stats = simulation.stats();
  expect(stats).toMatchObject({ isSlow: true, state: 'running' });
  expect(stats.effectiveSpeed).toBeCloseTo(1000 / STEP_MS / 240, 2);
  await time.advance(1000);
  const later = simulation.stats();
  // The worker never sleeps: one step follows the other.
  const tookMs = (later.tick - stats.tick) * STEP_MS;
  expect(later.elapsedMs - stats.elapsedMs).toBeCloseTo(tookMs, 6);
  expect(statuses).toHaveLength(1);
});

test('a simulation that is slow is evaluated again after a pause', async () => {
  const { time, simulation, statuses } = await overloaded();
  await time.advance(2500);
  await time.until(simulation.pause());
  await time.until(simulation.queries.setStepCost(0));
  await time.until(simulation.resume());
  await time.advance(2000);
  expect(statuses).toMatchObject([{ isSlow: true }, { isSlow: false }]);
  await time.until(simulation.queries.setStepCost(STEP_MS));
  await time.advance(2500);
  expect(statuses).toMatchObject([{ isSlow: true }, { isSlow: false }, { isSlow: true }]);
});

test('after a replay has ended, steps run one by one again, whatever the rounding of the clock', async () => {
  const { time, simulation } = await connectInVirtualTime({
    tickRateHz: 240,
    capacity: 64,
    timeScale: 3,
    startPaused: true,
    recording: { hashEveryTicks: 10, rewindSeconds: 60 },
  });
  await time.until(simulation.step(30));
  const recording = simulation.recording();
  for (let lastTick = 10; lastTick < 30; lastTick += 2) {
    // No two readings of the clock have the same digits.
    time.spend(Math.sqrt(lastTick));
    const replay = await time.until(simulation.openReplay({ ...recording, lastTick }));
    await time.until(simulation.resume());
    expect((await time.until(replay.ended)).tick).toBe(lastTick);
    await time.until(replay.close());
    expect(await time.until(simulation.step())).toBe(lastTick + 1);
  }
});

test('a replay stays at its end, whatever is due by then, and the run continues from there', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 50, startPaused: true });
  await time.until(simulation.step(4));
  const recording = simulation.recording();
  const shown = await time.until(simulation.openReplay(recording));
  await time.until(simulation.resume());
  // One tick and then many together, but no gap.
  await time.advance(21);
  await time.wakeLate(200);
  await time.advance(100);
  expect(shown).toMatchObject({ state: 'ended', report: { tick: 4 } });
  expect(simulation.stats().tick).toBe(4);
  await time.until(shown.close());
  await time.until(simulation.resume());
  await time.advance(400);
  expect(simulation.stats().tick).toBe(4 + 20);
});
