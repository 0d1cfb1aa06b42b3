/** The body of a `<RigidBody>`, and the colliders of the meshes in it. */
import type { Ref } from 'react';
import type { Object3D } from 'three';
import { componentNamed } from './named-errors.js';
import { AutoColliders } from './auto-colliders.js';
import { BodyOwner } from './body-owner.js';
import type { Follower } from './followers.js';
import type { PhysicsScope } from './physics-scope.js';
import { placementOf, type Placement } from './placement.js';
import { RefSlot } from './ref-slot.js';
import type { RapierRigidBody } from './types.js';
import { ActiveHooks } from '../world/page/index.js';
import type { RigidBodyProps } from './rigid-body.js';

const IGNORING = ActiveHooks.FILTER_CONTACT_PAIRS | ActiveHooks.FILTER_INTERSECTION_PAIRS;

export class ObjectBody extends BodyOwner implements Follower {
  readonly #auto: AutoColliders;
  readonly #slot = new RefSlot<RapierRigidBody>();
  #object: Object3D | undefined;
  #ref: Ref<RapierRigidBody> | undefined;

  constructor(scope: PhysicsScope) {
    super(scope);
    this.#auto = new AutoColliders(this, () => this.autoColliders);
  }

  override get activeHooks(): number {
    const { ignores = [] } = this.props as RigidBodyProps;
    return ignores.length === 0 ? 0 : IGNORING;
  }

  override ownerOf(): string {
    return componentNamed('RigidBody', this.#object?.name);
  }

  /** Makes the body as its props and its object say. */
  sync(object: Object3D, ref: Ref<RapierRigidBody> | undefined): void {
    this.#object = object;
    this.#ref = ref;
    this.scope.followers.add(this);
    const body = this.syncBody();
    this.#auto.sync(object);
    this.syncColliders();
    this.#slot.set(ref, body);
  }

  /** Its component is unmounted or hidden. */
  detachRef(): void {
    this.#ref = undefined;
    this.#slot.set(undefined, undefined);
  }

  override objectFrom(from: Object3D): Object3D | undefined {
    return this.#object ?? super.objectFrom(from);
  }

  override release(): void {
    this.scope.followers.delete(this);
    this.#auto.release();
    super.release();
  }

  get owners(): readonly BodyOwner[] {
    return [this];
  }

  override resync(): void {
    const object = this.#object;
    if (object !== undefined) this.late(() => this.sync(object, this.#ref));
  }

  protected override get object(): Object3D | undefined {
    return this.#object;
  }

  protected override placement(): Placement {
    // It is synchronized with an object alone.
    return placementOf(this.#object as Object3D);
  }
}
