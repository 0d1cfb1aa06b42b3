/** The objects of a glTF file's nodes: those of the file itself, or of a clone of its scene. */
import { Mesh, type Object3D } from 'three';
import { isMesh, nameOf } from '../drawn-geometry.js';
import { animatedIn, type LoadedGltf, type NodePhysics, readPhysics } from './gltf-file.js';
import { joinedGeometry, type NodeGeometry } from './gltf-shapes.js';

export type GltfScene = Awaited<ReturnType<typeof loadScene>>;

/**
 * Reads a file.
 *
 * @param root The scene of the file, or a clone of it.
 * @throws As `readPhysics` does, and TypeError for an object that is neither.
 */
export async function loadScene(gltf: LoadedGltf, root: Object3D) {
  const read = readPhysics(gltf);
  const { parser, scene, scenes } = gltf;
  // Shapes may name nodes and meshes that are in no scene, which the loader has not made yet.
  const load = (type: 'node' | 'mesh', all: readonly unknown[] = []) =>
    Promise.all(all.map((_, index) => parser.getDependency(type, index) as Promise<Object3D>));
  const json = parser.json as Readonly<Record<string, readonly unknown[] | undefined>>;
  const originals = await load('node', json['nodes']);
  const meshes = await load('mesh', json['meshes']);
  const isOfFile = (scenes as readonly Object3D[]).includes(root);
  const clones = clonesOf(isOfFile ? root : scene, root);
  /** By their index: objects in what is added, or else in the file. */
  const nodes = originals.map((original) => clones.get(original) ?? original);
  const all = new Set([...originals, ...nodes]);
  /** Physics of the nodes in what is added. */
  const physics = new Map<Object3D, NodePhysics>();
  for (const [index, each] of read) {
    const object = clones.get(originals[index] as Object3D);
    if (object !== undefined) physics.set(object, each);
  }

  /** An object and what is around it. */
  const chainOf = (object: Object3D): readonly Object3D[] => {
    const { parent } = object;
    return object === root || parent === null ? [object] : [object, ...chainOf(parent)];
  };

  /** Meshes of a node. One with several materials is a group of meshes, which are no nodes themselves. */
  const meshesIn = (object: Object3D, isWithChildren = false): readonly Mesh[] => {
    const isPart = (child: Object3D): boolean =>
      isWithChildren ? physics.get(child)?.hull === undefined : !all.has(child);
    const below = object.children.filter(isPart).flatMap((part) => meshesIn(part, isWithChildren));
    return isMesh(object as Mesh) ? [object as Mesh, ...below] : below;
  };

  const joined = new Map<string, Mesh>();
  /** One mesh of all that a geometry is. Undefined: a plane without an end. */
  const meshOf = ({ solid, node, mesh, isWithChildren }: NodeGeometry): Mesh | undefined => {
    const top = mesh === undefined ? nodes[node ?? -1] : meshes[mesh];
    if (top === undefined) return solid;
    const parts = meshesIn(top, isWithChildren);
    if (parts.length === 1 && parts[0] === top) return parts[0];
    const key = [node, mesh, isWithChildren].join();
    const one = joined.get(key) ?? new Mesh(joinedGeometry(top, parts));
    joined.set(key, one);
    return one;
  };

  /** Calls back for each node with physics. Errors begin with its place. */
  const forEach = (plan: (node: Object3D, physics: NodePhysics) => void): void => {
    for (const [node, each] of physics) {
      try {
        plan(node, each);
      } catch (error) {
        const place = `node ${nodes.indexOf(node)}${node.name && ` "${node.name}"`}`;
        throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
      }
    }
  };

  /** The nodes that animations of the file move. */
  const animated = new Set(animatedIn(json).map((index) => nodes[index]));
  return { root, nodes, physics, animated, chainOf, meshesIn, meshOf, forEach };
}

/** The objects of a clone, by those of the original. */
function clonesOf(original: Object3D, clone: Object3D, clones = new Map<Object3D, Object3D>()) {
  if (clone.type !== original.type || clone.children.length < original.children.length) {
    throw new TypeError(
      `object must be a scene of the glTF, or a clone of gltf.scene, but it has ${nameOf(clone)} in the place of ` +
        `${nameOf(original)}${clone.type === original.type ? ', with fewer children' : ''}`,
    );
  }
  clones.set(original, clone);
  for (const [index, child] of original.children.entries()) {
    clonesOf(child, clone.children[index] as Object3D, clones);
  }
  return clones;
}
