/** The objects of a glTF file's nodes: those of the file itself, or of a clone of its scene. */
import type { Mesh, Object3D } from 'three';
import { isMesh, nameOf } from '../drawn-geometry.js';
import type { LoadedGltf, NodePhysics, PhysicsFile } from './gltf-file.js';
import { joinedMesh, type NodeGeometry } from './gltf-shapes.js';
import { MOVES_BY_NAME } from './node-names.js';

/** Objects of a file, by their index. */
interface FileObjects {
  readonly nodes: readonly Object3D[];
  readonly meshes: readonly Object3D[];
}

export class GltfScene {
  /** The top of what is added. */
  readonly root: Object3D;
  /** Objects of nodes by their index: in what is added, or else in the file. */
  readonly nodes: readonly Object3D[];
  /** The physics of nodes in what is added. */
  readonly physics = new Map<Object3D, NodePhysics>();
  /** What animations of the file move. */
  readonly animated: ReadonlySet<Object3D | undefined>;
  readonly #file: FileObjects;
  /** Objects of nodes, in the file and in what is added. */
  readonly #all: ReadonlySet<Object3D>;
  /** Meshes that were made of several. */
  readonly #joined = new Map<string, Mesh>();

  private constructor(file: FileObjects, { nodes, animated }: PhysicsFile, clones: Clones) {
    this.root = [...clones.values()][0] as Object3D;
    this.#file = file;
    this.nodes = file.nodes.map((original) => clones.get(original) ?? original);
    this.#all = new Set([...file.nodes, ...this.nodes]);
    for (const [index, physics] of nodes) {
      const object = clones.get(file.nodes[index] as Object3D);
      if (object !== undefined) this.physics.set(object, physics);
    }
    this.animated = new Set([...animated].map((index) => this.nodes[index]));
  }

  /**
   * @param root The scene of the file, or a clone of it.
   * @throws TypeError for an object that is neither.
   */
  static async load(
    { parser, scene, scenes }: LoadedGltf,
    root: Object3D,
    file: PhysicsFile,
  ): Promise<GltfScene> {
    // Shapes may name nodes and meshes that are in no scene, which the loader has not made yet.
    const load = (type: 'node' | 'mesh', all: readonly unknown[] = []) =>
      Promise.all(all.map((_, index) => parser.getDependency(type, index) as Promise<Object3D>));
    const { nodes, meshes } = parser.json as Partial<Record<string, readonly unknown[]>>;
    const objects = { nodes: await load('node', nodes), meshes: await load('mesh', meshes) };
    const original = (scenes as readonly Object3D[]).includes(root) ? root : scene;
    return new GltfScene(objects, file, clonesOf(original, root));
  }

  /** Calls back for each node with physics. Errors begin with its place. */
  forEach(plan: (node: Object3D, physics: NodePhysics) => void): void {
    for (const [node, physics] of this.physics) {
      try {
        plan(node, physics);
      } catch (error) {
        const place = `node ${this.nodes.indexOf(node)}${node.name && ` "${node.name}"`}`;
        throw new RangeError(`${place}: ${(error as Error).message}`, { cause: error });
      }
    }
  }

  /** An object and what is around it. */
  chainOf(object: Object3D): readonly Object3D[] {
    const { parent } = object;
    if (object === this.root || parent === null) return [object];
    return [object, ...this.chainOf(parent)];
  }

  /** One mesh of all that a geometry is. Undefined: a plane without an end. */
  meshOf({ solid, node, mesh, isWithChildren = false }: NodeGeometry): Mesh | undefined {
    const root = mesh === undefined ? this.nodes[node ?? -1] : this.#file.meshes[mesh];
    if (root === undefined) return solid;
    const meshes = this.meshesIn(root, isWithChildren);
    if (meshes.length === 1 && meshes[0] === root) return meshes[0];
    const key = [node, mesh, isWithChildren].join();
    const joined = this.#joined.get(key) ?? joinedMesh(root, meshes);
    this.#joined.set(key, joined);
    return joined;
  }

  /** Meshes of a node. One with several materials is a group of meshes, which are no nodes themselves. */
  meshesIn(object: Object3D, isWithChildren = false): readonly Mesh[] {
    const parts = object.children.filter((child) =>
      isWithChildren ? this.physics.get(child)?.motion !== MOVES_BY_NAME : !this.#all.has(child),
    );
    const below = parts.flatMap((part) => this.meshesIn(part, isWithChildren));
    return isMesh(object as Mesh) ? [object as Mesh, ...below] : below;
  }
}

type Clones = Map<Object3D, Object3D>;

/** The objects of a clone, by those of the original. */
function clonesOf(original: Object3D, clone: Object3D, clones: Clones = new Map()): Clones {
  if (clone.type !== original.type || clone.children.length < original.children.length) {
    throw new TypeError(
      `object must be a scene of the glTF, or a clone of gltf.scene, but it has ${nameOf(clone)} in the place of ` +
        nameOf(original),
    );
  }
  clones.set(original, clone);
  for (const [index, child] of original.children.entries()) {
    clonesOf(child, clone.children[index] as Object3D, clones);
  }
  return clones;
}
