/**
 * The page's own engine, which only answers questions: Rapier, with what the page has described, where the newest state
 * has it. It never simulates. Nothing is done until something asks, and then only what has changed since:
 *
 *     what the page writes ─▶ changed things ─┐
 *     a newer state ────────▶ poses ──────────┴─ question ─▶ applied, a step of 0 s ─▶ the engine answers
 *
 * - Bodies have their types, because controllers look at them; but positions are set from outside, so those that are moved
 *   by positions are moved by velocities here, and have the newest one.
 * - Bodies sleep: a step of 0 s would round the poses of others.
 * - Colliders meet nothing (`activeCollisionTypes` is 0), so that the step computes no contacts. It moves the tree of
 *   boxes that queries search.
 * - The engine must not be changed while it calls back: all later calls of it would throw. Writes in a predicate are
 *   applied after it, and questions in it see the same moment.
 */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from '../shared/shape-data.js';
import type { BodyFields, ColliderFields } from '../shared/setting-tables.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { describeBody, setBody, describeCollider, setCollider } from '../worker/apply-fields.js';
import { WorldShapes } from '../worker/world-shapes.js';
import {
  AskedEngine,
  type EngineBody,
  type EngineCollider,
  type EngineWorld,
} from './asked-engine.js';

/** Position and rotation. */
const POSE_LENGTH = 7;
/** Linear and angular velocity. */
const VELOCITY_LENGTH = 6;

/** A body, as the page has it. */
export interface QueriedBody {
  readonly handle: number;
  /** The fields as they were set last, apart from motion: another object whenever one is changed. */
  readonly fields: Readonly<BodyFields>;
  /** Writes what `translation` and `rotation` of the handle return. */
  readPose(into: Float64Array): void;
  /** Writes what `linvel` and `angvel` of the handle return, without impulses that no state shows. */
  readVelocity(into: Float64Array): void;
  linvel(): Vector;
  angvel(): Vector;
}

/** A collider, as the page has it. */
export interface QueriedCollider {
  readonly handle: number;
  readonly fields: Readonly<ColliderFields>;
  parent(): { readonly handle: number; isEnabled(): boolean } | null;
}

/** The bodies and colliders that the page has. */
export interface QueriedContents {
  bodyOf(handle: number): QueriedBody | undefined;
  colliderOf(handle: number): QueriedCollider | undefined;
  /** Handles of all bodies and colliders, ascending. */
  handles(): readonly number[];
  /** Another number whenever other poses may be read than before. */
  readonly revision: number;
  /** Seconds of a tick, and the length of a typical thing. */
  readonly parameters: { readonly dt: number; readonly lengthUnit: number };
}

interface PlacedBody {
  readonly page: QueriedBody;
  readonly body: EngineBody;
  /** The fields that were applied last. */
  fields: Readonly<BodyFields>;
  /** The pose that was set last. */
  readonly pose: Float64Array;
  /** Undefined unless it is kinematic. */
  velocity: Float64Array | undefined;
}

interface PlacedCollider {
  readonly page: QueriedCollider;
  readonly collider: EngineCollider;
  shape: ShapeData | undefined;
}

/** Shapes of the page have the arrays themselves. */
const NO_ASSETS = {
  get(name: string): never {
    throw new Error(`the page has no asset ${name} of a shape`);
  },
};

/** Makes the engine's shapes of the page's. */
export const pageShapes = (rapier: Rapier): WorldShapes => new WorldShapes(rapier, NO_ASSETS);

/** The pose and the velocity that the page has now. */
const newPose = new Float64Array(POSE_LENGTH);
const newVelocity = new Float64Array(VELOCITY_LENGTH);

/** The engine copies what it is given: these are filled for each body with each state. */
const vector: Vector = { x: 0, y: 0, z: 0 };
const rotation: Rotation = { x: 0, y: 0, z: 0, w: 1 };

