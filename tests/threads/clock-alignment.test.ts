import { expect, test } from 'vitest';
import { eventually } from '../fixtures/eventually.js';
import {
  connectToyForTest,
  ticksMatchTime,
  ticksPass,
  type ToyHandle,
} from '../fixtures/threads.js';

/** An hour: no machine is suspended for that long. */
const JUMP_MS = 3_600_000;

/** The clock of the own thread minus the one that all threads share, in ms. */
const ownLessCommonMs = (): number => performance.now() - Number(process.hrtime.bigint()) / 1e6;

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Worker clock minus page clock according to the system's common clock, in ms. */
async function trueOffsetMs(simulation: ToyHandle): Promise<number> {
  const offsets: number[] = [];
  for (let sample = 0; sample < 5; sample++) {
    const { ownMs, commonMs } = await simulation.queries.clocks();
    offsets.push(ownMs - commonMs - ownLessCommonMs());
  }
  // A thread may lose its processor between the two readings; most do not.
  return medianOf(offsets);
}

/**
 * A machine too busy to run both threads at the same time answers no ping, and the fallback has no
 * bound: another resume asks again.
 */
const untilPinged = (simulation: ToyHandle): Promise<void> =>
  eventually(async () => {
    if (simulation.stats().clock.method === 'ping') return;
    await simulation.pause();
    await simulation.resume();
    expect(simulation.stats().clock.method).toBe('ping');
  });

async function expectAligned(simulation: ToyHandle): Promise<void> {
  await untilPinged(simulation);
  const { clock } = simulation.stats();
  const offsetMs = await trueOffsetMs(simulation);
  // Half of the shortest round trip is the most that the estimate may be off.
  expect(Math.abs(clock.offsetMs - offsetMs)).toBeLessThan(clock.uncertaintyMs + 0.5);
}

test.each([0, 12_345.678, -54_321.5])(
  "a worker whose clock is ahead by %d ms is aligned, and ticks on the page's time",
  async (clockShiftMs) => {
    const simulation = await connectToyForTest({ tickRateHz: 60, capacity: 64 }, { clockShiftMs });
    await expectAligned(simulation);
    await ticksPass(simulation);
    expect((await ticksMatchTime(simulation)).state).toBe('running');
  },
);

test('a clock that jumped during a pause is realigned by the resume', async () => {
  const simulation = await connectToyForTest({ tickRateHz: 60, capacity: 64 });
  const gapsMs: number[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'gap') gapsMs.push(status.gapMs);
  });
  await untilPinged(simulation);
  const before = simulation.stats().clock;
  await simulation.pause();
  await simulation.queries.shiftClock(JUMP_MS);
  await simulation.resume();
  await expectAligned(simulation);
  const after = simulation.stats().clock;
  expect(Math.abs(after.offsetMs - before.offsetMs - JUMP_MS)).toBeLessThan(
    before.uncertaintyMs + after.uncertaintyMs + 0.5,
  );
  await ticksPass(simulation);
  // The gap was neither caught up nor mistaken for a gap; a system that is suspended for a moment leaves
  // a smaller one.
  await ticksMatchTime(simulation);
  expect(gapsMs.filter((ms) => ms > JUMP_MS / 2)).toEqual([]);
});
