/**
 * Calls that are withdrawn just when a real worker may begin them: it either executes them or not,
 * and never both.
 */
import { expect, test } from 'vitest';
import type { CallOptions } from '../../src/render-main/index.js';
import { connectToyForTest, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { seededRandom } from '../fixtures/seeded-random.js';

const OPTIONS = { tickRateHz: 1000, capacity: 64 } as const;

/** Moments at which a call is withdrawn, from immediately to long after its answer. */
const MOMENTS: readonly ((settled: Promise<unknown>) => Promise<unknown>)[] = [
  () => Promise.resolve(),
  () => new Promise((resolve) => setImmediate(resolve)),
  async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  },
  () => new Promise((resolve) => setTimeout(resolve, 1)),
  () => new Promise((resolve) => setTimeout(resolve, 3)),
  (settled) => settled,
];

/** Makes calls and withdraws each at some moment. @returns The answers. */
async function race<T>(
  count: number,
  make: (index: number, options: CallOptions) => Promise<T>,
): Promise<{ readonly answered: readonly number[]; readonly withdrawn: readonly number[] }> {
  const random = seededRandom(11);
  const answered: number[] = [];
  const withdrawn: number[] = [];
  for (let index = 0; index < count; index++) {
    const controller = new AbortController();
    const reason = new Error(`withdrawn ${index}`);
    const settled = make(index, { signal: controller.signal }).then(
      () => answered.push(index),
      (error: unknown) => {
        expect(error).toBe(reason);
        withdrawn.push(index);
      },
    );
    await MOMENTS[Math.floor(random() * MOMENTS.length)]?.(settled);
    controller.abort(reason);
    await settled;
  }
  return { answered, withdrawn };
}

const recorded = (simulation: ToyHandle): unknown[] =>
  simulation
    .recording()
    .entries.flatMap((entry) =>
      entry.kind === 'command' ? [(JSON.parse(entry.args) as unknown[])[1]] : [],
    );

test('of commands withdrawn at any moment, the run contains exactly the answered ones', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const { answered, withdrawn } = await race(400, (index, options) =>
    simulation.commandsWith(options).push(0, index),
  );
  await ticksPass(simulation);
  expect(recorded(simulation)).toEqual(answered);
  expect(answered.length + withdrawn.length).toBe(400);
  expect(Math.min(answered.length, withdrawn.length)).toBeGreaterThan(0);
});

test('of steps withdrawn at any moment, the run has exactly the ticks of the answered ones', async () => {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
  const { answered, withdrawn } = await race(400, (_, options) => simulation.step(1, options));
  // The worker has executed all earlier calls.
  await simulation.queries.echo('there');
  expect(simulation.stats().tick).toBe(answered.length);
  expect(Math.min(answered.length, withdrawn.length)).toBeGreaterThan(0);
});
