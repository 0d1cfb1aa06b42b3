/**
 * Going back to states of the engine's memory: the same bits, and only a few ticks again. In threads,
 * because each needs an engine for itself.
 */
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { connect, fromNodeWorker, type ConnectOptions } from '../../src/render-main/index.js';
import { ACTS, type KeptOutcome, type KeptPlan } from '../fixtures/kept-play.js';
import { PATIENCE, startThread } from '../fixtures/threads.js';
import type { simulation as keptRun } from '../fixtures/workers/kept-run.worker.js';
import { tuned } from '../../src/render-main/api/connect-options.js';

const TICKS = 60;
const acts = fc.array(
  fc.record({
    tick: fc.integer({ min: 1, max: TICKS }),
    act: fc.constantFrom(...ACTS),
    at: fc.nat(50),
  }),
  { minLength: 20, maxLength: 60 },
);
const returns = fc.array(
  fc
    .record({ tick: fc.integer({ min: 8, max: TICKS - 1 }), share: fc.nat(99) })
    .map(({ tick, share }) => ({ tick, to: Math.floor((tick * share) / 100) })),
  { minLength: 2, maxLength: 8 },
);

/** A thread that plays one plan after another. */
function startPlayer() {
  const worker = startThread('kept-play');
  onTestFinished(() => void worker.terminate());
  return async (plan: KeptPlan): Promise<KeptOutcome> => {
    worker.postMessage(plan);
    const [outcome] = (await once(worker, 'message')) as [KeptOutcome];
    return outcome;
  };
}

test.each([
  ['simd', false, false],
  ['simd', true, true],
  ['deterministic', true, false],
  ['compat', true, false],
] as const)(
  'a run that goes back has the bits of one that never did: %s, in place: %s, memory reused: %s',
  async (build, isInPlace, isReused) => {
    const play = startPlayer();
    let [returned, fellBack] = [0, 0];
    await fc.assert(
      fc.asyncProperty(acts, returns, async (given, back) => {
        const plan = { build, isInPlace, isReused, ticks: TICKS, acts: given, returns: back };
        const outcome = await play(plan);
        expect(outcome).toMatchObject({ differsAt: undefined });
        returned += outcome.returned;
        fellBack += outcome.fellBack;
      }),
      // A seed with plans of both kinds.
      { numRuns: 3, seed: 7 },
    );
    // Both ways were taken: before the first state that is kept there is none.
    expect(returned).toBeGreaterThan(0);
    expect(fellBack).toBeGreaterThan(0);
  },
);

test('a run that goes back differs in what its scene does not restore', async () => {
  const play = startPlayer();
  const plan: KeptPlan = {
    build: 'simd',
    isInPlace: true,
    isForgetful: true,
    ticks: TICKS,
    // Pushes depend on the number of steps, which this scene forgets.
    acts: [
      { tick: 1, act: 'add', at: 1 },
      ...Array.from({ length: 10 }, (_, index) => ({
        tick: 22 + 2 * index,
        act: 'push' as const,
        at: 0,
      })),
    ],
    returns: [{ tick: 31, to: 21 }],
  };
  const { differsAt, returned } = await play(plan);
  expect(returned).toBe(1);
  expect(differsAt).toBeGreaterThan(20);
  expect(await play({ ...plan, isForgetful: false })).toMatchObject({ differsAt: undefined });
});

const open = async () => {
  const options: ConnectOptions = {
    startPaused: true,
    capacity: 64,
    recording: { rewindSeconds: 10, saveEverySeconds: 60, hashEveryTicks: 1 },
  };
  const simulation = await connect<typeof keptRun>(
    () => fromNodeWorker(startThread('kept-run')),
    tuned(options, PATIENCE),
  );
  onTestFinished(() => simulation.dispose());
  return simulation;
};

/** How many ticks a call runs again. */
const stepsOf = async (
  simulation: Awaited<ReturnType<typeof open>>,
  call: () => Promise<unknown>,
): Promise<number> => {
  const before = await simulation.queries.steps();
  await call();
  return (await simulation.queries.steps()) - before;
};

test('a simulation that goes back runs only the ticks after the newest kept state again', async () => {
  const simulation = await open();
  await simulation.step(50);
  const added = simulation.commands.add(7);
  await simulation.step(70);
  await added;
  const ticks = (simulation.recording().kept ?? []).map(({ tick }) => tick);
  expect(simulation.stats().keptBytes).toBeGreaterThan(2 ** 16);
  // The toy's steps take next to no time, so there may be one a second only.
  expect(ticks.some((tick) => tick <= 60)).toBe(true);
  const keptBefore = (tick: number) => ticks.findLast((kept) => kept <= tick) ?? 0;
  expect(simulation.stats().keptEveryTicks).toBe(
    Math.max(0, ...ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0))),
  );
  for (const tick of [119, 51, 12]) {
    const replay = await simulation.openReplay(simulation.recording(), { tick });
    const again = await stepsOf(simulation, () => replay.seek(tick - 3));
    expect({ tick, again }).toEqual({ tick, again: tick - 3 - keptBefore(tick - 3) });
    expect(replay.report.differsAt).toBeUndefined();
    expect(simulation.stats().bodies).toBe(tick - 3 > 50 ? 6 : 5);
    // To the end, past the body that is added on the way.
    expect(await replay.seek(120)).toMatchObject({ tick: 120, differsAt: undefined });
    await replay.close();
  }
  expect(await stepsOf(simulation, () => simulation.seek(45))).toBe(45 - keptBefore(45));
  // The later ticks are gone, with the states that were kept of them.
  await simulation.step(20);
  const newest = (simulation.recording().kept ?? []).findLast(({ tick }) => tick <= 58)?.tick;
  expect(await stepsOf(simulation, () => simulation.seek(58))).toBe(58 - (newest ?? 0));
  expect(simulation.stats().bodies).toBe(5);
});
