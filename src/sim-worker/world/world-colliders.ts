/** The colliders of a world. */
import type { Json } from '../../shared/util/json.js';
import type { Change } from '../../shared/world/world-batch.js';
import { COLLIDER_FIELDS } from '../../shared/world/world-fields.js';
import type { Rapier } from '../engines/rapier-builds.js';
import type { RapierEvents } from '../engines/rapier-events.js';
import type { RapierWorld } from '../engines/rapier-world.js';
import { describeCollider, fieldsOf, setCollider } from './apply-collider.js';
import { EngineThings } from './engine-things.js';
import type { KindContents } from './kind-contents.js';
import { OneWays } from './one-ways.js';
import type { WorldBodies } from './world-bodies.js';
import { SetFields } from './set-fields.js';
import type { WorldShapes } from './world-shapes.js';

type Collider = InstanceType<Rapier['Collider']>;

type SavedColliders = {
  readonly colliders: Json;
  readonly set: Json;
  readonly oneWays: Json;
};

/** What is reported of which collider. */
export type CollisionWatch = Pick<RapierEvents, 'watchCollisions' | 'unwatchCollisions'>;

export class WorldColliders implements KindContents<'collider'> {
  readonly oneWays: OneWays;
  readonly #engineShapes: WorldShapes;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  readonly #events: CollisionWatch;
  readonly #bodies: WorldBodies;
  readonly #colliders = new EngineThings<Collider>();
  readonly #set = new SetFields(
    COLLIDER_FIELDS,
    ['shape', 'enabled'],
    ['density', 'mass', 'massProperties'],
  );

  constructor(
    shapes: WorldShapes,
    physics: RapierWorld,
    events: CollisionWatch,
    bodies: WorldBodies,
  ) {
    this.#engineShapes = shapes;
    this.#physics = physics;
    this.#events = events;
    this.#bodies = bodies;
    this.oneWays = new OneWays(shapes.rapier, physics);
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
    this.#set.delete(handle);
    this.oneWays.delete(handle);
    if (collider === undefined) return;
    this.#physics.world.removeCollider(collider, true);
  }

  forgetGone(): void {
    this.#colliders.forgetGone();
    this.oneWays.forgetGone();
    this.#set.keepOnly((handle) => this.#colliders.get(handle) !== undefined);
  }

  apply({ handle, parts, fields }: Change<'collider'>): void {
    if (parts === undefined) {
      const collider = this.#colliders.get(handle);
      if (collider === undefined) return;
      setCollider(this.#engineShapes, collider, fields);
      this.oneWays.apply(handle, collider, fields, false);
      this.#set.note(handle, fields);
      this.#report(collider, fields.activeEvents);
      return;
    }
    const [parent] = parts;
    const body = parent === undefined ? undefined : this.#bodies.get(parent);
    if (parent !== undefined && body === undefined) return;
    const desc = describeCollider(this.#engineShapes, fields);
    const collider = this.#physics.world.createCollider(desc, body);
    this.#colliders.set(handle, collider);
    this.oneWays.apply(handle, collider, fields, true);
    this.#set.note(handle, fields);
    this.#report(collider, fields.activeEvents);
  }

  describe(known: ReadonlySet<number>): Change<'collider'>[] {
    return [...this.#colliders].map(([handle, collider]) => {
      const body = collider.parent();
      const parent = body === null ? undefined : this.#bodies.handleOf(body);
      const { shape, ...set } = this.#set.of(handle);
      return {
        handle,
        parts: parent === undefined ? [] : [parent],
        fields: {
          ...fieldsOf(collider),
          ...set,
          ...this.oneWays.fieldsOf(handle),
          ...(known.has(handle) || shape === undefined ? {} : { shape }),
        },
      };
    });
  }

  save(): Json {
    return {
      colliders: this.#colliders.save(),
      set: this.#set.save(this.#engineShapes.geometry),
      oneWays: this.oneWays.save(),
    };
  }

  restore(saved: Json): void {
    const { colliders, set, oneWays } = (saved ?? {}) as Partial<SavedColliders>;
    this.#colliders.restore(colliders, (number) => this.#physics.world.getCollider(number));
    this.oneWays.restore(oneWays, (handle) => this.#colliders.get(handle));
    this.#set.restore(set, this.#engineShapes.geometry);
  }

  /** What touches it already begins, and ends, with the change: begin and end alternate. */
  #report(collider: Collider, activeEvents: number | undefined): void {
    if (activeEvents === undefined) return;
    const isWatched =
      (activeEvents & this.#engineShapes.rapier.ActiveEvents.COLLISION_EVENTS) !== 0;
    if (isWatched) this.#events.watchCollisions(collider);
    else this.#events.unwatchCollisions(collider);
    collider.setActiveEvents(activeEvents);
  }
}
