/**
 * Ticks on the real clock, compared with a bare worker that wakes up at the same rate at the same
 * time.
 */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { sleep } from '../fixtures/busy.js';
import { connectToyForTest, startThread } from '../fixtures/threads.js';
import type { BareRate, BareRateReport } from '../fixtures/bare-rate.js';

/** The median of this many counts: other work on the machine comes and goes. */
const ROUNDS = 5;
const SECONDS = 0.3;
/** The cost of a pass in addition to waking up, in ms: messages, a step, a publication. */
const PASS_MS = 0.5;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** Lets a thread without the library sleep and wake up at a rate for a while. */
async function runBareLoop(data: BareRate): Promise<BareRateReport> {
  const thread = startThread('bare-loop', data);
  const ended = once(thread, 'exit');
  const [report] = (await once(thread, 'message')) as [BareRateReport];
  await ended;
  return report;
}

test.for([60, 144, 240])('a loop keeps %d Hz as a bare worker does', async (rateHz, context) => {
  const simulation = await connectToyForTest({ tickRateHz: rateHz, capacity: 64 });
  // Compiled by then.
  await sleep(250);
  const rounds: Record<'bareMissed' | 'bareLateMs' | 'missed' | 'lateMs' | 'offByTicks', number>[] =
    [];
  for (let round = 0; round < ROUNDS; round++) {
    simulation.resetStats();
    const { elapsedMs } = simulation.stats();
    const bare = await runBareLoop({ rateHz, seconds: SECONDS });
    const after = simulation.stats();
    rounds.push({
      bareMissed: bare.missed,
      bareLateMs: median(bare.lateMs),
      // A loop that catches up has slept through a tick, though none is lost.
      missed: after.droppedTicks + after.gaps + after.catchUpPasses,
      lateMs: after.latenessMs.p50,
      offByTicks: Math.abs(after.ticks - ((after.elapsedMs - elapsedMs) * rateHz) / 1000),
    });
  }
  const middle = (what: keyof (typeof rounds)[number]): number =>
    median(rounds.map((one) => one[what]));
  const bareLateMs = middle('bareLateMs');
  const bareMissed = middle('bareMissed');
  const found = `a bare worker missed ${bareMissed} of ${rateHz * SECONDS} wake-ups at ${rateHz} Hz and was late by ${bareLateMs.toFixed(2)} ms`;
  if (bareMissed > 0 || bareLateMs > 1000 / rateHz / 4) context.skip(found);
  expect(middle('missed'), found).toBeLessThanOrEqual(1);
  // One may be due at either end.
  expect(middle('offByTicks'), found).toBeLessThanOrEqual(1.5);
  expect(middle('lateMs'), found).toBeLessThan(3 * bareLateMs + PASS_MS);
});