function vectorAt(from: Float64Array, index: number): Vector {
  vector.x = from[index] as number;
  vector.y = from[index + 1] as number;
  vector.z = from[index + 2] as number;
  return vector;
}

function rotationAt(from: Float64Array, index: number): Rotation {
  rotation.x = from[index] as number;
  rotation.y = from[index + 1] as number;
  rotation.z = from[index + 2] as number;
  rotation.w = from[index + 3] as number;
  return rotation;
}

export class QueryWorld extends AskedEngine {
  readonly rapier: Rapier;
  protected readonly world: EngineWorld;
  readonly #contents: QueriedContents;
  readonly #bodies = new Map<number, PlacedBody>();
  readonly #colliders = new Map<number, PlacedCollider>();
  /** By the engine's number. */
  readonly #pages = new Map<number, QueriedCollider>();
  /** Handles of what was made, changed or removed since the last question. */
  readonly #changed = new Set<number>();
  /** Handles of colliders whose contacts are computed, and whether these were asked for since the last state. */
  readonly #touching = new Map<number, boolean>();
  #revision = Number.NaN;
  /** Something is elsewhere than where a step has found it. */
  #isStale = false;
  /** All is made again, with the next question. */
  #isForgotten = false;

  constructor(rapier: Rapier, contents: QueriedContents) {
    super(pageShapes(rapier));
    this.rapier = rapier;
    this.#contents = contents;
    this.world = new rapier.World({ x: 0, y: 0, z: 0 });
    this.forget();
  }

  /** Something was made, changed or removed. */
  noteChange(handle: number): void {
    this.#changed.add(handle);
  }

