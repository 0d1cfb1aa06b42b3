/** The colliders of a world. */
import type { Json } from '../../shared/util/json.js';
import type { Change } from '../shared/world-batch.js';
import { COLLIDER, COLLIDER_MASSES, type ColliderFields } from '../shared/setting-tables.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierEvents } from '../../rapier/rapier-events.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import { lookAgain, wakeAround, wakeTouching } from '../../rapier/waking.js';
import { colliderFields, describeCollider, setCollider } from './apply-fields.js';
import { EngineObjects, type KindContents, UnreportedFields } from './kind-contents.js';
import { OneWays } from './one-ways.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldShapes } from './world-shapes.js';

type Collider = InstanceType<Rapier['Collider']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

type SavedColliders = {
  readonly colliders: Json;
  readonly oneWays: Json;
};

export class WorldColliders implements KindContents<'collider'> {
  /** The bodies that colliders are parts of. */
  readonly bodies: WorldBodies;
  readonly oneWays: OneWays;
  readonly #engineShapes: WorldShapes;
  /** The engine's world is another one after a restore. */
  readonly #physics: RapierWorld;
  readonly #events: RapierEvents;
  readonly #colliders = new EngineObjects<Collider>();
  readonly #unreported = new UnreportedFields<'collider'>(COLLIDER, 'shape');

  /** In the batch that is applied. */
  readonly #changed = new Set<Collider>();

  constructor({ rapier, physics, events }: RapierTools, shapes: WorldShapes, bodies: WorldBodies) {
    this.#engineShapes = shapes;
    this.#physics = physics;
    this.#events = events;
    this.bodies = bodies;
    this.oneWays = new OneWays(rapier, physics);
  }

  /** Undefined: it was removed. */
  get(handle: number): Collider | undefined {
    return this.#colliders.get(handle);
  }

  /** The page's handle. */
  handleOf(collider: Pick<Collider, 'handle'>): number | undefined {
    return this.#colliders.handleOf(collider);
  }

  /** The page's handle of what has a number of the engine's. */
  handleOfNumber(number: number | undefined): number | undefined {
    return this.#colliders.handleOfNumber(number);
  }

  remove(handle: number): void {
    const collider = this.#colliders.take(handle);
    this.#unreported.delete(handle);
    if (collider === undefined) return;
    // The page sends which bodies this wakes.
    this.#physics.world.removeCollider(collider, false);
  }

