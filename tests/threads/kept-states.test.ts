/**
 * Going back to states of the engine's memory: the same bits. In threads, because each needs an engine
 * for itself.
 */
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ACTS, type KeptOutcome, type KeptPlan } from '../fixtures/kept-play.js';
import { startThread } from '../fixtures/threads.js';

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
