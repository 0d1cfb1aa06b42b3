/** Keeps hold of a rigid body over a restored state, which has other objects under the same handles. */
import type { RigidBody, World } from '@dimforge/rapier3d-simd-compat';

/** A rigid body that stays the same one when the world is restored. Made by `RapierWorld`. */
export class RigidBodyRef {
  /** The engine's number for it. */
  readonly handle: number;
  readonly #owner: { readonly world: World };
  #world: World | undefined;
  #body: RigidBody | undefined;

  /** @param owner Who has the world, whichever it is at the time. Made by `RapierWorld.ref`. */
  constructor(owner: { readonly world: World }, rigidBody: RigidBody) {
    this.handle = rigidBody.handle;
    this.#owner = owner;
    this.#world = owner.world;
    this.#body = rigidBody;
  }

  /** The rigid body as it is now; undefined once it was removed. Ask again after the world may have changed. */
  get body(): RigidBody | undefined {
    const { world } = this.#owner;
    if (world !== this.#world) {
      this.#world = world;
      this.#body = world.getRigidBody(this.handle) ?? undefined;
    }
    // Also tells whether the handle is still this body's: an index is used again, a generation is not.
    return this.#body?.handle === this.handle && this.#body.isValid() ? this.#body : undefined;
  }
}
