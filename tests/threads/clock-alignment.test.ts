import { describe, expect, test } from 'vitest';
import {
  connectToyForTest,
  ticksMatchTime,
  ticksPass,
  type ToyHandle,
} from '../fixtures/threads.js';

/** This thread's clock less the one that all threads share, in ms. */
const ownLessCommonMs = (): number => performance.now() - Number(process.hrtime.bigint()) / 1e6;

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Worker clock less page clock as the system's common clock says, in ms. */
async function trueOffsetMs(simulation: ToyHandle): Promise<number> {
  const offsets: number[] = [];
  for (let sample = 0; sample < 5; sample++) {
    const { ownMs, commonMs } = await simulation.commands.clocks();
    offsets.push(ownMs - commonMs - ownLessCommonMs());
  }
  // A thread may lose its processor between the two readings; most do not.
  return medianOf(offsets);
}

async function expectAligned(simulation: ToyHandle): Promise<void> {
  const { clock } = simulation.stats();
  const offsetMs = await trueOffsetMs(simulation);
  // Half of the shortest round trip is the most that the estimate may be off; wall-clock origins have no
  // such bound, and serve where no ping was answered.
  const boundMs = clock.method === 'ping' ? clock.uncertaintyMs + 0.5 : 20;
  expect(Math.abs(clock.offsetMs - offsetMs)).toBeLessThan(boundMs);
}

describe.each([0, 12_345.678, -54_321.5])(
  'a worker whose clock is ahead by %d ms',
  (clockShiftMs) => {
    test("is aligned, and ticks on the page's time", async () => {
      const simulation = await connectToyForTest(
        { tickRateHz: 60, capacity: 64 },
        { clockShiftMs },
      );
      expect(Math.abs(simulation.stats().clock.offsetMs - clockShiftMs)).toBeLessThan(5000);
      await expectAligned(simulation);
      await ticksPass(simulation);
      await ticksMatchTime(simulation);
    });
  },
);

test('a clock that jumped during a pause is aligned anew by the resume', async () => {
  const simulation = await connectToyForTest({ tickRateHz: 60, capacity: 64 });
  const gapsMs: number[] = [];
  simulation.onStatus((status) => {
    if (status.kind === 'gap') gapsMs.push(status.gapMs);
  });
  const before = simulation.stats().clock.offsetMs;
  await simulation.pause();
  await simulation.commands.shiftClock(7000);
  await simulation.resume();
  expect(simulation.stats().clock.offsetMs - before).toBeGreaterThan(6900);
  expect(simulation.stats().clock.offsetMs - before).toBeLessThan(7100);
  await expectAligned(simulation);
  await ticksPass(simulation);
  // It was neither owed nor taken for a gap; a system that stands still for a moment leaves a small one.
  await ticksMatchTime(simulation);
  expect(gapsMs.filter((ms) => ms > 5000)).toEqual([]);
});
