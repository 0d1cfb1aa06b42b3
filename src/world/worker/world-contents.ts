/** The contents of a world, by kinds: applies batches, describes what is there, saves and restores it. */
import { base64Of, bytesOfBase64, ByteWriter } from '../../shared/util/bytes.js';
import type { Json } from '../../shared/util/json.js';
import {
  byKind,
  type AppliedBatch,
  type BatchProblem,
  type Change,
  type WorldBatch,
} from '../shared/world-batch.js';
import { readBatch, writeBatch } from '../shared/batch-codec.js';
import {
  DEFAULT_SNAP_OVER,
  KIND_NAMES,
  type Kind,
  type WorldFields,
} from '../shared/setting-tables.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import { watchesOf } from '../../rapier/rapier-watches.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import { lookAtGravity } from '../../rapier/waking.js';
import { setSolver, solverFields } from './apply-fields.js';
import { otherVersion, type KindContents } from './kind-contents.js';
import type { SystemMap } from './system.js';
import { ValueOwners } from './value-owners.js';
import { WorldBodies } from './world-bodies.js';
import { WorldCharacters } from './world-characters.js';
import { WorldColliders } from './world-colliders.js';
import { WorldJoints, WorldMultibodyJoints } from './world-joints.js';
import { WorldShapes } from './world-shapes.js';
import { WorldSystems } from './world-systems.js';
import { WorldVehicles } from './world-vehicles.js';

/** A type and not an interface, so that it counts as plain data. */
type SavedContents = { readonly batch: string; readonly own: Readonly<Record<Kind, Json>> };
const NONE: ReadonlySet<number> = new Set();

export class WorldContents {
  readonly bodies: WorldBodies;
  readonly colliders: WorldColliders;
  readonly joints: WorldJoints;
  readonly systems: WorldSystems;
  readonly characters: WorldCharacters;
  readonly vehicles: WorldVehicles;
  readonly shapes: WorldShapes;
  readonly #physics: RapierWorld;
  readonly #owners: ValueOwners;
  readonly #kinds: { readonly [K in Kind]: KindContents<K> };
  /** The world's settings as they were set: the engine cannot tell all of them. */
  #settings: WorldFields = {};
  /** Number of the last batch of the page. */
  lastBatch = 0;
  /** Most states are saved after the same batch as the one before. */
  #saved: string | undefined;

