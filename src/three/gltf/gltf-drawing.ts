/** Draws the nodes of a glTF with the bodies that they have, and moves bodies as animations move their nodes. */
import type { Object3D, Quaternion, Vector3 } from 'three';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { driverOf } from '../../world/page/page-world.js';
import type { RigidBody, World, WorldHandle } from '../../world/page/index.js';
import { BodyBinding } from '../body-binding.js';
import { placementInScene } from '../scene-space.js';

/** A pose within a parent. */
interface LocalPose {
  readonly position: Vector3;
  readonly quaternion: Quaternion;
}

const poseOf = ({ position, quaternion }: LocalPose): LocalPose => ({
  position: position.clone(),
  quaternion: quaternion.clone(),
});

const isSame = (a: LocalPose, b: LocalPose): boolean =>
  a.position.equals(b.position) && a.quaternion.equals(b.quaternion);

function copy(from: LocalPose, to: LocalPose): void {
  to.position.copy(from.position);
  to.quaternion.copy(from.quaternion);
}

/** A node that an animation moves, or what is around it. */
interface AnimatedNode {
  readonly node: Object3D;
  readonly body: RigidBody;
  /** The pose that the animation gave it. */
  readonly own: LocalPose;
  /** The pose in which it was last drawn, which is a little older. */
  readonly drawn: LocalPose;
  /** Where its body was last sent to. */
  readonly sent: LocalPose;
}

export class GltfDrawing {
  readonly #world: World;
  readonly #binding = new BodyBinding();
  readonly #nodes = new Map<number, Object3D>();
  readonly #animated: AnimatedNode[] = [];
  readonly #offs: readonly (() => void)[];

  constructor(world: World, simulation: WorldHandle) {
    this.#world = world;
    // A body's tag is its handle.
    this.#offs = [
      simulation.on('spawn', ({ id, tag }) => {
        const node = this.#nodes.get(tag);
        if (node !== undefined) this.#binding.attach(node, id, { keepVisible: true });
      }),
      simulation.on('despawn', ({ tag }) => {
        const node = this.#nodes.get(tag);
        if (node !== undefined) this.#binding.detach(node);
      }),
    ];
  }

  add(node: Object3D, body: RigidBody, isAnimated: boolean): void {
    this.#nodes.set(body.handle, node);
    if (!isAnimated) return;
    const { position, rotation } = placementInScene(node);
    const sent = { position, quaternion: rotation };
    this.#animated.push({ node, body, own: poseOf(node), drawn: poseOf(node), sent });
  }

  update(frame: SampledFrame): void {
    // The animations have moved what is no longer as it was drawn.
    for (const { node, own, drawn } of this.#animated) {
      if (isSame(node, drawn)) copy(own, node);
      else copy(node, own);
    }
    // A replay stays as it was recorded.
    if (!driverOf(this.#world).isElsewhere) for (const each of this.#animated) send(each);
    this.#binding.update(frame);
    for (const { node, drawn } of this.#animated) copy(node, drawn);
  }

  /** Leaves the nodes where they are. */
  end(): void {
    for (const off of this.#offs) off();
    this.#binding.clear();
  }
}

function send({ node, body, sent }: AnimatedNode): void {
  const { position, rotation } = placementInScene(node);
  const next = { position, quaternion: rotation };
  if (isSame(next, sent)) return;
  body.setNextKinematicTranslation(position);
  body.setNextKinematicRotation(rotation);
  copy(next, sent);
}
