/** A hand: a body that follows a controller, pushes what is in its way, and holds a box. */
import type { MeshPhysics } from 'betwixt/three';
import type { ImpulseJoint, RigidBody } from 'betwixt/world';
import { Quaternion, type Mesh, type Object3D } from 'three';

export const HAND_RADIUS = 0.05;
/** The centre of a box that is grabbed is at most this far from the hand, in m. */
const REACH = 0.15;

export class Hand {
  /** Where the headset sees the controller; three.js hides it while it does not. */
  readonly controller: Object3D;
  readonly #physics: MeshPhysics;
  #body: RigidBody | undefined;
  #held: ImpulseJoint | undefined;

  constructor(controller: Object3D, physics: MeshPhysics) {
    this.controller = controller;
    this.#physics = physics;
  }

  /** For each frame. What the page changes in a world is recorded, and so are the poses of hands. */
  follow(): void {
    const { world, RAPIER } = this.#physics;
    const { position, quaternion, visible } = this.controller;
    if (!visible) {
      this.release();
      if (this.#body !== undefined) world.removeRigidBody(this.#body);
      this.#body = undefined;
      return;
    }
    if (this.#body === undefined) {
      const desc = RAPIER.RigidBodyDesc.kinematicPositionBased();
      this.#body = world.createRigidBody(desc.setTranslation(position.x, position.y, position.z));
      world.createCollider(RAPIER.ColliderDesc.ball(HAND_RADIUS), this.#body);
    }
    this.#body.setNextKinematicTranslation(position);
    this.#body.setNextKinematicRotation(quaternion);
  }

  /** Holds the nearest of these boxes, if the hand reaches it. */
  grab(boxes: readonly Mesh[]): void {
    const { world, RAPIER, bodyOf } = this.#physics;
    const { position, quaternion } = this.controller;
    const [nearest] = boxes.toSorted(
      (one, other) => one.position.distanceTo(position) - other.position.distanceTo(position),
    );
    if (this.#body === undefined || this.#held !== undefined || nearest === undefined) return;
    const box = bodyOf({ object: nearest });
    if (box === undefined || nearest.position.distanceTo(position) > REACH) return;
    // The body stays as it is, seen from the hand.
    const toHand = quaternion.clone().invert();
    const at = nearest.position.clone().sub(position).applyQuaternion(toHand);
    const turn = toHand.multiply(nearest.quaternion);
    const joint = RAPIER.JointData.fixed(at, turn, { x: 0, y: 0, z: 0 }, new Quaternion());
    this.#held = world.createImpulseJoint(joint, this.#body, box, true);
    this.#held.setContactsEnabled(false);
  }

  release(): void {
    if (this.#held !== undefined) this.#physics.world.removeImpulseJoint(this.#held, true);
    this.#held = undefined;
  }
}