  constructor(tools: RapierTools, systems: SystemMap) {
    const { rapier, physics, context } = tools;
    this.#physics = physics;
    this.bodies = new WorldBodies(rapier, physics);
    this.shapes = new WorldShapes(rapier, context.assets);
    this.colliders = new WorldColliders(tools, this.shapes, this.bodies);
    // Events name colliders as the page does.
    watchesOf(physics).numberOf = (collider) =>
      this.colliders.handleOf(collider) ?? collider.handle;
    this.joints = new WorldJoints(rapier, physics, this.bodies);
    this.systems = new WorldSystems(systems, tools, this.colliders);
    const owners = new ValueOwners(context.values);
    this.#owners = owners;
    this.characters = new WorldCharacters(tools, this.colliders, owners);
    this.vehicles = new WorldVehicles(tools, this.colliders, owners);
    this.#kinds = {
      body: this.bodies,
      collider: this.colliders,
      joint: this.joints,
      multibodyJoint: new WorldMultibodyJoints(rapier, physics, this.bodies),
      system: this.systems,
      character: this.characters,
      vehicle: this.vehicles,
    };
  }

  /**
   * Applies a batch. Items that the engine cannot make are left out.
   *
   * @returns Handle and id of each body that is drawn from now on, and the problem of each item that is left out.
   * @throws RangeError if it is no batch; nothing is changed then.
   */
  apply(bytes: Uint8Array): Omit<AppliedBatch, 'tick'> {
    const { removed, world, changed } = readBatch(bytes, this.shapes.geometry);
    const problems: BatchProblem[] = [];
    this.#saved = undefined;
    for (const kind of KIND_NAMES.toReversed()) {
      for (const handle of removed[kind]) this.#of(kind).remove(handle);
    }
    if (removed.body.length + removed.collider.length > 0) {
      for (const kind of KIND_NAMES) this.#of(kind).forgetGone();
    }
    this.#configure(world);
    let ids: number[] = [];
    for (const kind of KIND_NAMES) {
      // Before systems are made, which may add bodies: these take no slot that was counted on.
      if (kind === 'system') {
        this.colliders.finish(this.bodies.displaced());
        ids = this.bodies.finish();
      }
      for (const change of changed[kind]) {
        const text = problemOf(() => this.#of(kind).apply(change as Change<Kind>));
        if (text !== undefined) problems.push({ item: [kind, change.handle], text });
      }
    }
    return { ids, problems };
  }

  /** Applies a batch whose call has been answered. @returns Its problems. */
  applyWaiting(bytes: Uint8Array): readonly BatchProblem[] {
    let problems: readonly BatchProblem[] = [];
    const text = problemOf(() => {
      ({ problems } = this.apply(bytes));
    });
    return text === undefined ? problems : [{ text }];
  }

  /**
   * Describes the contents as a batch that would make them again, as far as the engine can tell.
   *
   * @param known Handles of what the page has: it needs no shapes of these.
   */
  describe(known: ReadonlySet<number>): Uint8Array {
    const { gravity, integrationParameters: parameters } = this.#physics.world;
    const world = { ...this.#settings, ...solverFields(parameters), gravity };
    return this.#batchOf(world, (kind) => kind.describe(known));
  }

  /** A batch with what the engine's own state does not say, and what each kind saves besides. */
  save(): Json {
    this.#saved ??= base64Of(
      this.#batchOf(
        { ...this.#settings, snapOver: this.bodies.snapOver },
        (kind) => kind.unreported?.() ?? kind.describe(NONE),
      ),
    );
    return { batch: this.#saved, own: byKind(KIND_NAMES, (kind) => this.#of(kind).save()) };
  }

  /**
   * The engine has the saved world already.
   *
   * @throws RangeError if it is not what `save` returned.
   */
  restore(saved: Json): void {
    const { batch, own } = (saved ?? {}) as Partial<SavedContents>;
    if (typeof batch !== 'string' || own === undefined) throw otherVersion();
    this.#saved = undefined;
    const { world, changed } = readBatch(bytesOfBase64(batch), this.shapes.geometry, true);
    const { snapOver = DEFAULT_SNAP_OVER, ...settings } = world;
    this.bodies.snapOver = snapOver;
    this.#settings = settings;
    this.systems.asksPage = settings.pageFilters === true;
    this.#owners.clear();
    for (const kind of KIND_NAMES) {
      this.#of(kind).restore(changed[kind] as readonly Change<Kind>[], own[kind]);
    }
  }

  #batchOf(
    world: WorldFields,
    changesOf: (kind: KindContents<Kind>) => Change<Kind>[],
  ): Uint8Array {
    const changed = byKind(KIND_NAMES, (kind) => changesOf(this.#of(kind)));
    const batch = { removed: byKind(KIND_NAMES, () => []), world, changed } as WorldBatch;
    const out = new ByteWriter();
    writeBatch(out, batch, (numbers) => this.shapes.geometry.nameOf(numbers));
    return out.toBytes();
  }

  #of(kind: Kind): KindContents<Kind> {
    return this.#kinds[kind] as KindContents<Kind>;
  }

  #configure(fields: WorldFields): void {
    const { world } = this.#physics;
    const { gravity, snapOver, batch, ...settings } = fields;
    if (batch !== undefined) {
      this.lastBatch = batch;
      this.#owners.lastBatch = batch;
    }
    if (settings.pageFilters !== undefined) this.systems.asksPage = settings.pageFilters;
    if (snapOver !== undefined) this.bodies.snapOver = snapOver;
    if (gravity !== undefined) {
      world.gravity = { ...gravity };
      // Before bodies are made, which may be meant to sleep in it.
      lookAtGravity(world);
    }
    Object.assign(this.#settings, settings);
    setSolver(world.integrationParameters, settings);
  }
}

/** @throws Anything but a RangeError: the engine has failed as a whole. */
function problemOf(apply: () => void): string | undefined {
  try {
    apply();
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
