/** The objects of a glTF file's nodes: those of the file itself, or of a clone of its scene. */
import { Mesh, type Object3D } from 'three';
import { list } from '../../shared/util/options.js';
import { requireObject } from '../../shared/util/validate.js';
import { isMesh, nameOf } from '../drawn-geometry.js';
import {
  animatedIn,
  type LoadedGltf,
  type NodePhysics,
  placeOf,
  readPhysics,
} from './gltf-file.js';
import { joinedGeometry, type NodeGeometry } from './gltf-shapes.js';

export type GltfScene = Awaited<ReturnType<typeof loadScene>>;

/**
 * Reads a file.
 *
 * @param root The scene of the file, or a clone of it.
 * @throws As `readPhysics` does, and TypeError for an object that is neither.
 */
export async function loadScene({ parser, scene, scenes }: LoadedGltf, root: Object3D) {
  requireObject('gltf.parser', parser, ', as GLTFLoader gives it');
  const { json } = parser;
  // Shapes may name nodes and meshes that are in no scene, which the loader has not made yet.
  const load = (type: 'node' | 'mesh', all: readonly unknown[]) =>
    Promise.all(all.map((_, index) => parser.getDependency(type, index) as Promise<Object3D>));
  const originals = await load('node', list('nodes', json['nodes']));
  const meshes = await load('mesh', list('meshes', json['meshes']));
  const isOfFile = (scenes as readonly Object3D[]).includes(root);
  const clones = clonesOf(isOfFile ? root : scene, root);
  const added = new Set(clones.values());
  /** By their index: objects in what is added, or else in the file. */
  const nodes = originals.map((original) => clones.get(original) ?? original);
  const all = new Set([...originals, ...nodes]);
  const read = readPhysics(parser, { nodes, meshes });
  /** Physics of the nodes in what is added. */
  const physics = new Map([...read].filter(([node]) => added.has(node)));

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

  /** One mesh of all that a geometry is. */
  const meshOf = ({ source, isWithChildren }: NodeGeometry): Mesh => {
    const parts = meshesIn(source, isWithChildren);
    const isWhole = parts.length === 1 && parts[0] === source;
    return isWhole ? (source as Mesh) : new Mesh(joinedGeometry(source, parts));
  };

  /** Plans each node with physics. Errors begin with its place. */
  const planEach = <Plan>(plan: (node: Object3D, physics: NodePhysics) => Plan): readonly Plan[] =>
    [...physics].map(([node, each]) => {
      try {
        return plan(node, each);
      } catch (error) {
        const place = placeOf(nodes.indexOf(node), node.name);
        throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
      }
    });

  /** The nodes that animations of the file move. */
  const animated = new Set(animatedIn(json).map((index) => nodes[index]));
  return { root, added, nodes, physics, animated, chainOf, meshesIn, meshOf, planEach };
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
