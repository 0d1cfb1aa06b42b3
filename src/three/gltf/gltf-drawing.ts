/** Draws the nodes of a glTF with the bodies that they have, and moves bodies as animations move their nodes. */
import { type Mesh, Quaternion, Vector3 } from 'three';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { RigidBodyType, type World } from '../../world/page/index.js';
import { driverOf } from '../../world/page/page-world.js';
import { BodyBinding } from '../body-binding.js';
import { placementInScene } from '../scene-space.js';
import type { GltfBody } from './gltf-bodies.js';

/**
 * Draws until it is ended.
 *
 * @param hidden Meshes that are not drawn.
 */
export function drawGltf(world: World, bodies: readonly GltfBody[], hidden: readonly Mesh[]) {
  const masks = hidden.map(({ layers }) => ({ layers, mask: layers.mask }));
  // Nodes below them are drawn all the same.
  for (const { layers } of masks) layers.disableAll();
  const binding = new BodyBinding();
  // A body's tag is its handle.
  const nodes = new Map(bodies.map(({ body, node }) => [body.handle, node]));
  const populated = world.ready.then(
    (simulation) => binding.populate(simulation, (tag) => nodes.get(tag), { keepVisible: true }),
    // The status of the world tells it.
    () => () => {},
  );
  /** Nodes that an animation moves, or what is around them. */
  const animated = bodies
    .filter(({ body }) => body.bodyType() === RigidBodyType.KinematicPositionBased)
    .map(({ node, body }) => ({ node, body, at: new Vector3(), turn: new Quaternion() }));
  return {
    /**
     * An animated node keeps the pose that the animation gave it, because an animation writes only what it changes. By its
     * matrix alone, it is drawn where its body is, which is a little older.
     */
    update(frame: SampledFrame): void {
      for (const { node, at, turn } of animated) {
        node.matrixAutoUpdate = true;
        at.copy(node.position);
        turn.copy(node.quaternion);
      }
      // A replay stays as it was recorded.
      if (!driverOf(world).isElsewhere) for (const each of animated) send(each);
      binding.update(frame);
      for (const { node, at, turn } of animated) {
        node.updateMatrix();
        node.matrixAutoUpdate = false;
        node.position.copy(at);
        node.quaternion.copy(turn);
      }
    },

    /** Leaves the nodes where they are. */
    end(): void {
      void populated.then((end) => end());
      for (const { node } of animated.splice(0)) node.matrixAutoUpdate = true;
      for (const { layers, mask } of masks) layers.mask = mask;
    },
  };
}

/** Sends a body to where its node is. */
function send({ node, body }: Pick<GltfBody, 'node' | 'body'>): void {
  if (!body.isValid()) return;
  const { position: p, rotation: r } = placementInScene(node);
  const [at, turned] = [body.nextTranslation(), body.nextRotation()];
  const off = Math.hypot(r.x - turned.x, r.y - turned.y, r.z - turned.z, r.w - turned.w);
  // Differences that 32 bits round away are no movement.
  if (p.distanceTo(at) + off < 1e-6 * (1 + p.length())) return;
  body.setNextKinematicTranslation(p);
  body.setNextKinematicRotation(r);
}
