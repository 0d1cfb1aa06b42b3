/**
 * Batches that wait for a tick. They are applied in order, so that none overtakes another:
 *
 *     before n ─▶ step n ─▶ after n ─▶ before n + 1 ─▶ step n + 1
 *
 * A page that shows several ticks in a frame sends batches for as many ticks at once. Each gets a tick, the next one that
 * is free. A page that shows its next tick late has none for some. So what comes after a step waits for the next call, but
 * not if the page is stuck: forces that are added before each step and reset after it act all the time.
 */
import type { Json } from '../../shared/util/json.js';
import { requireInteger } from '../../shared/util/validate.js';
import { timingOf } from '../shared/batch-codec.js';
import { AFTER_STEP, BEFORE_STEP, MOST_TICKS } from '../shared/world-batch.js';

interface WaitingBatch {
  /** The tick before whose step it is applied at the latest. */
  readonly tick: number;
  readonly bytes: Uint8Array;
}

export class WaitingBatches {
  #batches: WaitingBatch[] = [];
  /** The tick that was given last. */
  #given = 0;
  /** How many ticks were given since `#fewest` was reset. */
  #count = 0;
  /** The fewest ticks that were given in advance since then. */
  #fewest = MOST_TICKS;

  /**
   * Takes a batch that comes before the step of the next tick.
   *
   * @returns The first tick whose state has it, unless the next call is late; undefined: it does not wait.
   * @throws RangeError if there is no such timing: the batch may come from a file.
   */
  add(bytes: Uint8Array, nextTick: number): number | undefined {
    const timing = requireInteger(
      'the timing of a batch',
      timingOf(bytes),
      0,
      BEFORE_STEP + AFTER_STEP,
    );
    if ((timing & BEFORE_STEP) !== 0) this.#give(nextTick);
    // There is nothing before its step, but what waits for that must not wait longer.
    if (timing === BEFORE_STEP + AFTER_STEP) {
      this.#batches.push({ tick: this.#given, bytes: new Uint8Array() });
    }
    let tick = this.#batches.at(-1)?.tick ?? nextTick;
    if (timing === BEFORE_STEP) tick = this.#given;
    else if (timing !== 0) tick = this.#given + MOST_TICKS;
    if (this.#batches.length === 0 && tick <= nextTick) return undefined;
    this.#batches.push({ tick, bytes });
    return Math.max(nextTick, Math.min(tick, this.#given + 1));
  }

  /** Removes what is applied before the step of a tick, in order. */
  take(tick: number): Uint8Array[] {
    const count = this.#batches.findLastIndex((batch) => batch.tick <= tick) + 1;
    return bytesOf(this.#batches.splice(0, count));
  }

  all(): Uint8Array[] {
    return bytesOf(this.#batches);
  }

  save(): Json {
    const batches = this.#batches.map(({ tick, bytes }) => ({ tick, bytes: [...bytes] }));
    return { given: this.#given, count: this.#count, fewest: this.#fewest, batches };
  }

  restore(saved: Json): void {
    const { given, count, fewest, batches } = saved as unknown as Saved;
    this.#given = given;
    this.#count = count;
    this.#fewest = fewest;
    this.#batches = batches.map(({ tick, bytes }) => ({ tick, bytes: Uint8Array.from(bytes) }));
  }

  #give(nextTick: number): void {
    this.#fewest = Math.min(this.#fewest, Math.max(0, this.#given + 1 - nextTick));
    const free = Math.max(this.#given + 1, nextTick);
    this.#given = Math.min(free, nextTick + MOST_TICKS - 1);
    this.#count += 1;
    if (this.#count < MOST_TICKS) return;
    // A frame brought many ticks at once, and these batches have waited for nothing since: they share one.
    this.#given -= this.#fewest;
    this.#count = 0;
    this.#fewest = MOST_TICKS;
  }
}

const bytesOf = (batches: readonly WaitingBatch[]) =>
  batches.map(({ bytes }) => bytes).filter(({ length }) => length > 0);

interface Saved {
  readonly given: number;
  readonly count: number;
  readonly fewest: number;
  readonly batches: readonly { readonly tick: number; readonly bytes: readonly number[] }[];
}
