/**
 * Code of the page within a tick, in a world that runs in the page's own thread:
 *
 *     systems, before ◀─ hooks, before ◀─ changes of the page
 *            └▶ step of the engine, which asks filters ─▶ systems, after ─▶ hooks, after ─▶ published
 *
 * Changes by hooks are applied at once, and recorded as batches of their tick. A replay applies these and calls no hook. Filters
 * are code, which a replay asks again.
 */
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { Pose } from '../../sim-worker/api/bodies.js';
import type { AppliedBatch, StepTiming } from '../shared/world-batch.js';

/** The filters of the page, as the systems ask them. */
export interface PageFilters {
  readonly isFiltering: boolean;
  filterContactPair(...handles: PairHandles): number | null;
  filterIntersectionPair(...handles: PairHandles): boolean;
}

/** Code of the page that runs within each tick. */
export interface PageHooks {
  /** Whether it filters pairs. */
  readonly isFiltering: boolean;
  /** Calls the hooks before the engine's step, or those after it. */
  run(timing: StepTiming, tick: RunningTick): void;
  /** Called within the engine's step. @returns The engine's answer; null: the two do not touch. */
  filterContactPair(tick: RunningTick, ...handles: PairHandles): number | null;
  /** Called within the engine's step. @returns Whether a sensor notices a collider. */
  filterIntersectionPair(tick: RunningTick, ...handles: PairHandles): boolean;
}

/** Handles of two colliders and of their bodies. */
export type PairHandles = [
  collider1: number | undefined,
  collider2: number | undefined,
  body1: number | undefined,
  body2: number | undefined,
];

/** A tick, as hooks of the page have it. Within the engine's step, only published poses. */
export interface RunningTick {
  readonly tick: number;
  readonly rapier: Rapier;
  readonly world: RapierWorld['world'];
  /** The block of numbers that is published with its state. */
  readonly values: Float32Array;
  /** Number of the last batch of the page that was applied. */
  readonly lastBatch: number;
  /** Undefined also if the worker does not have it yet. */
  bodyOf(handle: number): InstanceType<Rapier['RigidBody']> | undefined;
  /** Where a body is before the engine's step. Undefined for fixed bodies that never moved. */
  publishedPose(handle: number): Pose | undefined;
  colliderOf(handle: number): InstanceType<Rapier['Collider']> | undefined;
  handleOfCollider(collider: InstanceType<Rapier['Collider']>): number | undefined;
  /** Applies and records a batch of the hooks that run. */
  apply(bytes: Uint8Array): Omit<AppliedBatch, 'tick'>;
}

/** A simulation that a page in the same thread may give its hooks. */
export interface HookedSimulation {
  attachHooks(hooks: PageHooks): void;
}
