/** Runs what a page has within the ticks of its world: see page-hooks.ts. */
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import type { RunContext } from '../../sim-worker/api/simulation.js';
import { ByteWriter } from '../../shared/util/bytes.js';
import { KIND_NAMES, type WorldFields } from '../shared/setting-tables.js';
import { timingOf, worldFieldsOf, writeBatch } from '../shared/batch-codec.js';
import { byKind, WITHIN_TICK, type AppliedBatch, type StepTiming } from '../shared/world-batch.js';
import type { Pose } from '../../sim-worker/api/bodies.js';
import type { PageFilters, PageHooks, PairHandles, RunningTick } from './page-hooks.js';
import type { WorldContents } from './world-contents.js';

/** Runs the page's hooks in the ticks of one world, or applies what they have changed in a recorded tick. */
export class TickHooks implements RunningTick, PageFilters {
  tick = 0;
  readonly rapier: Rapier;
  readonly #context: RunContext;
  readonly #physics: RapierWorld;
  readonly #contents: WorldContents;
  #page: PageHooks | undefined;
  /** Recorded batches of the tick that a replay repeats, in order. */
  #recorded: Uint8Array[] = [];

  constructor({ rapier, physics, context }: RapierTools, contents: WorldContents) {
    this.rapier = rapier;
    this.#context = context as RunContext;
    this.#physics = physics;
    this.#contents = contents;
    contents.systems.page = this;
  }

  get isFiltering(): boolean {
    return this.#page?.isFiltering === true;
  }

  filterContactPair(...handles: PairHandles): number | null {
    return this.#page?.filterContactPair(this, ...handles) ?? null;
  }

  filterIntersectionPair(...handles: PairHandles): boolean {
    return this.#page?.filterIntersectionPair(this, ...handles) !== false;
  }

  get world(): RapierWorld['world'] {
    return this.#physics.world;
  }

  get values(): Float32Array {
    return this.#context.values;
  }

  get lastBatch(): number {
    return this.#contents.lastBatch;
  }

  begin(tick: number, page: PageHooks | undefined): void {
    this.tick = tick;
    this.#page = page;
  }

  /** Keeps a batch for the step that it was recorded in. @returns Whether it is one of these. */
  takesRecorded(bytes: Uint8Array): boolean {
    const timing = timingOf(bytes);
    const isRecorded = timing === WITHIN_TICK.before || timing === WITHIN_TICK.after;
    if (isRecorded) this.#recorded.push(bytes);
    return isRecorded;
  }

  /** @throws Error if the tick was recorded with filters of the page, and there are none. */
  run(timing: StepTiming): void {
    if (!this.#context.isReplaying) this.#page?.run(timing, this);
    else {
      for (const bytes of this.#recorded) {
        if (timingOf(bytes) === WITHIN_TICK[timing]) this.#contents.applyWaiting(bytes);
      }
    }
    if (timing === 'before') this.#prepareFilters();
    else if (this.#recorded.length > 0) this.#recorded = [];
  }

  /** Records whether the page filters from now on. */
  #prepareFilters(): void {
    const { isFiltering } = this;
    const { asksPage } = this.#contents.systems;
    if (asksPage === isFiltering) return;
    if (!this.#context.isReplaying) this.apply(batchOf({ pageFilters: isFiltering }));
    else if (asksPage) throw new Error(NO_FILTERS);
  }

  bodyOf(handle: number): InstanceType<Rapier['RigidBody']> | undefined {
    return this.#contents.bodies.get(handle);
  }

  publishedPose(handle: number): Pose | undefined {
    return this.#contents.bodies.publishedPose(handle);
  }

  colliderOf(handle: number): InstanceType<Rapier['Collider']> | undefined {
    return this.#contents.colliders.get(handle);
  }

  handleOfCollider(collider: InstanceType<Rapier['Collider']>): number | undefined {
    return this.#contents.colliders.handleOf(collider);
  }

  apply(bytes: Uint8Array): Omit<AppliedBatch, 'tick'> {
    this.#context.recordBatch(bytes);
    return this.#contents.apply(bytes);
  }
}

/** A batch that sets something of the world, before the engine's step. */
function batchOf(world: WorldFields): Uint8Array {
  const [removed, changed] = [byKind(KIND_NAMES, () => []), byKind(KIND_NAMES, () => [])];
  const out = new ByteWriter();
  writeBatch(out, { removed, world, changed }, undefined, WITHIN_TICK.before);
  return out.toBytes();
}

const NO_FILTERS =
  'it was recorded with filters of the page (useFilterContactPair, useFilterIntersectionPair, or World.addStepHooks), which ' +
  "are code: mount them, in a world with transport: 'local'";

/** @throws Error if a batch has pairs filtered by the page, and there is nothing that does. */
export function requireFilters(bytes: Uint8Array, page: PageHooks | undefined): void {
  if (page?.isFiltering === true || worldFieldsOf(bytes)?.pageFilters !== true) return;
  throw new Error(NO_FILTERS);
}
