/** The changes of a world since the last batch was sent: what is created and removed in between is not sent at all. */
import { EXISTING, type WorldBatch } from '../../shared/world/world-batch.js';
import type { BodyFields, ColliderFields, WorldFields } from '../../shared/world/world-fields.js';

interface OpenBody {
  isNew: boolean;
  readonly fields: BodyFields;
}

interface OpenCollider {
  /** {@link EXISTING}, or that of a new one. */
  readonly parent: number;
  readonly fields: ColliderFields;
}

export class OpenBatch {
  readonly world: WorldFields = {};
  readonly #bodies = new Map<number, OpenBody>();
  readonly #colliders = new Map<number, OpenCollider>();
  readonly #removedBodies = new Set<number>();
  readonly #removedColliders = new Set<number>();

  get isEmpty(): boolean {
    return (
      this.#bodies.size + this.#colliders.size === 0 &&
      this.#removedBodies.size + this.#removedColliders.size === 0 &&
      Object.keys(this.world).length === 0
    );
  }

  createBody(handle: number, fields: BodyFields): void {
    this.#bodies.set(handle, { isNew: true, fields });
  }

  createCollider(handle: number, parent: number, fields: ColliderFields): void {
    this.#colliders.set(handle, { parent, fields });
  }

  /** To be changed; of a new body or one that exists. */
  body(handle: number): BodyFields {
    let open = this.#bodies.get(handle);
    if (open === undefined) {
      open = { isNew: false, fields: {} };
      this.#bodies.set(handle, open);
    }
    return open.fields;
  }

  /** To be changed; of a new collider or one that exists. */
  collider(handle: number): ColliderFields {
    let open = this.#colliders.get(handle);
    if (open === undefined) {
      open = { parent: EXISTING, fields: {} };
      this.#colliders.set(handle, open);
    }
    return open.fields;
  }

  removeBody(handle: number): void {
    const isNew = this.#bodies.get(handle)?.isNew === true;
    this.#bodies.delete(handle);
    if (!isNew) this.#removedBodies.add(handle);
  }

  removeCollider(handle: number): void {
    const open = this.#colliders.get(handle);
    this.#colliders.delete(handle);
    if (open === undefined || open.parent === EXISTING) this.#removedColliders.add(handle);
  }

  /** A collider that goes with its body. */
  dropCollider(handle: number): void {
    this.#colliders.delete(handle);
  }

  contents(): WorldBatch {
    return {
      removedColliders: [...this.#removedColliders],
      removedBodies: [...this.#removedBodies],
      world: this.world,
      bodies: Array.from(this.#bodies, ([handle, open]) => ({ handle, ...open })),
      colliders: Array.from(this.#colliders, ([handle, open]) => ({ handle, ...open })),
    };
  }
}
