/**
 * How characters and vehicles share the block of numbers that is published with every state. The block describes itself: in
 * whatever state is shown (after a seek, a restart, in a recording), the page finds the numbers that this state has.
 *
 *     0                 length of what is used
 *     1, 2              number of the last batch that was applied, like a handle; 0: none
 *     3 …               records: the owner's handle (two numbers of 16 bits; 0: none), how many numbers follow, these
 *
 * The worker writes it (`world/worker/value-owners.ts`), and the page reads it.
 */
import { NO_HANDLE } from './world-batch.js';

/** Numbers before the first record. */
export const BLOCK_HEADER = 3;
/** Where the number of the last batch is. */
export const LAST_BATCH = 1;
/** Numbers of a record before those of its owner. */
export const RECORD_HEADER = 3;

const HALF = 2 ** 16;

/** Numbers that a thing takes in the block. */
export const recordLength = (count: number): number => RECORD_HEADER + count;

/** 32 bits, as two numbers that a float holds exactly. */
export function writeHandle(values: Float32Array, at: number, handle: number): void {
  values[at] = handle % HALF;
  values[at + 1] = Math.floor(handle / HALF);
}

export const readHandle = (values: Float32Array, at: number): number =>
  (values[at] ?? 0) + HALF * (values[at + 1] ?? 0);

/** Finds records in the block of the newest state, which it looks through once. */
export class ValueRecords {
  /** Where the numbers of each owner begin. */
  readonly #starts = new Map<number, number>();
  #values: Float32Array | undefined;
  #tick = Number.NaN;

  /** The run has jumped: another state may have the same tick. */
  forget(): void {
    this.#values = undefined;
  }

  /**
   * @param values The block of a state.
   * @param tick Tick of that state.
   * @returns Where the owner's numbers begin; −1: the state has none of it.
   */
  find(values: Float32Array, tick: number, owner: number): number {
    if (values !== this.#values || tick !== this.#tick) {
      this.#values = values;
      this.#tick = tick;
      this.#look(values);
    }
    return this.#starts.get(owner) ?? -1;
  }

  #look(values: Float32Array): void {
    this.#starts.clear();
    const end = Math.min(values[0] ?? 0, values.length);
    let at = BLOCK_HEADER;
    while (at < end) {
      const handle = readHandle(values, at);
      if (handle !== NO_HANDLE) this.#starts.set(handle, at + RECORD_HEADER);
      // Whatever the memory contains, this comes to an end.
      at += recordLength(Math.max(0, values[at + 2] ?? 0));
    }
  }
}

/** The numbers of a character's record, by their offsets. A handle takes two. */
export const CHARACTER_VALUES = { isGrounded: 0, ground: 1, x: 3, y: 4, z: 5 } as const;

/** Numbers of a character's record. */
export const CHARACTER_VALUE_COUNT = 6;
