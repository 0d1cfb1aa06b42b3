/** Draws the nodes of a glTF with the bodies that they have, and moves bodies as animations move their nodes. */
import type { Mesh, Object3D } from 'three';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { ofLibrary } from '../../render-main/session/simulation-status.js';
import { type RigidBody, RigidBodyType, type World } from '../../world/page/index.js';
import { driverOf } from '../../world/page/page-world.js';
import { BodyBinding } from '../body-binding.js';
import { type Placement, placementInScene } from '../scene-space.js';

export class GltfDrawing {
  readonly #world: World;
  readonly #binding = new BodyBinding();
  /** Those that an animation moves, or what is around them. */
  readonly #animated: (readonly [Object3D, RigidBody])[];
  /** Where bodies were last sent to. The others may be anywhere. */
  readonly #sent = new Map<RigidBody, Placement>();
  /** Meshes that are not drawn, and the layers that they had. */
  readonly #hidden: ReadonlyMap<Mesh, number>;
  #isOver = false;
  #off: (() => void) | undefined;

  constructor(world: World, bodies: ReadonlyMap<Object3D, RigidBody>, hidden: readonly Mesh[]) {
    this.#world = world;
    this.#animated = [...bodies].filter(
      ([, body]) => body.bodyType() === RigidBodyType.KinematicPositionBased,
    );
    this.#hidden = new Map(hidden.map((mesh) => [mesh, mesh.layers.mask]));
    // Nodes below them are drawn all the same.
    for (const { layers } of hidden) layers.disableAll();
    // A body's tag is its handle.
    const nodes = new Map([...bodies].map(([node, { handle }]) => [handle, node]));
    world.ready.then(
      (simulation) => {
        if (this.#isOver) return;
        this.#binding.populate(simulation, (tag) => nodes.get(tag), { keepVisible: true });
        // After a jump of the run, bodies are elsewhere.
        const forget = ofLibrary(() => this.#sent.clear());
        this.#off = simulation.on('status', forget);
      },
      // The status of the world tells it.
      () => {},
    );
  }

  /**
   * An animated node keeps the pose that the animation gave it, because an animation writes only what it changes. By its matrix
   * alone, it is drawn where its body is, which is a little older.
   */
  update(frame: SampledFrame): void {
    const poses = this.#animated.map(([node]) => {
      node.matrixAutoUpdate = true;
      return [node, node.position.clone(), node.quaternion.clone()] as const;
    });
    // A replay stays as it was recorded.
    if (!driverOf(this.#world).isElsewhere) this.#send();
    this.#binding.update(frame);
    for (const [node, position, quaternion] of poses) {
      node.updateMatrix();
      node.matrixAutoUpdate = false;
      node.position.copy(position);
      node.quaternion.copy(quaternion);
    }
  }

  #send(): void {
    for (const [node, body] of this.#animated) {
      const next = placementInScene(node);
      const { position, rotation } = next;
      const sent = this.#sent.get(body);
      const isThere = sent?.position.equals(position) && sent.rotation.equals(rotation);
      if (isThere || !body.isValid()) continue;
      body.setNextKinematicTranslation(position);
      body.setNextKinematicRotation(rotation);
      this.#sent.set(body, next);
    }
  }

  /** Leaves the nodes where they are. */
  end(): void {
    this.#isOver = true;
    this.#off?.();
    this.#binding.clear();
    for (const [node] of this.#animated.splice(0)) node.matrixAutoUpdate = true;
    for (const [{ layers }, mask] of this.#hidden) layers.mask = mask;
  }
}
