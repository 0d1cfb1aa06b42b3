/** The loops of the articles as they pace the worker's, in virtual time. */
import { describe, expect, test } from 'vitest';
import { STEPPER_KINDS } from '../../../lab/engine/loops/registry.js';
import { WORKER_STEPPERS } from '../../../src/shared/loops/worker-steppers.js';
import { replay } from '../../../src/sim-worker/index.js';
import { createToy } from '../../fixtures/toy-simulation.js';
import type { ToyHandle } from '../../fixtures/threads.js';
import { connectInVirtualTime, type VirtualTime } from '../../fixtures/virtual-time.js';

test('a worker offers every loop of the lab, except those that a display has to pace, in the same order', () => {
  const pacedByDisplay: ReadonlySet<string> = new Set(['unpaced', 'refresh-multiple']);
  expect(WORKER_STEPPERS).toEqual(STEPPER_KINDS.filter((kind) => !pacedByDisplay.has(kind)));
});

describe.each(WORKER_STEPPERS)('%s in a worker', (kind) => {
  test('simulates as much time as passes, and draws forwards', async () => {
    const { time, simulation } = await connectInVirtualTime({ stepper: { kind }, tickRateHz: 50 });
    let lastTick = -1;
    for (let frame = 0; frame < 60; frame++) {
      const sampled = simulation.sample(time.nowMs);
      expect(sampled.alpha).toBeGreaterThanOrEqual(0);
      expect(sampled.alpha).toBeLessThanOrEqual(1);
      expect(sampled.tick).toBeGreaterThanOrEqual(lastTick);
      lastTick = sampled.tick;
      await time.advance(7);
    }
    const { simulatedS, elapsedMs, ...stats } = simulation.stats();
    expect(stats).toMatchObject({ state: 'running', droppedTicks: 0, gaps: 0 });
    expect(elapsedMs).toBe(60 * 7);
    // `bounded-variable` may be a nominal step ahead, the others one behind.
    expect(Math.abs(elapsedMs / 1000 - simulatedS)).toBeLessThanOrEqual(1.05 / 50);
  });

  test('does not run while paused, steps, continues, and applies another rate and scale', async () => {
    const { time, simulation } = await connectInVirtualTime({ stepper: { kind }, tickRateHz: 50 });
    await time.advance(205);
    await time.until(simulation.pause());
    const { tick, simulatedS } = simulation.stats();
    await time.advance(1000);
    expect(simulation.stats()).toMatchObject({ tick, simulatedS });
    await time.until(simulation.step(2));
    // The number of its own steps that two nominal ones take.
    expect(simulation.stats().tick).toBeGreaterThan(tick);
    expect(simulation.stats().simulatedS).toBeGreaterThan(simulatedS);
    await time.until(simulation.setTickRate(100));
    await time.until(simulation.setTimeScale(0.5));
    await time.until(simulation.resume());
    const before = simulation.stats();
    await time.advance(400);
    const after = simulation.stats();
    expect(after).toMatchObject({ droppedTicks: 0, gaps: 0 });
    const realS = (after.elapsedMs - before.elapsedMs) / 1000;
    const missingSeconds = realS * 0.5 - (after.simulatedS - before.simulatedS);
    // Two of the earlier steps may have been ahead.
    expect(Math.abs(missingSeconds)).toBeLessThan(2.5 / 50);
  });

  test('makes no tick while it is paused: at the start, elsewhere, at another rate', async () => {
    const { time, simulation } = await connectInVirtualTime({
      stepper: { kind },
      tickRateHz: 50,
      startPaused: true,
      recording: { hashEveryTicks: 1 },
    });
    await time.advance(100);
    expect(simulation.stats().tick).toBe(0);
    const stepped = await time.until(simulation.step(4));
    expect(stepped).toBeGreaterThan(0);
    const state = await time.until(simulation.save());
    for (const call of [
      () => simulation.setTickRate(100),
      () => simulation.restore(state),
      () => simulation.seek(stepped),
    ]) {
      await time.until<unknown>(call());
      await time.advance(100);
      expect(simulation.stats().tick).toBe(stepped);
    }
    const push = simulation.commands.push(1, 0.5);
    await time.until(simulation.step(4));
    await push;
    // The first tick's inputs after it are in the recording.
    const report = await replay(createToy(), simulation.recording());
    expect(report).toMatchObject({ tick: simulation.stats().tick, differsAt: undefined });
  });

  test('stays at the end of a replay, whatever is due by then, and continues from there', async () => {
    const { time, simulation } = await connectInVirtualTime({
      stepper: { kind },
      tickRateHz: 50,
      startPaused: true,
      recording: { hashEveryTicks: 1 },
    });
    await time.until(simulation.step(4));
    const recording = simulation.recording();
    const shown = await time.until(simulation.openReplay(recording));
    await time.until(simulation.resume());
    // One tick and then many together, but no gap.
    await time.advance(21);
    await time.wakeLate(200);
    await time.advance(100);
    expect(shown).toMatchObject({ state: 'ended', report: { tick: recording.lastTick } });
    expect(simulation.stats().tick).toBe(recording.lastTick);
    await time.until(shown.close());
    await time.until(simulation.resume());
    const before = simulation.stats();
    await time.advance(400);
    const simulatedS = simulation.stats().simulatedS - before.simulatedS;
    expect(Math.abs(simulatedS - 0.4)).toBeLessThanOrEqual(1.05 / 50);
  });

  test('makes as many steps from its beginning as later', async () => {
    const { time, simulation } = await connectInVirtualTime({
      stepper: { kind },
      tickRateHz: 50,
      startPaused: true,
    });
    await time.until(simulation.step(4));
    const first = simulation.stats().simulatedS;
    await time.until(simulation.step(4));
    const second = simulation.stats().simulatedS - first;
    // `bounded-variable` makes its own whole steps.
    expect(Math.abs(first - second)).toBeLessThan(1 / 50 + 1e-9);
  });
});

