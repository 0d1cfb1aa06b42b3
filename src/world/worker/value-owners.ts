/**
 * Gives things of a world records in the block of numbers that is published with every state; see
 * `shared/world/value-records.ts`. Records are not saved: after a restore, each thing claims another one.
 */
import { NO_HANDLE } from '../shared/world-batch.js';
import {
  BLOCK_HEADER,
  LAST_BATCH,
  RECORD_HEADER,
  recordLength,
  writeHandle,
} from '../shared/value-records.js';

/** The numbers of one thing. */
export class OwnedValues {
  readonly #values: Float32Array;
  readonly count: number;
  /** Where its record begins. */
  start: number;

  constructor(values: Float32Array, start: number, count: number) {
    this.#values = values;
    this.start = start;
    this.count = count;
  }

  /** @param index From 0, below {@link count}. */
  set(index: number, value: number): void {
    this.#values[this.start + RECORD_HEADER + index] = value;
  }

  /** Sets the first ones. */
  fill(values: readonly number[]): void {
    for (const [index, value] of values.slice(0, this.count).entries()) this.set(index, value);
  }

  toArray(): number[] {
    const start = this.start + RECORD_HEADER;
    return [...this.#values.subarray(start, start + this.count)];
  }

  /** A handle takes two numbers. */
  setHandle(index: number, handle: number): void {
    writeHandle(this.#values, this.start + RECORD_HEADER + index, handle);
  }
}

export class ValueOwners {
  readonly #values: Float32Array;
  /** In the order of their records. */
  readonly #owned = new Map<number, OwnedValues>();
  #end = BLOCK_HEADER;

  /** @param values The whole block; nothing else may write to it. */
  constructor(values: Float32Array) {
    this.#values = values;
    this.#setEnd(BLOCK_HEADER);
  }

  /** A state was restored, with the records of its run: nothing has one any longer. */
  clear(): void {
    this.#owned.clear();
    this.#values.fill(0);
    this.#setEnd(BLOCK_HEADER);
  }

  /** Published with the states from now on. */
  set lastBatch(number: number) {
    if (this.#values.length >= BLOCK_HEADER) writeHandle(this.#values, LAST_BATCH, number);
  }

  /**
   * Gives a thing numbers, all zero. It has none yet.
   *
   * @returns Undefined: there is no room. The page refuses what needs it.
   */
  claim(owner: number, count: number): OwnedValues | undefined {
    const length = recordLength(count);
    if (this.#end + length > this.#values.length) this.#closeGaps();
    if (this.#end + length > this.#values.length) return undefined;
    const owned = new OwnedValues(this.#values, this.#end, count);
    writeHandle(this.#values, owned.start, owner);
    this.#values[owned.start + 2] = count;
    this.#values.fill(0, owned.start + RECORD_HEADER, owned.start + length);
    this.#owned.set(owner, owned);
    this.#setEnd(this.#end + length);
    return owned;
  }

  /** Frees the numbers of a thing that is removed. */
  release(owner: number): void {
    const owned = this.#owned.get(owner);
    if (owned === undefined) return;
    this.#owned.delete(owner);
    writeHandle(this.#values, owned.start, NO_HANDLE);
    if (this.#owned.size === 0) this.#setEnd(BLOCK_HEADER);
  }

  #closeGaps(): void {
    let end = BLOCK_HEADER;
    for (const owned of this.#owned.values()) {
      const length = recordLength(owned.count);
      this.#values.copyWithin(end, owned.start, owned.start + length);
      owned.start = end;
      end += length;
    }
    this.#setEnd(end);
  }

  #setEnd(end: number): void {
    this.#end = end;
    this.#values[0] = end;
  }
}
