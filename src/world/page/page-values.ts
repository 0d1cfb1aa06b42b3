/** The block of values on the page: how much of it is taken, and where the newest state has the numbers of each owner. */
import {
  BLOCK_HEADER,
  LAST_BATCH,
  readHandle,
  recordLength,
  ValueRecords,
} from '../shared/value-records.js';
import type { SampledFrame } from '../../render-main/frame/frame.js';

const NO_VALUES = new Float32Array(0);

export interface ValuesOf {
  readonly values: Float32Array;
  /** Where the owner's numbers begin; −1: the newest state has none of it. */
  readonly at: number;
  /** How many it has in that state. */
  readonly count: number;
}

export class PageValues {
  readonly #records = new ValueRecords();
  /** All numbers that are published with a state. */
  readonly #size: number;
  readonly #found: { -readonly [Name in keyof ValuesOf]: ValuesOf[Name] } = {
    values: NO_VALUES,
    at: -1,
    count: 0,
  };

  constructor(size: number) {
    this.#size = size;
  }

  /** The run has jumped. */
  forget(): void {
    this.#records.forget();
  }

  /** @returns The same object each time. */
  of(
    frame: Pick<SampledFrame, 'newestValues' | 'newestTick'> | undefined,
    owner: number,
  ): ValuesOf {
    const values = frame?.newestValues;
    this.#found.values = values ?? NO_VALUES;
    this.#found.at =
      values === undefined ? -1 : this.#records.find(values, frame?.newestTick ?? 0, owner);
    this.#found.count = this.#found.at < 0 ? 0 : (values?.[this.#found.at - 1] ?? 0);
    return this.#found;
  }

  /** Number of the last batch that a state has, as far as it says so. */
  static lastBatchOf(frame: SampledFrame): number {
    const values = frame.newestValues;
    return values === undefined ? 0 : readHandle(values, LAST_BATCH);
  }

  /**
   * @param used Numbers of all records.
   * @param count How many another one needs.
   * @throws RangeError if there is no room for it.
   */
  require(what: string, used: number, count: number): void {
    if (BLOCK_HEADER + used + recordLength(count) <= this.#size) return;
    throw new RangeError(
      `there is no room for another ${what}: ${this.#size} numbers are published with each state, and what is there takes ` +
        `${used}. Give createWorld the option display: { values: ${Math.max(2 * this.#size, 1024)} }`,
    );
  }
}
