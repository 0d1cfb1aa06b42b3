/** Which bodies have changed: which were spawned and removed, for the page, and which were moved, for the snapshots. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { BodiesMessage } from '../../shared/protocol/control-protocol.js';
import type { BodyTag } from './body-tag.js';
import { BODY_LANES } from '../../shared/memory/layout.js';

export type BodyList = Pick<BodiesMessage, 'isComplete' | 'spawned' | 'tags' | 'despawned'>;

/** The bodies of a registry. */
interface ListedBodies {
  ids(): readonly BodyId[];
  isAlive(id: BodyId): boolean;
  tagOf(id: BodyId): BodyTag | undefined;
}

/**
 * The bodies that were spawned and removed since the last state. Nothing is noted before the first list has been taken, so
 * a run without a page keeps nothing.
 */
export class SpawnList {
  #spawned: BodyId[] = [];
  #despawned: BodyId[] = [];
  #isComplete = true;

  noteSpawn(id: BodyId): void {
    if (!this.#isComplete) this.#spawned.push(id);
  }

  noteDespawn(id: BodyId): void {
    if (!this.#isComplete) this.#despawned.push(id);
  }

  /** All bodies may have changed: the next list is complete. */
  forget(): void {
    this.#spawned = [];
    this.#despawned = [];
    this.#isComplete = true;
  }

  /** The changes since the last call; undefined if there are none. A body that came and went is not one of them. */
  take(bodies: ListedBodies): BodyList | undefined {
    const isComplete = this.#isComplete;
    // Ticks without changes allocate nothing.
    if (!isComplete && this.#spawned.length + this.#despawned.length === 0) return undefined;
    const come = new Set(isComplete ? bodies.ids() : this.#spawned);
    const despawned = this.#despawned.filter((id) => !come.has(id));
    const spawned = [...come].filter((id) => bodies.isAlive(id));
    this.forget();
    this.#isComplete = false;
    if (!isComplete && spawned.length + despawned.length === 0) return undefined;
    const tags = spawned.map((id) => bodies.tagOf(id)?.json ?? 'null');
    return { isComplete, spawned, tags, despawned };
  }
}

/** States that are kept: the writer gets a slot back two or three publications later. */
const KEPT_STATES = 8;
/** Most changes per state; a state with more is not kept. */
const MAX_CHANGES = 512;

/**
 * Lists the bodies that changed in each of the last few states, if there were few.
 *
 * Blocks (snapshot-writer.ts) are efficient if the awake bodies of a state are in adjacent slots. If they are scattered
 * among sleeping ones, almost every block would be copied. Copying from this list is then cheaper.
 */
export class RecentChanges {
  /** The state at each index of the ring; −1: none. */
  readonly #states = new Float64Array(KEPT_STATES).fill(-1);
  readonly #counts = new Int32Array(KEPT_STATES);
  readonly #slots = new Int32Array(KEPT_STATES * MAX_CHANGES);
  /** By body: the last copy operation that included it. Most bodies that change do so in every state. */
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

  mark(slot: number): void {
    const count = this.#count;
    if (count >= MAX_CHANGES) {
      this.#count = MAX_CHANGES + 1;
      return;
    }
    const at = this.#index * MAX_CHANGES + count;
    // A body's pose and flags are set in sequence.
    if (count > 0 && this.#slots[at - 1] === slot) return;
    this.#slots[at] = slot;
    this.#count = count + 1;
  }

  markAll(): void {
    this.#count = MAX_CHANGES + 1;
  }

  /** Number of changes after one state up to another, once per body and state. Infinity if one of these is not kept. */
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

  /** Copies the bodies that changed after one state up to another. Only if {@link countBetween} is finite. */
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
