/** Physics of a model: makes what a glTF file describes, and draws its nodes. */
import type { Object3D } from 'three';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import type { Collider, ImpulseJoint, RigidBody, World } from '../../world/page/index.js';
import { makeBodies } from './gltf-bodies.js';
import { drawGltf } from './gltf-drawing.js';
import type { LoadedGltf } from './gltf-file.js';
import { type GltfScene, loadScene } from './gltf-scene.js';
import { withoutSuffixes } from './node-names.js';

/** Options of {@link addGltf}. */
export interface AddGltfOptions {
  /**
   * A clone of the file's scene, to add the file more than once: `SkeletonUtils.clone(gltf.scene)`. Default: `gltf.scene`
   * itself.
   */
  readonly object?: Object3D;
}

/**
 * The physics of a glTF in a world. Names are those of the nodes in three.js, without suffixes such as `-col`; where two
 * nodes have the same, the second gets `_1`, and a third `_1_1`. A node without a name has that of its mesh, or else
 * `node_` and its number in the file.
 */
export interface AddedGltf {
  /**
   * The bodies, by the names of their nodes: those that move, and one for each node that does not and has a collider, or an end
   * of a joint without a body around it.
   */
  readonly bodies: ReadonlyMap<string, RigidBody>;
  /** The joints, by the names of their nodes. */
  readonly joints: ReadonlyMap<string, ImpulseJoint>;
  /** The sensors of each trigger, by the name of its node: several for one that is made of parts. */
  readonly sensors: ReadonlyMap<string, readonly Collider[]>;
  /**
   * Draws a frame: moves the nodes that physics moves, and has bodies follow nodes that an animation of the file moves. Call it
   * once per frame, after the animations were updated.
   *
   * @param frame From `world.sample(stamp)`.
   */
  update(frame: SampledFrame): void;
  /** Removes bodies and joints. The nodes stay where they are. */
  remove(): void;
}

/**
 * Adds the physics that a glTF file describes, by the names of its nodes or by the extension `KHR_physics_rigid_bodies`, where
 * its scene is now, with the scales and the turns of what is around it:
 *
 *     const gltf = await new GLTFLoader().loadAsync('level.glb');
 *     scene.add(gltf.scene);
 *     const level = await addGltf(world, gltf);
 *     level.bodies.get('Door')?.applyImpulse({ x: 5, y: 0, z: 0 }, true);
 *
 * @param gltf From three's `GLTFLoader`, or from drei's `useGLTF`.
 * @returns When everything is in the world, convex pieces too.
 * @throws By the promise: Error if the scene has no physics, or the file requires an extension that the loader does not know;
 *   TypeError, RangeError for anything in it that is invalid, saying where, and for more bodies than the option `capacity`
 *   allows. Nothing is added then.
 */
export async function addGltf(
  world: World,
  gltf: LoadedGltf,
  { object = gltf.scene }: AddGltfOptions = {},
): Promise<AddedGltf> {
  const { added, whole } = beginGltf(world, await loadScene(gltf, object));
  await whole.catch((error: unknown) => {
    added.remove();
    throw error;
  });
  return added;
}

/**
 * As {@link addGltf}, but at once, also before the worker runs, so that the first tick has it. Convex pieces take seconds.
 *
 * @returns What must end the drawing if nothing is removed, too.
 */
export function beginGltf(world: World, scene: GltfScene) {
  const { bodies, sensors, joints, remove, ready } = makeBodies(world, scene);
  if (bodies.size === 0) throw new Error(NO_PHYSICS);
  const hidden = [...scene.physics].filter(([, { isHidden }]) => isHidden);
  const meshes = hidden.flatMap(([node]) => scene.meshesIn(node));
  const drawing = drawGltf(world, [...bodies.values()], meshes);
  /** By names. */
  const named = <Item>(items: Iterable<readonly [Object3D, Item]>) => {
    const all = new Map<string, Item>();
    for (const [node, item] of items) {
      let name = withoutSuffixes(node.name) || `node_${scene.nodes.indexOf(node)}`;
      while (all.has(name)) name += '_1';
      all.set(name, item);
    }
    return all;
  };
  const added: AddedGltf = {
    bodies: named([...bodies].map(([node, { body }]) => [node, body] as const)),
    joints: named(joints),
    sensors: named(sensors),
    update: drawing.update,
    remove() {
      drawing.end();
      remove();
    },
  };
  /** Resolves when the world has room for all bodies, and all pieces are there. Rejects if not. */
  const whole = Promise.all([requireCapacity(world), ready]);
  return { added, whole, drawing };
}

const NO_PHYSICS =
  'this glTF has no physics, or its scene that is added has none. Give it some in one of three ways: end the names of nodes ' +
  'with -col, -convcol, -colonly, -convcolonly, -pieces or -rigid; export the extension KHR_physics_rigid_bodies; or make ' +
  'colliders of its meshes yourself, with shapeOf(mesh) or addMesh of meshPhysics';

/** @throws RangeError if the worker would not make all bodies: those that may move count. */
async function requireCapacity(world: World): Promise<void> {
  const { bodyCapacity } = (await world.ready).stats();
  const needed = world.bodies.getAll().filter((body) => !body.isFixed()).length;
  if (needed <= bodyCapacity) return;
  throw new RangeError(
    `with this glTF, the world has ${needed} bodies that may move, but the option capacity is ${bodyCapacity}: raise it`,
  );
}