describe.each(WORKER_STEPPERS.filter((kind) => kind !== 'bounded-variable'))(
  '%s with a rate among its options',
  (kind) => {
    test('runs at it, which page and simulation know from the start, and then at another one', async () => {
      const { time, simulation } = await connectInVirtualTime({
        stepper: { kind, tickRateHz: 30 },
        startPaused: true,
      });
      expect([simulation.tickRateHz, simulation.stats().tickRateHz]).toEqual([30, 30]);
      expect(await time.until(simulation.queries.dt())).toBe(1 / 30);
      simulation.sample(time.nowMs);
      // A tick, and the margin at the start.
      expect(simulation.stats().delayMs).toBeCloseTo(1000 / 30 + 8);
      await expectSteps(time, simulation, 30);
      await time.until(simulation.pause());
      await time.until(simulation.setTickRate(100));
      expect(simulation.stats().tickRateHz).toBe(100);
      await time.until(simulation.queries.rebuild());
      await expectSteps(time, simulation, 100);
    });
  },
);

/** Runs it for 0.4 s. Some loops make shorter steps than that of their rate, too. */
async function expectSteps(time: VirtualTime, simulation: ToyHandle, rateHz: number) {
  const { elapsedMs } = simulation.stats();
  await time.until(simulation.resume());
  await time.advance(400);
  const after = simulation.stats();
  const behindS = (after.elapsedMs - elapsedMs) / 1000 - after.simulatedS;
  expect(Math.abs(behindS)).toBeLessThanOrEqual(1.05 / rateHz);
  const steps = simulation
    .recording()
    .entries.flatMap((entry) => (entry.kind === 'step' ? entry.dt : []));
  // The virtual clock has steps of 1 ms, and the loop `variable` measures them.
  expect(Math.abs(Math.max(...steps) - 1 / rateHz)).toBeLessThanOrEqual(0.0011);
}