  /** The run has jumped: all is made again. */
  forget(): void {
    for (const handle of [...this.#bodies.keys(), ...this.#colliders.keys()]) {
      this.#changed.add(handle);
    }
    for (const handle of this.#contents.handles()) this.#changed.add(handle);
    this.#isForgotten = true;
  }

  askBody<T>(handle: number, question: (body: EngineBody) => T): T | undefined {
    if (this.depth === 0) {
      this.#isStale = this.#placeWritten() || this.#isStale;
      if (this.#changed.size > 0) this.prepare();
    }
    const placed = this.#bodies.get(handle);
    if (placed === undefined) return undefined;
    if (this.depth === 0) this.#isStale = this.#place(placed) || this.#isStale;
    return question(placed.body);
  }

  bodyOf(handle: number): EngineBody | undefined {
    return this.#bodies.get(handle)?.body;
  }

  colliderOf(handle: number): EngineCollider | undefined {
    return this.#colliders.get(handle)?.collider;
  }

  pageOf(collider: EngineCollider): QueriedCollider {
    return this.#pages.get(collider.handle) as QueriedCollider;
  }

  /** All dynamic bodies that are enabled. */
  *dynamicBodies(): Iterable<readonly [QueriedBody, EngineBody]> {
    for (const { page, body } of this.#bodies.values()) {
      if (body.isDynamic() && body.isEnabled()) yield [page, body];
    }
  }

  /** Bodies have the velocities of the newest state from here on; otherwise only kinematic ones have. */
  setVelocity(page: QueriedBody, body: EngineBody): void {
    body.setLinvel(page.linvel(), false);
    body.setAngvel(page.angvel(), false);
  }

  /**
   * Has the engine compute the contacts of a collider with all others, as long as they are asked for with each state.
   *
   * @returns Undefined for what the engine has not.
   */
  touch(handle: number): EngineCollider | undefined {
    const collider = this.colliderOf(handle);
    const isKnown = this.#touching.has(handle);
    // The engine must not be changed while it calls back.
    if (collider === undefined || (!isKnown && this.depth > 1)) return collider;
    this.#touching.set(handle, true);
    if (isKnown || !collider.isEnabled()) return collider;
    // Pairs are found when boxes begin to overlap.
    collider.setEnabled(false);
    this.#step();
    collider.setActiveCollisionTypes(this.rapier.ActiveCollisionTypes.ALL);
    collider.setEnabled(true);
    this.#step();
    return collider;
  }

  /** The engine's own objects are freed. */
  free(): void {
    this.world.free();
  }

  protected prepare(): void {
    const { revision, parameters } = this.#contents;
    const { dt: timestep, lengthUnit } = parameters;
    this.#isStale = this.#placeWritten() || this.#isStale;
    if (this.#changed.size > 0) {
      this.#applyChanges();
      this.#isStale = true;
    }
    if (revision !== this.#revision) {
      this.#revision = revision;
      // An iterator would be garbage of each frame.
      this.#bodies.forEach(this.#placeInStep);
      this.#endTouching();
    }
    if (this.#isStale) {
      this.#isStale = false;
      if (this.world.lengthUnit !== lengthUnit) this.world.lengthUnit = lengthUnit;
      this.#step();
    }
    // Controllers read it.
    if (this.world.timestep !== timestep) this.world.timestep = timestep;
  }

  #step(): void {
    const { timestep } = this.world;
    this.world.timestep = 0;
    this.world.step();
    this.world.timestep = timestep;
  }

  #endTouching(): void {
    for (const [handle, wasAsked] of this.#touching) {
      if (wasAsked) this.#touching.set(handle, false);
      else {
        this.#touching.delete(handle);
        this.colliderOf(handle)?.setActiveCollisionTypes(0 as never);
      }
    }
  }

  /**
   * Bodies that were pushed, or put elsewhere. Some applications push between questions, many times in each frame: an
   * impulse moves nothing here.
   *
   * @returns Whether any has moved.
   */
  #placeWritten(): boolean {
    if (this.#isForgotten) return false;
    let haveMoved = false;
    for (const handle of this.#changed) {
      const placed = this.#bodies.get(handle);
      if (placed === undefined || placed.page !== this.#contents.bodyOf(handle)) continue;
      if (placed.fields !== placed.page.fields) continue;
      this.#changed.delete(handle);
      haveMoved = this.#place(placed) || haveMoved;
    }
    return haveMoved;
  }

  #applyChanges(): void {
    for (const handle of this.#changed) {
      // The body is enabled for a moment: the engine does not compute the mass of others.
      const parent = this.#contents.colliderOf(handle)?.parent();
      if (parent?.isEnabled() === false) this.#changed.add(parent.handle);
    }
    const handles = [...this.#changed].toSorted((a, b) => a - b);
    this.#changed.clear();
    for (const handle of handles) this.#removeGone(handle);
    this.#isForgotten = false;
    for (const handle of handles) {
      const body = this.#contents.bodyOf(handle);
      if (body !== undefined) this.#applyBody(body);
    }
    for (const handle of handles) {
      const collider = this.#contents.colliderOf(handle);
      if (collider !== undefined) this.#applyCollider(collider);
    }
    const disabled = handles
      .map((handle) => this.#bodies.get(handle))
      .filter((placed) => placed?.page.fields.enabled === false);
    if (disabled.length === 0) return;
    // Disabled bodies have the masses of their colliders, which the engine finds while they are enabled.
    this.#step();
    for (const placed of disabled) placed?.body.setEnabled(false);
  }

  #removeGone(handle: number): void {
    const body = this.#bodies.get(handle);
    const collider = this.#colliders.get(handle);
    if (body !== undefined && (this.#isForgotten || this.#contents.bodyOf(handle) !== body.page)) {
      this.#bodies.delete(handle);
      this.world.removeRigidBody(body.body);
    }
    const isGone = this.#isForgotten || this.#contents.colliderOf(handle) !== collider?.page;
    if (collider === undefined || !isGone) return;
    this.#colliders.delete(handle);
    this.#touching.delete(handle);
    // The collider may have gone with its body, and another may have its number already: none is made before all are removed.
    this.#pages.delete(collider.collider.handle);
    if (collider.collider.isValid()) this.world.removeCollider(collider.collider, false);
  }

  #applyBody(page: QueriedBody): void {
    const { translation: _, rotation: __, linvel: ___, angvel: ____, ...settings } = page.fields;
    const { KinematicPositionBased, KinematicVelocityBased } = this.rapier.RigidBodyType;
    const bodyType =
      settings.bodyType === KinematicPositionBased ? KinematicVelocityBased : settings.bodyType;
    const fields: BodyFields = { ...settings, enabled: true, sleeping: false, wakeUp: false };
    if (bodyType !== undefined) fields.bodyType = bodyType;
    const before = this.#bodies.get(page.handle);
    if (before === undefined) {
      const body = this.world.createRigidBody(describeBody(this.rapier, fields));
      const pose = unknown(POSE_LENGTH);
      const placed = { page, body, fields: page.fields, pose, velocity: undefined };
      this.#bodies.set(page.handle, placed);
      this.#placeChanged(placed);
      return;
    }
    setBody(before.body, fields, this.rapier);
    before.fields = page.fields;
    before.body.setEnabled(true);
    this.#placeChanged(before);
  }

  #placeChanged(placed: PlacedBody): void {
    placed.velocity = placed.body.isKinematic() ? unknown(VELOCITY_LENGTH) : undefined;
    // Before it has a velocity, which this takes away.
    placed.body.sleep();
    this.#place(placed);
  }

  #applyCollider(page: QueriedCollider): void {
    const { shape, ...others } = page.fields;
    // The worker has it with its pieces.
    if (shape?.pieces !== undefined) return;
    const fields = { ...others, activeCollisionTypes: 0, activeEvents: 0, activeHooks: 0 };
    const before = this.#colliders.get(page.handle);
    try {
      if (before !== undefined) {
        const isOther = shape !== undefined && shape !== before.shape;
        before.shape = shape;
        setCollider(this.shapes, before.collider, isOther ? { ...fields, shape } : fields);
        this.#touching.delete(page.handle);
        return;
      }
      const parent = page.parent();
      const body = parent === null ? undefined : this.bodyOf(parent.handle);
      if (shape === undefined || (parent !== null && body === undefined)) return;
      const desc = describeCollider(this.shapes, { ...fields, shape });
      const collider = this.world.createCollider(desc, body);
      this.#colliders.set(page.handle, { page, collider, shape });
      this.#pages.set(collider.handle, page);
    } catch (error) {
      // The worker says so, too, and what was wrong.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Made once: a function made in `prepare` would be garbage of each frame. */
  readonly #placeInStep = (placed: PlacedBody): void => {
    if (this.#place(placed)) this.#isStale = true;
  };

  /** @returns Whether it has moved. */
  #place({ page, body, pose, velocity }: PlacedBody): boolean {
    if (velocity !== undefined) {
      page.readVelocity(newVelocity);
      if (takeOver(newVelocity, velocity, 0, VELOCITY_LENGTH)) setNewVelocity(body);
    }
    page.readPose(newPose);
    const hasMoved = takeOver(newPose, pose, 0, 3);
    const hasTurned = takeOver(newPose, pose, 3, POSE_LENGTH);
    if (hasMoved) body.setTranslation(vectorAt(pose, 0), false);
    if (hasTurned) body.setRotation(rotationAt(pose, 3), false);
    return hasMoved || hasTurned;
  }
}

function setNewVelocity(body: EngineBody): void {
  body.setLinvel(vectorAt(newVelocity, 0), false);
  body.setAngvel(vectorAt(newVelocity, 3), false);
}

/** NaN differs from everything. */
const unknown = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);

/** Copies some numbers. @returns Whether any of them has changed. */
function takeOver(from: Float64Array, to: Float64Array, start: number, end: number): boolean {
  let hasChanged = false;
  for (let index = start; index < end; index++) {
    hasChanged ||= to[index] !== from[index];
    // Also one that is equal: −0 is a coordinate other than 0 for the engine.
    to[index] = from[index] as number;
  }
  return hasChanged;
}
