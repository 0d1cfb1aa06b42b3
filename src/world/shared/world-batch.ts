/** The messages between page and worker of a world: batches of changes, their answers, and reports of the worker. */
import type { Kind, KindFields, WorldFields } from './setting-tables.js';

/** Handles count from 1, and 0 stands for no handle. */
export const NO_HANDLE = 0;

/** An item that is made, or fields that are set of one that exists. */
export interface Change<K extends Kind> {
  readonly handle: number;
  /** Handles of what it is made of, if it is new: the body of a collider, the bodies of a joint. Undefined: it exists. */
  readonly parts: readonly number[] | undefined;
  readonly fields: KindFields<K>;
}

/** All changes of the page in one turn: a record in the queue of inputs. */
export interface WorldBatch {
  readonly removed: { readonly [K in Kind]: readonly number[] };
  readonly world: WorldFields;
  readonly changed: { readonly [K in Kind]: readonly Change<K>[] };
}

/** Parts of a {@link BatchTiming}. */
export const BEFORE_STEP = 1;
export const AFTER_STEP = 2;

/**
 * When a batch is applied:
 *
 * - 0: of no tick. It is applied as soon as possible.
 * - 1: before the step of a tick that it is given.
 * - 2: after the step of the tick that was given last.
 * - 3: after the step of a tick that it is given.
 */
export type BatchTiming = 0 | 1 | 2 | 3;

/** Before or after the engine's step. */
export type StepTiming = 'before' | 'after';

/**
 * The timings of batches that code of the page has applied within a tick, in a world in its own thread. They are only in
 * recordings, with their tick.
 */
export const WITHIN_TICK = { before: 4, after: 5 } as const satisfies Record<StepTiming, number>;

/**
 * Most ticks of one frame for which callbacks are called, most ticks that are given in advance, and how long what comes
 * after a step waits for the next call: half a second at 60 Hz.
 */
export const MOST_TICKS = 30;

/** The event of a problem with a batch that was applied after it was answered. Its value is a `BatchProblem`. */
export const BATCH_PROBLEM = 'betwixt/batch-problem';

/** The event of a {@link BrokenJoint}. */
export const JOINT_BROKEN = 'betwixt/joint-broken';

/** A joint that has broken: plain data. */
export type BrokenJoint = {
  /** Handle of the joint. */
  readonly joint: number;
  /** Load that broke the joint. */
  readonly force: number;
  readonly torque: number;
};

/** The answer to a batch. */
export interface AppliedBatch {
  /** Number of the tick that is the first to have it. */
  readonly tick: number;
  /**
   * The number of each body that is drawn from then on, in commands and then among the bodies: its handle, and its id. Empty if
   * the batch waits for its tick, as `problems` is.
   */
  readonly ids: readonly number[];
  /** The problem of each item that the engine could not make. */
  readonly problems: readonly BatchProblem[];
}

/** Why the engine could not make an item: plain data. */
export type BatchProblem = {
  /** The item. Undefined: the batch as a whole. */
  readonly item?: readonly [kind: string, handle: number];
  /** The reason. */
  readonly text: string;
};

/** The name of the option `capacity` in a {@link BatchProblem}. */
export const CAPACITY = 'the option capacity';

/** The contents of the world in the worker, after a jump. */
export interface DescribedWorld {
  /** The tick of its state. */
  readonly tick: number;
  /** A batch that would make it again, as far as the engine can tell. */
  readonly bytes: Uint8Array;
  /** Batches that wait for a later tick, in order. */
  readonly waiting: readonly Uint8Array[];
}

/** One item for each kind. */
export function byKind<T>(kinds: readonly Kind[], make: (kind: Kind) => T): Record<Kind, T> {
  const all: Partial<Record<Kind, T>> = {};
  for (const kind of kinds) all[kind] = make(kind);
  return all as Record<Kind, T>;
}

/** The event of an {@link UnmetPair}. */
export const UNMET_PAIR = 'betwixt/unmet-pair';

/** Two colliders that pass through each other without an event; see `unmet-pairs.ts` of the worker. */
export type UnmetPair = {
  /** Handles of the two. */
  readonly colliders: readonly [number, number];
  /** Which active collision types they lack. */
  readonly types: 'KINEMATIC_FIXED' | 'KINEMATIC_KINEMATIC';
};
