/** Draws the nodes of a glTF with the bodies that they have, and moves bodies as animations move their nodes. */
import { type Matrix4, type Mesh, type Object3D, Quaternion, Vector3 } from 'three';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { ofLibrary } from '../../render-main/session/simulation-status.js';
import { type RigidBody, RigidBodyType, type World } from '../../world/page/index.js';
import { driverOf } from '../../world/page/page-world.js';
import { BodyBinding } from '../body-binding.js';
import { matrixInScene, placementInScene } from '../scene-space.js';

/**
 * Draws until it is ended.
 *
 * @param hidden Meshes that are not drawn.
 */
export function drawGltf(
  world: World,
  bodies: ReadonlyMap<Object3D, RigidBody>,
  hidden: readonly Mesh[],
) {
  const masks = new Map(hidden.map(({ layers }) => [layers, layers.mask]));
  // Nodes below them are drawn all the same.
  for (const layers of masks.keys()) layers.disableAll();
  const binding = new BodyBinding();
  // A body's tag is its handle.
  const nodes = new Map([...bodies].map(([node, { handle }]) => [handle, node]));
  /** Nodes that an animation moves, or what is around them. */
  const animated = [...bodies]
    .filter(([, body]) => body.bodyType() === RigidBodyType.KinematicPositionBased)
    .map(([node, body]) => ({ node, body, position: new Vector3(), quaternion: new Quaternion() }));
  /** Where bodies were last sent to. The others may be anywhere. */
  const sent = new Map<RigidBody, Matrix4>();
  let isOver = false;
  let off: (() => void) | undefined;
  world.ready.then(
    (simulation) => {
      if (isOver) return;
      binding.populate(simulation, (tag) => nodes.get(tag), { keepVisible: true });
      // After a jump of the run, bodies are elsewhere.
      const forget = ofLibrary(() => sent.clear());
      off = simulation.on('status', forget);
    },
    // The status of the world tells it.
    () => {},
  );

  const send = (node: Object3D, body: RigidBody): void => {
    const matrix = matrixInScene(node);
    if (sent.get(body)?.equals(matrix) || !body.isValid()) return;
    const { position, rotation } = placementInScene(node);
    body.setNextKinematicTranslation(position);
    body.setNextKinematicRotation(rotation);
    sent.set(body, matrix);
  };

  return {
    /**
     * An animated node keeps the pose that the animation gave it, because an animation writes only what it changes. By its
     * matrix alone, it is drawn where its body is, which is a little older.
     */
    update(frame: SampledFrame): void {
      for (const { node, position, quaternion } of animated) {
        node.matrixAutoUpdate = true;
        position.copy(node.position);
        quaternion.copy(node.quaternion);
      }
      // A replay stays as it was recorded.
      if (!driverOf(world).isElsewhere) for (const { node, body } of animated) send(node, body);
      binding.update(frame);
      for (const { node, position, quaternion } of animated) {
        node.updateMatrix();
        node.matrixAutoUpdate = false;
        node.position.copy(position);
        node.quaternion.copy(quaternion);
      }
    },

    /** Leaves the nodes where they are. */
    end(): void {
      isOver = true;
      off?.();
      binding.clear();
      for (const { node } of animated.splice(0)) node.matrixAutoUpdate = true;
      for (const [layers, mask] of masks) layers.mask = mask;
    },
  };
}
