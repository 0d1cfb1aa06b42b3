/**
 * Which bodies changed in each of the last few states, as long as they were few.
 *
 * Blocks alone (snapshot-writer.ts) make a state cheap whose awake bodies stand side by side. Scattered among sleeping
 * ones they would make almost every block be copied, sleepers and all; then this list is shorter.
 */
import { BODY_LANES } from '../../shared/memory/layout.js';

/** States that are remembered: a slot comes back to the writer two or three publications later. */
const KEPT_STATES = 8;
/** Most changes that a state may have; with more it is not remembered. */
const MAX_CHANGES = 512;

export class RecentChanges {
  /** Which state each place of the ring is about; −1: none. */
  readonly #states = new Float64Array(KEPT_STATES).fill(-1);
  readonly #counts = new Int32Array(KEPT_STATES);
  readonly #slots = new Int32Array(KEPT_STATES * MAX_CHANGES);
  /** By body: the copying that it was part of last. Most bodies that change do so in every state. */
  readonly #copied: Int32Array;
  #copying = 0;
  #index = 0;
  #count = 0;

  constructor(capacity: number) {
    this.#copied = new Int32Array(capacity);
    this.begin(0);
  }

  /** Changes from now on belong to the state with this ordinal. */
  begin(state: number): void {
    const index = state % KEPT_STATES;
    if (this.#states[index] === state) return;
    this.#counts[this.#index] = this.#count;
    this.#states[index] = state;
    this.#index = index;
    this.#count = 0;
  }

  /** A body has changed. */
  mark(slot: number): void {
    const count = this.#count;
    if (count >= MAX_CHANGES) {
      this.#count = MAX_CHANGES + 1;
      return;
    }
    const at = this.#index * MAX_CHANGES + count;
    // One body's pose and flags are set one after the other.
    if (count > 0 && this.#slots[at - 1] === slot) return;
    this.#slots[at] = slot;
    this.#count = count + 1;
  }

  /** Any body may have changed. */
  markAll(): void {
    this.#count = MAX_CHANGES + 1;
  }

  /**
   * How many changes there were after one state up to another, a body's in each state; Infinity when that is not
   * remembered.
   */
  countBetween(stale: number, state: number): number {
    if (state - stale > KEPT_STATES) return Number.POSITIVE_INFINITY;
    this.#counts[this.#index] = this.#count;
    let total = 0;
    for (let ordinal = stale + 1; ordinal <= state; ordinal++) {
      const index = ordinal % KEPT_STATES;
      const count = this.#counts[index] as number;
      if (this.#states[index] !== ordinal || count > MAX_CHANGES) return Number.POSITIVE_INFINITY;
      total += count;
    }
    return total;
  }

  /** Copies the bodies that changed after one state up to another. Only where they could be counted. */
  copyBetween(stale: number, state: number, from: Int32Array, to: Int32Array): void {
    const copying = (this.#copying + 1) | 0;
    this.#copying = copying;
    for (let ordinal = stale + 1; ordinal <= state; ordinal++) {
      const index = ordinal % KEPT_STATES;
      const first = index * MAX_CHANGES;
      const end = first + (this.#counts[index] as number);
      for (let at = first; at < end; at++) {
        const slot = this.#slots[at] as number;
        if (this.#copied[slot] === copying) continue;
        this.#copied[slot] = copying;
        const start = slot * BODY_LANES;
        for (let lane = start; lane < start + BODY_LANES; lane++) to[lane] = from[lane] as number;
      }
    }
  }
}
