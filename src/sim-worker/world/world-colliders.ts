/** The colliders of a world. */
import type { Json } from '../../shared/util/json.js';
import type { ShapeData } from '../../shared/world/shape-data.js';
import { readShape } from '../../shared/world/read-shape.js';
import { writeShape } from '../../shared/world/write-shape.js';
import { WordReader } from '../../shared/world/word-reader.js';
import { WordWriter } from '../../shared/world/word-writer.js';
import type { Change } from '../../shared/world/world-batch.js';
import type { ColliderFields } from '../../shared/world/world-fields.js';
import type { Rapier } from '../engines/rapier-builds.js';
import type { RapierEvents } from '../engines/rapier-events.js';
import type { RapierWorld } from '../engines/rapier-world.js';
import { describeCollider, fieldsOf, setCollider } from './apply-collider.js';
import { EngineThings } from './engine-things.js';
import type { KindContents } from './kind-contents.js';
import { OneWays } from './one-ways.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldMasses } from './world-masses.js';
import type { WorldShapes } from './world-shapes.js';

type Collider = InstanceType<Rapier['Collider']>;

type SavedColliders = {
  readonly colliders: Json;
  /** Handle and words of each. */
  readonly shapes: readonly (readonly [number, number[]])[];
  readonly oneWays: Json;
};

/** What changes the mass of a body. */
const MASS_FIELDS = [
  'shape',
  'enabled',
  'translation',
  'rotation',
  'density',
  'mass',
  'massProperties',
] as const;

/** What is reported of which collider. */
export type CollisionWatch = Pick<RapierEvents, 'watchCollisions' | 'unwatchCollisions'>;

export class WorldColliders implements KindContents<'collider'> {
  readonly oneWays: OneWays;
  readonly #engineShapes: WorldShapes;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  readonly #events: CollisionWatch;
  readonly #bodies: WorldBodies;
  readonly #masses: WorldMasses;
  readonly #colliders = new EngineThings<Collider>();
  /** By handle, for pages that have not made them. */
  readonly #shapes = new Map<number, ShapeData>();
  /** Most states are saved of the same shapes as the one before. */
  #savedShapes: [handle: number, words: number[]][] | undefined;

  constructor(
    shapes: WorldShapes,
    physics: RapierWorld,
    events: CollisionWatch,
    bodies: WorldBodies,
    masses: WorldMasses,
  ) {
    this.#masses = masses;
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
    this.#shapes.delete(handle);
    this.#savedShapes = undefined;
    this.oneWays.delete(handle);
    if (collider === undefined) return;
    this.#masses.noteBody(collider.parent());
    this.#physics.world.removeCollider(collider, true);
  }

  forgetGone(): void {
    this.#colliders.forgetGone();
    this.oneWays.forgetGone();
    for (const handle of this.#shapes.keys()) {
      if (this.#colliders.get(handle) !== undefined) continue;
      this.#shapes.delete(handle);
      this.#savedShapes = undefined;
    }
  }

  apply({ handle, parts, fields }: Change<'collider'>): void {
    if (parts === undefined) {
      const collider = this.#colliders.get(handle);
      if (collider === undefined) return;
      setCollider(this.#engineShapes, collider, fields);
      this.oneWays.apply(handle, collider, fields, false);
      this.#noteShape(handle, fields);
      this.#report(collider, fields.activeEvents);
      if (MASS_FIELDS.some((name) => fields[name] !== undefined)) {
        this.#masses.noteCollider(collider);
      }
      return;
    }
    const [parent] = parts;
    const body = parent === undefined ? undefined : this.#bodies.get(parent);
    if (parent !== undefined && body === undefined) return;
    const desc = describeCollider(this.#engineShapes, fields);
    const collider = this.#physics.world.createCollider(desc, body);
    this.#colliders.set(handle, collider);
    this.oneWays.apply(handle, collider, fields, true);
    this.#noteShape(handle, fields);
    this.#report(collider, fields.activeEvents);
    this.#masses.noteCollider(collider);
  }

  all(): Iterable<Collider> {
    return Array.from(this.#colliders, ([, collider]) => collider);
  }

  describe(known: ReadonlySet<number>): Change<'collider'>[] {
    return [...this.#colliders].map(([handle, collider]) => {
      const body = collider.parent();
      const parent = body === null ? undefined : this.#bodies.handleOf(body);
      const shape = this.#shapes.get(handle);
      return {
        handle,
        parts: parent === undefined ? [] : [parent],
        fields: {
          ...fieldsOf(collider),
          ...this.oneWays.fieldsOf(handle),
          ...(known.has(handle) || shape === undefined ? {} : { shape }),
        },
      };
    });
  }

  save(): Json {
    return {
      colliders: this.#colliders.save(),
      shapes: (this.#savedShapes ??= Array.from(this.#shapes, ([handle, shape]) => {
        const { geometry } = this.#engineShapes;
        const words = new WordWriter((numbers) => geometry.nameOf(numbers));
        writeShape(words, shape);
        return [handle, [...words.take()]];
      })),
      oneWays: this.oneWays.save(),
    };
  }

  restore(saved: Json): void {
    const { colliders, shapes, oneWays } = (saved ?? {}) as Partial<SavedColliders>;
    this.#colliders.restore(colliders, (number) => this.#physics.world.getCollider(number));
    this.oneWays.restore(oneWays, (handle) => this.#colliders.get(handle));
    this.#shapes.clear();
    this.#savedShapes = undefined;
    const { geometry } = this.#engineShapes;
    for (const [handle, words] of shapes ?? []) {
      try {
        this.#shapes.set(handle, readShape(new WordReader(Uint32Array.from(words), geometry)));
      } catch (error) {
        // A state does not bring its assets. The engine has the shape; only pages that have not made it lack it.
        if (!(error instanceof RangeError)) throw error;
      }
    }
  }

  #noteShape(handle: number, { shape }: ColliderFields): void {
    if (shape === undefined) return;
    this.#shapes.set(handle, shape);
    this.#savedShapes = undefined;
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
