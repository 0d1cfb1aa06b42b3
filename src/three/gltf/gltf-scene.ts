/** The objects of a glTF file's nodes: those of the file itself, or of a clone of its scene. */
import { BufferAttribute, BufferGeometry, Mesh, type Object3D } from 'three';
import { list } from '../../shared/util/options.js';
import { requireObject } from '../../shared/util/validate.js';
import { isMesh } from '../drawn-geometry.js';
import { matrixBelow } from '../scene-space.js';
import { joinTriangles } from '../scene-triangles.js';
import { type GltfJson, type LoadedGltf, readPhysics } from './gltf-file.js';
import type { NodeGeometry } from './gltf-shapes.js';

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
  const load = (type: 'node' | 'mesh', name: string) => {
    const loaded = list(name, json[name]).map((_, index) => parser.getDependency(type, index));
    return Promise.all(loaded as Promise<Object3D>[]);
  };
  const [originals, meshes] = [await load('node', 'nodes'), await load('mesh', 'meshes')];
  /** The objects of a clone, by those of the original. */
  const clones = new Map<Object3D, Object3D>();
  const pair = (original: Object3D, clone: Object3D | undefined): void => {
    if (clone?.type !== original.type) throw new TypeError(NO_CLONE);
    clones.set(original, clone);
    for (const [index, child] of original.children.entries()) pair(child, clone.children[index]);
  };
  pair((scenes as readonly Object3D[]).includes(root) ? root : scene, root);
  const added = new Set(clones.values());
  /** By their index: objects in what is added, or else in the file. */
  const nodes = originals.map((original) => clones.get(original) ?? original);
  const read = readPhysics(parser, { nodes, meshes });
  /** Physics of the nodes in what is added. */
  const physics = new Map([...read].filter(([node]) => added.has(node)));
  /** The nodes that animations of the file move. */
  const animated = new Set(
    list<{ channels: { target: GltfJson }[] }>('animations', json['animations'])
      .flatMap(({ channels }) => channels.map(({ target }) => target))
      .map(({ node, path }) => (path === 'weights' ? undefined : nodes[node as number])),
  );

  /** An object and what is around it. */
  const chainOf = (object: Object3D): readonly Object3D[] => {
    const { parent } = object;
    return object === root || parent === null ? [object] : [object, ...chainOf(parent)];
  };

  /** Meshes of a node. One with several materials is a group of meshes, which are no nodes themselves. */
  const meshesIn = (object: Object3D, isWithChildren = false): readonly Mesh[] => {
    const isPart = (child: Object3D): boolean =>
      isWithChildren ? physics.get(child)?.hull === undefined : !read.has(child);
    const below = object.children.filter(isPart).flatMap((part) => meshesIn(part, isWithChildren));
    return isMesh(object as Mesh) ? [object as Mesh, ...below] : below;
  };

  /** One mesh of all that a geometry is: a hull of several is one, too. */
  const meshOf = ({ source, isWithChildren }: NodeGeometry): Mesh => {
    const parts = meshesIn(source, isWithChildren);
    if (parts.length === 1 && parts[0] === source) return parts[0];
    const placed = parts.map((mesh) => [mesh, matrixBelow(mesh, source)] as const);
    const { points, indices } = joinTriangles(placed);
    const geometry = new BufferGeometry().setIndex(new BufferAttribute(indices, 1));
    return new Mesh(geometry.setAttribute('position', new BufferAttribute(points, 3)));
  };
  return { root, nodes, physics, animated, chainOf, meshesIn, meshOf };
}

const NO_CLONE = 'object must be a scene of the glTF, or a clone of gltf.scene';
