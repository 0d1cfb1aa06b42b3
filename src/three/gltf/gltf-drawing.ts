/** Draws the nodes of a glTF with the bodies that they have, and moves bodies as animations move their nodes. */
import type { Object3D, Quaternion, Vector3 } from 'three';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { ofLibrary } from '../../render-main/session/simulation-status.js';
import { driverOf } from '../../world/page/page-world.js';
import type { RigidBody, World } from '../../world/page/index.js';
import { BodyBinding } from '../body-binding.js';
import { type Placement, placementInScene } from '../scene-space.js';

/** A node that an animation moves, or what is around it. */
interface AnimatedNode {
  readonly node: Object3D;
  readonly body: RigidBody;
  /**
   * The pose that the animation gave the node, which its position and its quaternion keep: it is drawn where its body is, which
   * is a little older, by its matrix alone. An animation writes only what it changes.
   */
  readonly position: Vector3;
  readonly quaternion: Quaternion;
  /** Where its body was last sent to. Undefined: the body may be anywhere. */
  sent: Placement | undefined;
}

export class GltfDrawing {
  readonly #world: World;
  readonly #binding = new BodyBinding();
  readonly #nodes = new Map<number, Object3D>();
  readonly #animated: AnimatedNode[] = [];
  #isOver = false;
  #off: (() => void) | undefined;

  constructor(world: World) {
    this.#world = world;
    world.ready.then(
      (simulation) => {
        if (this.#isOver) return;
        // A body's tag is its handle.
        const nodeOf = (tag: number): Object3D | undefined => this.#nodes.get(tag);
        this.#binding.populate(simulation, nodeOf, { keepVisible: true });
        // After a jump of the run, bodies are elsewhere.
        this.#off = simulation.on(
          'status',
          ofLibrary(() => {
            for (const each of this.#animated) each.sent = undefined;
          }),
        );
      },
      // The status of the world tells it.
      () => {},
    );
  }

  add(node: Object3D, body: RigidBody, isAnimated: boolean): void {
    this.#nodes.set(body.handle, node);
    if (!isAnimated) return;
    const { position, quaternion } = node;
    this.#animated.push({
      node,
      body,
      position: position.clone(),
      quaternion: quaternion.clone(),
      sent: placementInScene(node),
    });
  }

  update(frame: SampledFrame): void {
    for (const { node, position, quaternion } of this.#animated) {
      node.matrixAutoUpdate = true;
      position.copy(node.position);
      quaternion.copy(node.quaternion);
    }
    // A replay stays as it was recorded.
    if (!driverOf(this.#world).isElsewhere) for (const each of this.#animated) send(each);
    this.#binding.update(frame);
    for (const { node, position, quaternion } of this.#animated) {
      node.updateMatrix();
      node.matrixAutoUpdate = false;
      node.position.copy(position);
      node.quaternion.copy(quaternion);
    }
  }

  /** Leaves the nodes where they are. */
  end(): void {
    this.#isOver = true;
    this.#off?.();
    this.#binding.clear();
    for (const { node } of this.#animated) node.matrixAutoUpdate = true;
    this.#animated.length = 0;
  }
}

function send(animated: AnimatedNode): void {
  const { node, body, sent } = animated;
  const next = placementInScene(node);
  const { position, rotation } = next;
  const isThere = sent?.position.equals(position) === true && sent.rotation.equals(rotation);
  if (isThere || !body.isValid()) return;
  body.setNextKinematicTranslation(position);
  body.setNextKinematicRotation(rotation);
  animated.sent = next;
}
