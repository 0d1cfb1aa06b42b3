/** The changes of a world since the last batch was sent: what is created and removed in between is not sent at all. */
import { EXISTING, NO_BODY, type WorldBatch } from '../../shared/world/world-batch.js';
import type {
  BodyFields,
  ColliderFields,
  JointFields,
  WorldFields,
} from '../../shared/world/world-fields.js';

interface OpenBody {
  isNew: boolean;
  readonly fields: BodyFields;
}

interface OpenCollider {
  /** {@link EXISTING}, or that of a new one. */
  readonly parent: number;
  readonly fields: ColliderFields;
}

interface OpenJoint {
  /** {@link NO_BODY}: it exists. */
  readonly body1: number;
  readonly body2: number;
  readonly fields: JointFields;
}

export class OpenBatch {
  readonly world: WorldFields = {};
  readonly #bodies = new Map<number, OpenBody>();
  readonly #colliders = new Map<number, OpenCollider>();
  readonly #joints = new Map<number, OpenJoint>();
  readonly #removedJoints = new Set<number>();
  readonly #removedBodies = new Set<number>();
  readonly #removedColliders = new Set<number>();

  get isEmpty(): boolean {
    return (
      this.#bodies.size + this.#colliders.size + this.#joints.size === 0 &&
      this.#removedBodies.size + this.#removedColliders.size + this.#removedJoints.size === 0 &&
      Object.keys(this.world).length === 0
    );
  }

  createBody(handle: number, fields: BodyFields): void {
    this.#bodies.set(handle, { isNew: true, fields });
  }

  createCollider(handle: number, parent: number, fields: ColliderFields): void {
    this.#colliders.set(handle, { parent, fields });
  }

  createJoint(handle: number, body1: number, body2: number, fields: JointFields): void {
    this.#joints.set(handle, { body1, body2, fields });
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

  /** To be changed; of a new joint or one that exists. */
  joint(handle: number): JointFields {
    let open = this.#joints.get(handle);
    if (open === undefined) {
      open = { body1: NO_BODY, body2: NO_BODY, fields: {} };
      this.#joints.set(handle, open);
    }
    return open.fields;
  }

  removeJoint(handle: number): void {
    const open = this.#joints.get(handle);
    this.#joints.delete(handle);
    if (open === undefined || open.body1 === NO_BODY) this.#removedJoints.add(handle);
  }

  /** A joint that goes with one of its bodies. */
  dropJoint(handle: number): void {
    this.#joints.delete(handle);
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
      removedJoints: [...this.#removedJoints],
      removedColliders: [...this.#removedColliders],
      removedBodies: [...this.#removedBodies],
      world: this.world,
      bodies: Array.from(this.#bodies, ([handle, open]) => ({ handle, ...open })),
      colliders: Array.from(this.#colliders, ([handle, open]) => ({ handle, ...open })),
      joints: Array.from(this.#joints, ([handle, open]) => ({ handle, ...open })),
    };
  }
}
