/**
 * What the page changes in a world in one turn, as one command. It is sorted: removals first, then the world itself, then
 * each kind of things by handles. So the same changes in another order are the same batch.
 *
 *     removed   for each kind, the last one first: a list of handles
 *     world     fields
 *     changed   for each kind: count, then each: handle, 0 if it exists, else 1 + the number of handles that it is made of,
 *               these handles, fields
 */
import type { Kind, KindFields, WorldFields } from './world-fields.js';

/** Handles count from 1, so that 0 is none. */
export const NO_HANDLE = 0;

/** What is new or set of one thing. */
export interface Change<K extends Kind> {
  readonly handle: number;
  /** What it is made of, if it is new: the body of a collider, the bodies of a joint. Undefined: it exists. */
  readonly parts: readonly number[] | undefined;
  readonly fields: KindFields<K>;
}

export interface WorldBatch {
  readonly removed: { readonly [K in Kind]: readonly number[] };
  readonly world: WorldFields;
  readonly changed: { readonly [K in Kind]: readonly Change<K>[] };
}

/** The answer to a batch. */
export interface AppliedBatch {
  /** Number of the tick that is the first to have it. */
  readonly tick: number;
  /**
   * The number of each body that is drawn from then on, in commands and then among the bodies: its handle, and its id. Empty if
   * the batch waits for its tick, as `problems` is.
   */
  readonly ids: readonly number[];
  /** What was wrong with each thing that the engine could not make. */
  readonly problems: readonly BatchProblem[];
}

/** What was wrong with something that the engine could not make: plain data. */
export type BatchProblem = {
  /** Undefined: the batch as a whole. */
  readonly thing?: readonly [kind: string, handle: number];
  /** What. */
  readonly text: string;
};

/** What a {@link BatchProblem} calls the option of how many bodies there may be. */
export const CAPACITY = 'the option capacity';

/** What the worker has, after a jump. */
export interface DescribedWorld {
  /** The tick of its state. */
  readonly tick: number;
  /** A batch that would make it again, as far as the engine can tell. */
  readonly words: Uint32Array<ArrayBuffer>;
  /** Batches that wait for a later tick, in order. */
  readonly waiting: readonly Uint32Array<ArrayBuffer>[];
}

/** One item for each kind. */
export const byKind = <T>(kinds: readonly Kind[], make: (kind: Kind) => T): Record<Kind, T> =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as Record<Kind, T>;
