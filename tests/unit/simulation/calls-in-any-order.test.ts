/** The attack's walk over the whole handle, in this thread: calls, settings, signals and failures, in any order. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { OPERATIONS, walksOf } from '../../attack/walk/operations.js';
import { tryWalk } from '../../attack/walk/walk.js';
import { openLocalWorld } from '../../attack/walk/world.js';

/** Two runs, with a state and a recording of each. */
const BEGIN = 'pause input step save recording rebuild input step save recording'
  .split(' ')
  .map((name) => ({ name, n: 9, stop: undefined, wait: 'settled' }) as const);
/** Calls that move the run, each as often. */
const MOVES = Object.fromEntries(
  Object.entries(OPERATIONS).flatMap(([name, operation]) =>
    /seek|restore|Replay|rebuild|step|resume/.test(name)
      ? [[name, typeof operation === 'function' ? operation : operation[1]]]
      : [],
  ),
);

test.each([
  ['happens to a simulation', walksOf(60), 20],
  ['moves a run', walksOf(4, BEGIN, MOVES), 30],
])(
  'whatever %s, each call is settled once, and the run and its recording have what was done',
  async (_, walks, numRuns) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(walks, async (walk) => {
        calls += await tryWalk(walk, await openLocalWorld(walk));
      }),
      { numRuns },
    );
    expect(calls).toBeGreaterThan(200);
  },
);
