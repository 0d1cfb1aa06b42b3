/**
 * A random walk over the whole handle, with each transport: nothing is done twice, lost, or pending
 * forever.
 */
import fc from 'fast-check';
import { compileCounting } from '../compiled-worker.js';
import { usedBytes } from '../heap.js';
import type { AttackContext, AttackPart, AttackReport } from '../part.js';
import { attackProperty } from '../property.js';
import { UncaughtErrors } from '../uncaught.js';
import { GONE_OPERATIONS, walksOf } from '../walk/operations.js';
import { tryWalk } from '../walk/walk.js';
import { openLocalWorld, openThreadWorld } from '../walk/world.js';

/** A share of the time; the rest is for threads. */
const LOCAL_SHARE = 0.5;
/** Operations of a walk. */
const LOCAL_LENGTH = 60;
const THREAD_LENGTH = 40;
/**
 * Walks used to shrink a failing one; one in this thread takes a hundredth of the time of one in
 * another.
 */
const MAX_RERUNS = { local: 2000, shared: 60, transfer: 60 } as const;
/**
 * Walks until caches are full and code is compiled: growth is counted from the memory in use then.
 */
const WARM_UP = 30;
/** Walks needed to distinguish growth from noise. */
const MEASURABLE = 60;
/** A leaked handle is a hundred times as large; what the compiler retains decreases. */
const MAX_BYTES_PER_WALK = 10_000;

class WalkAttack {
  readonly #context: AttackContext;
  readonly #isOfGone: boolean;
  readonly #uncaught = new UncaughtErrors();
  #calls = 0;
  #localWalks = 0;
  #warmBytes = 0;

  /** @param isOfGone Whether workers end without a word, and nothing else fails. */
  constructor(context: AttackContext, isOfGone: boolean) {
    this.#context = context;
    this.#isOfGone = isOfGone;
  }

  async run(): Promise<AttackReport> {
    try {
      const { timeLimitMs } = this.#context;
      return (
        (await this.#attack('local', timeLimitMs * LOCAL_SHARE)) ??
        (await this.#growth()) ??
        (await this.#attack('shared', (timeLimitMs * (1 - LOCAL_SHARE)) / 2)) ??
        (await this.#attack('transfer', (timeLimitMs * (1 - LOCAL_SHARE)) / 2)) ?? {
          tried: this.#calls,
        }
      );
    } finally {
      this.#uncaught.close();
    }
  }

  async #attack(
    transport: 'local' | 'shared' | 'transfer',
    timeLimitMs: number,
  ): Promise<AttackReport | undefined> {
    const { onProgress } = this.#context;
    const isLocal = transport === 'local';
    const length = isLocal ? LOCAL_LENGTH : THREAD_LENGTH;
    const script = isLocal ? undefined : await compileCounting();
    const { failure } = await attackProperty(
      this.#isOfGone
        ? walksOf(length, [], GONE_OPERATIONS).map((one) =>
            Object.assign(one, { endsSilently: true }),
          )
        : walksOf(length),
      async (walk) => {
        const world = await (script === undefined
          ? openLocalWorld(walk)
          : openThreadWorld(walk, transport as 'shared' | 'transfer', script));
        this.#calls += await tryWalk(walk, world);
        const [uncaught] = await this.#uncaught.take();
        if (uncaught !== undefined) throw new Error(uncaught);
        if (!isLocal) return;
        this.#localWalks += 1;
        if (this.#localWalks === WARM_UP) this.#warmBytes = await usedBytes();
      },
      { ...this.#context, timeLimitMs, onProgress: () => onProgress(this.#calls) },
      {
        batch: isLocal ? 10 : 1,
        describe: (walk) => `${transport} ${fc.stringify(walk)}`,
        maxReruns: MAX_RERUNS[transport],
      },
    );
    return failure && { tried: this.#calls, failure };
  }

  /** Memory that walks have left behind. */
  async #growth(): Promise<AttackReport | undefined> {
    const walks = this.#localWalks - WARM_UP;
    if (walks < MEASURABLE) return undefined;
    const bytes = (await usedBytes()) - this.#warmBytes;
    if (bytes / walks <= MAX_BYTES_PER_WALK) return undefined;
    const message = `each walk leaves ${Math.round(bytes / walks)} bytes behind`;
    return { tried: this.#calls, failure: { message, steps: `${walks} walks, local` } };
  }
}

export const walk: AttackPart = {
  name: 'walk',
  about: 'any calls and faults in any order: nothing done twice, lost, or pending forever',
  unit: 'calls',
  run: (context) => new WalkAttack(context, false).run(),
};

export const gone: AttackPart = {
  name: 'gone',
  about:
    'workers that end without a word, or hang: missed, and nothing lost, doubled or left behind',
  unit: 'calls',
  run: (context) => new WalkAttack(context, true).run(),
};
