/**
 * Code of the page within a tick, in a world that runs in the page's own thread:
 *
 *     systems, before ◀─ hooks, before ◀─ changes of the page
 *            └▶ step of the engine, which asks filters ─▶ systems, after ─▶ hooks, after ─▶ published
 *
 * What hooks change is applied at once, and recorded as batches of their tick. A replay applies these and calls no hook. Filters
 * are code, which a replay asks again.
 */
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { AppliedBatch, StepSide } from '../shared/world-batch.js';

/** What the page runs within each tick. */
export interface PageHooks {
  /** Whether it filters pairs. */
  readonly isFiltering: boolean;
  /** Calls the hooks of one side of the engine's step. */
  run(side: StepSide, tick: RunningTick): void;
  /** Arguments are handles of the page. @returns What the engine is told; null: the two do not touch. */
  filterContactPair(...handles: PairHandles): number | null;
  /** @returns Whether a sensor notices a collider. */
  filterIntersectionPair(...handles: PairHandles): boolean;
}

/** Handles of two colliders and of their bodies. */
export type PairHandles = [
  collider1: number | undefined,
  collider2: number | undefined,
  body1: number | undefined,
  body2: number | undefined,
];

/** A tick on one side of the engine's step, for hooks of the page. */
export interface RunningTick {
  readonly tick: number;
  readonly rapier: Rapier;
  readonly world: RapierWorld['world'];
  /** Number of the last batch of the page that was applied. */
  readonly lastBatch: number;
  /** Undefined also if the worker does not have it yet. */
  bodyOf(handle: number): InstanceType<Rapier['RigidBody']> | undefined;
  colliderOf(handle: number): InstanceType<Rapier['Collider']> | undefined;
  handleOfCollider(collider: InstanceType<Rapier['Collider']>): number | undefined;
  /** Applies and records a batch of the side that runs. */
  apply(bytes: Uint8Array): Omit<AppliedBatch, 'tick'>;
}

/** A simulation that a page in the same thread may give its hooks. */
export interface HookedSimulation {
  attachHooks(hooks: PageHooks): void;
}