  /** Wakes what is around colliders that have changed or are in other places. */
  finish(bodies: Iterable<RigidBody>): void {
    const { world } = this.#physics;
    for (const body of bodies) {
      for (let at = 0; at < body.numColliders(); at++) this.#changed.add(body.collider(at));
    }
    if (this.#changed.size === 0) return;
    world.propagateModifiedBodyPositionsToColliders();
    for (const collider of this.#changed) {
      if (collider.isValid()) wakeAround(world, collider);
    }
    this.#changed.clear();
  }

  /** Wakes what filters are asked about: they may answer otherwise now. */
  wakeFiltered(): void {
    const { world } = this.#physics;
    world.forEachCollider((collider) => {
      if (collider.activeHooks() !== 0) wakeTouching(world, collider);
    });
  }

  forgetGone(): void {
    this.#colliders.forgetGone();
    this.#unreported.keepOnly((handle) => this.#colliders.get(handle) !== undefined);
  }

  apply({ handle, parts, fields }: Change<'collider'>): void {
    if (parts === undefined) {
      const collider = this.#colliders.get(handle);
      if (collider === undefined) return;
      if (fields.shape !== undefined && this.#isTouched(collider)) {
        this.#remake(handle, collider, fields);
        return;
      }
      setCollider(this.#engineShapes, collider, fields);
      this.#note(handle, collider, fields);
      if (has(fields, UNNOTICED)) {
        lookAgain(collider);
        collider.parent()?.wakeUp();
      }
      // A body that is touched wakes by itself, and one on a joint does not.
      if (has(fields, COLLIDER_MASSES)) collider.parent()?.wakeUp();
      if (has(fields, UNNOTICED) || has(fields, PLACE)) this.#changed.add(collider);
      return;
    }
    const [parent] = parts;
    const body = parent === undefined ? undefined : this.bodies.get(parent);
    if (parent !== undefined && body === undefined) return;
    this.#make(handle, body, fields);
  }

  describe(known: ReadonlySet<number>): Change<'collider'>[] {
    return [...this.#colliders].map(([handle, collider]) => {
      const body = collider.parent();
      const parent = body === null ? undefined : this.bodies.handleOf(body);
      const { shape, ...fields } = this.#fieldsOf(handle, collider);
      return {
        handle,
        parts: parent === undefined ? [] : [parent],
        fields: known.has(handle) || shape === undefined ? fields : { ...fields, shape },
      };
    });
  }

  unreported(): Change<'collider'>[] {
    return this.#unreported.changes();
  }

  save(): Json {
    return { colliders: this.#colliders.save(), oneWays: this.oneWays.save() };
  }

  restore(changes: readonly Change<'collider'>[], saved: Json): void {
    const { colliders, oneWays } = (saved ?? {}) as Partial<SavedColliders>;
    this.oneWays.restore(oneWays);
    this.#colliders.restore(colliders, (number) => this.#physics.world.getCollider(number));
    this.#unreported.restore(changes);
  }

  #make(handle: number, body: RigidBody | undefined, fields: ColliderFields): void {
    const desc = describeCollider(this.#engineShapes, fields);
    const collider = this.#physics.world.createCollider(desc, body);
    this.#colliders.set(handle, collider);
    this.#note(handle, collider, fields);
    this.#changed.add(collider);
  }

  /**
   * Makes a collider again that has another shape: the engine keeps the points where the old one is touched, for as
   * long as what touches it rests.
   */
  #remake(handle: number, before: Collider, fields: ColliderFields): void {
    const { world } = this.#physics;
    const body = before.parent() ?? undefined;
    wakeAround(world, before);
    this.#make(handle, body, { ...this.#fieldsOf(handle, before), ...fields });
    world.removeCollider(before, true);
  }

  /** Whether it has contacts; a sensor has none. */
  #isTouched(collider: Collider): boolean {
    let isTouched = false;
    this.#physics.world.contactPairsWith(collider, () => {
      isTouched = true;
    });
    return isTouched;
  }

  #fieldsOf(handle: number, collider: Collider): ColliderFields {
    const unreported = this.#unreported.of(handle);
    return { ...colliderFields(collider), ...unreported, ...this.oneWays.fieldsOf(collider) };
  }

  /** Keeps what the engine cannot tell or does not do. */
  #note(handle: number, collider: Collider, fields: ColliderFields): void {
    this.#unreported.note(handle, fields);
    this.oneWays.note(collider, fields);
    this.#report(collider, fields.activeEvents);
  }

  /** A collision that is on begins, or ends, with the change: begin and end alternate. */
  #report(collider: Collider, activeEvents: number | undefined): void {
    if (activeEvents === undefined) return;
    const isWatched =
      (activeEvents & this.#engineShapes.rapier.ActiveEvents.COLLISION_EVENTS) !== 0;
    if (isWatched) this.#events.watchCollisions(collider);
    else this.#events.unwatchCollisions(collider);
  }
}

/** Fields that the engine does not look at again while bodies rest, or wakes nothing for. */
const UNNOTICED = [
  'friction',
  'frictionCombineRule',
  'restitution',
  'restitutionCombineRule',
  'contactSkin',
  'activeCollisionTypes',
  'activeHooks',
  'oneWay',
] as const;
/** Fields by which a collider may come to touch others. */
const PLACE = [
  'shape',
  'translation',
  'rotation',
  'enabled',
  'sensor',
  'collisionGroups',
  'solverGroups',
] as const;

const has = (fields: ColliderFields, names: readonly (keyof ColliderFields)[]): boolean =>
  names.some((name) => fields[name] !== undefined);
