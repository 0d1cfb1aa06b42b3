/**
 * Invalid messages and words: the simulation continues, or ends with an error that says why not.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { typescriptThread } from '../../../scripts/typescript-thread.js';
import { CONTROL, layoutOf } from '../../../src/shared/memory/layout.js';
import type { HostileStep } from '../../fixtures/hostile-run.js';
import type { HostileCase, HostileReport } from '../hostile-run.worker.js';
import type { AttackContext, AttackPart, AttackReport } from '../part.js';
import { attackProperty } from '../property.js';

/**
 * A case takes a tenth of a second. One that takes as long as this hangs, however busy the machine.
 */
const HANG_MS = 600_000;
const BATCH = 20;

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
const cases: fc.Arbitrary<HostileCase> = fc.record({
  transport: fc.constantFrom('local' as const, 'transfer' as const),
  isReplaced: fc.boolean(),
  steps: fc.oneof(
    fc.array(message, { minLength: 1, maxLength: 12 }),
    fc.array(word, { minLength: 1, maxLength: 12 }),
    fc.array(fc.oneof(message, word), { minLength: 1, maxLength: 12 }),
  ),
});

/** The thread that plays the cases; replaced after each case that it does not return from. */
class Player {
  #thread: Worker | undefined;

  async play(one: HostileCase): Promise<HostileReport> {
    const thread = await this.#start();
    let watch: NodeJS.Timeout | undefined;
    const { report } = await new Promise<{ readonly report: HostileReport }>((resolve) => {
      const end = (why: string): void => resolve({ report: why });
      watch = setTimeout(() => end(`it hangs: nothing for ${HANG_MS / 1000} s`), HANG_MS);
      thread.once('message', resolve);
      thread.once('error', (error) => end(`its thread ended: ${String(error)}`));
      thread.postMessage(one);
    });
    clearTimeout(watch);
    // Only these two: a worker listens to itself as well.
    thread.removeAllListeners('message').removeAllListeners('error');
    if (report !== undefined) await this.end();
    return report;
  }

  async #start(): Promise<Worker> {
    if (this.#thread !== undefined) return this.#thread;
    this.#thread = new Worker(
      new URL('../hostile-run.worker.ts', import.meta.url),
      typescriptThread,
    );
    // The thread has loaded: time from here on belongs to the case.
    await once(this.#thread, 'message');
    return this.#thread;
  }

  async end(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = undefined;
  }
}

async function attackMessages(context: AttackContext): Promise<AttackReport> {
  const player = new Player();
  const check = async (one: HostileCase): Promise<number> => {
    const report = await player.play(one);
    if (report !== undefined) throw new Error(report);
    return one.steps.filter((taken) => taken.do !== 'run').length;
  };
  try {
    return await attackProperty(cases, check, context, { batch: BATCH });
  } finally {
    await player.end();
  }
}

export const messages: AttackPart = {
  name: 'messages',
  about: 'hostile messages and words of memory: nothing hangs, and an end gives its reason',
  unit: 'messages',
  run: attackMessages,
};
