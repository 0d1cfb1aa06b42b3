/**
 * Invalid messages and words: the simulation continues, or ends with an error that says why not.
 */
import { once } from 'node:events';
import fc from 'fast-check';
import { CONTROL, layoutOf } from '../../../src/shared/memory/layout.js';
import type { HostileStep } from '../../fixtures/hostile-run.js';
import { startThread } from '../../fixtures/threads.js';
import type { HostileCase } from '../../fixtures/workers/hostile.worker.js';

/**
 * A case takes a tenth of a second. One that takes as long as this hangs, however busy the machine.
 */
const HANG_MS = 600_000;

const layout = layoutOf(4, 4, { inputWords: 256, eventWords: 256 });
const integer = fc.oneof(
  fc.constantFrom(0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 12_345),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);
const number = fc.oneof(integer, fc.double(), fc.constantFrom(Number.NaN, 1e300));

const run = fc.record({ do: fc.constant('run' as const), frames: fc.nat({ max: 3 }) });
const changes = fc.oneof(
  fc.array(fc.record({ index: fc.nat(), garbage: fc.nat() }), { minLength: 1, maxLength: 3 }),
  fc.array(fc.record({ index: fc.nat({ max: 20 }), garbage: fc.nat() }), { maxLength: 1 }),
);
const message: fc.Arbitrary<HostileStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('change' as const), which: fc.nat(), changes }),
  },
  { weight: 1, arbitrary: run },
);
/** Control words most of all, and headers: values that are used as an index or a limit. */
const word: fc.Arbitrary<HostileStep> = fc.oneof(
  fc.record({
    do: fc.constant('word' as const),
    at: fc.oneof(
      fc.constantFrom(...Object.values(CONTROL)),
      fc.nat({ max: layout.byteLength / 4 - 1 }),
    ),
    value: integer,
  }),
  fc.record({
    do: fc.constant('float' as const),
    at: fc.integer({ min: layout.statusOffset / 8, max: layout.inputsOffset / 8 - 1 }),
    value: number,
  }),
  run,
);
export const hostileCases: fc.Arbitrary<HostileCase> = fc.record({
  transport: fc.constantFrom('local' as const, 'transfer' as const),
  isReplaced: fc.boolean(),
  steps: fc.oneof(
    fc.array(message, { minLength: 1, maxLength: 12 }),
    fc.array(word, { minLength: 1, maxLength: 12 }),
    fc.array(fc.oneof(message, word), { minLength: 1, maxLength: 12 }),
  ),
});

/** @throws Error with the fault that was found. */
export async function tryHostileCase(one: HostileCase): Promise<void> {
  const thread = startThread('hostile', one);
  try {
    const [fault] = (await once(thread, 'message', { signal: AbortSignal.timeout(HANG_MS) })) as [
      string | null,
    ];
    if (fault !== null) throw new Error(fault);
  } finally {
    await thread.terminate();
  }
}
