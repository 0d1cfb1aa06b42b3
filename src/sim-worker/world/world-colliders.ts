/** The colliders of a world. */
import type { Json } from '../../shared/util/json.js';
import type { Change } from '../../shared/world/world-batch.js';
import type { Rapier } from '../engines/rapier-builds.js';
import type { RapierWorld } from '../engines/rapier-world.js';
import { describeCollider, setCollider } from './apply-collider.js';
import { EngineThings } from './engine-things.js';
import type { KindContents } from './kind-contents.js';
import type { WorldBodies } from './world-bodies.js';

type Collider = InstanceType<Rapier['Collider']>;

export class WorldColliders implements KindContents<'collider'> {
  readonly #rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  readonly #bodies: WorldBodies;
  readonly #colliders = new EngineThings<Collider>();

  constructor(rapier: Rapier, physics: RapierWorld, bodies: WorldBodies) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#bodies = bodies;
  }

  /** Undefined: it was removed. */
  get(handle: number): Collider | undefined {
    return this.#colliders.get(handle);
  }

  /** The page's handle. */
  handleOf(collider: Collider): number | undefined {
    return this.#colliders.handleOf(collider);
  }

  remove(handle: number): void {
    const collider = this.#colliders.take(handle);
    if (collider !== undefined) this.#physics.world.removeCollider(collider, true);
  }

  forgetGone(): void {
    this.#colliders.forgetGone();
  }

  apply({ handle, parts, fields }: Change<'collider'>): void {
    if (parts === undefined) {
      const collider = this.#colliders.get(handle);
      if (collider !== undefined) setCollider(this.#rapier, collider, fields);
      return;
    }
    const [parent] = parts;
    const body = parent === undefined ? undefined : this.#bodies.get(parent);
    if (parent !== undefined && body === undefined) return;
    const desc = describeCollider(this.#rapier, fields);
    this.#colliders.set(handle, this.#physics.world.createCollider(desc, body));
  }

  save(): Json {
    return this.#colliders.save();
  }

  restore(saved: Json): void {
    this.#colliders.restore(saved, (number) => this.#physics.world.getCollider(number));
  }
}
