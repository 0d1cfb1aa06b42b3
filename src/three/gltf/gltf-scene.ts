/** The objects of a glTF file's nodes: those of the file itself, or of a clone of its scene. */
import type { Mesh, Object3D } from 'three';
import { isMesh, nameOf } from '../drawn-geometry.js';
import type { MeshGeometry } from './gltf-fields.js';
import type { LoadedGltf, PhysicsFile } from './gltf-file.js';

/** The objects of a scene, by those of the file that they are or were cloned of. */
type Clones = Map<Object3D, Object3D>;

/** The meshes of one node, or of one mesh of the file. */
export interface GltfMeshes {
  readonly root: Object3D;
  readonly meshes: readonly Mesh[];
}

export class GltfScene {
  /** The top of what is added. */
  readonly root: Object3D;
  /** By the index of the node: its object in the file. */
  readonly #originals: readonly Object3D[];
  /** By the index of the node: its object in what is added. */
  readonly #objects: readonly (Object3D | undefined)[];
  /** Indices of nodes, by their objects in the file and in what is added. */
  readonly #indices: ReadonlyMap<Object3D | undefined, number>;
  /** Indices of nodes of which the name says that they move by themselves. */
  readonly #isRigid = new Set<number | undefined>();
  /** Meshes of the file that shapes name, by their index. */
  readonly #meshes = new Map<number, GltfMeshes>();
  /** Meshes of nodes: of these alone, and with those of all nodes below. */
  readonly #sources = {
    alone: new Map<Object3D, GltfMeshes>(),
    all: new Map<Object3D, GltfMeshes>(),
  };

  private constructor(root: Object3D, originals: readonly Object3D[], inRoot: Clones) {
    this.root = root;
    this.#originals = originals;
    const objects = originals.map((original) => inRoot.get(original));
    this.#objects = objects;
    this.#indices = new Map(
      [objects, originals].flatMap((all) => all.map((object, index) => [object, index])),
    );
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
    const { nodes = [] } = parser.json as { readonly nodes?: readonly unknown[] };
    // Shapes may name nodes that are in no scene, which the loader has not made yet.
    const originals = await Promise.all(
      nodes.map((_, index) => parser.getDependency('node', index) as Promise<Object3D>),
    );
    const inRoot: Clones = new Map();
    if (scenes.includes(root as (typeof scenes)[number])) root.traverse((at) => inRoot.set(at, at));
    else pair(scene, root, inRoot);
    const loaded = new GltfScene(root, originals, inRoot);
    for (const [node, { isRigidByName }] of file.nodes) {
      if (isRigidByName === true) loaded.#isRigid.add(node);
    }
    for (const { collider, trigger } of file.nodes.values()) {
      for (const volume of [collider, trigger]) {
        if (volume === undefined || !('geometry' in volume) || !('mesh' in volume.geometry))
          continue;
        const { mesh } = volume.geometry;
        const object = (await parser.getDependency('mesh', mesh)) as Object3D;
        const source = { root: object, meshes: loaded.#meshesIn(object, false) };
        if (!loaded.#meshes.has(mesh)) loaded.#meshes.set(mesh, source);
      }
    }
    return loaded;
  }

  /** Undefined for a node that is not in the scene. */
  objectOf(node: number): Object3D | undefined {
    return this.#objects[node];
  }

  indexOf(object: Object3D): number | undefined {
    return this.#indices.get(object);
  }

  placeOf(object: Object3D): string {
    return `node ${this.indexOf(object)}${object.name && ` "${object.name}"`}`;
  }

  /** Errors begin with the place of the object. */
  within<Result>(object: Object3D, make: () => Result): Result {
    try {
      return make();
    } catch (error) {
      throw new RangeError(`${this.placeOf(object)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  sourceOf(geometry: MeshGeometry): GltfMeshes {
    if ('mesh' in geometry) return this.#meshes.get(geometry.mesh) as GltfMeshes;
    const root = this.objectOf(geometry.node) ?? (this.#originals[geometry.node] as Object3D);
    const sources = this.#sources[geometry.isWithChildren ? 'all' : 'alone'];
    let source = sources.get(root);
    if (source === undefined) {
      source = { root, meshes: this.#meshesIn(root, geometry.isWithChildren) };
      sources.set(root, source);
    }
    return source;
  }

  /** Meshes of a node. One with several materials is a group of meshes, which are no nodes themselves. */
  #meshesIn(object: Object3D, isWithChildren: boolean): Mesh[] {
    const meshes = isMesh(object as Mesh) ? [object as Mesh] : [];
    for (const child of object.children) {
      const index = this.#indices.get(child);
      if (isWithChildren ? this.#isRigid.has(index) : index !== undefined) continue;
      meshes.push(...this.#meshesIn(child, isWithChildren));
    }
    return meshes;
  }
}

/** Finds the objects of a clone, by those of the original. */
function pair(original: Object3D, clone: Object3D, clones: Clones): void {
  if (clone.type !== original.type || clone.children.length < original.children.length) {
    throw new TypeError(
      `object must be a scene of the glTF, or a clone of gltf.scene, but it has ${nameOf(clone)} in the place of ` +
        `${nameOf(original)}${clone.type === original.type ? ', with fewer children' : ''}`,
    );
  }
  clones.set(original, clone);
  for (const [index, child] of original.children.entries()) {
    pair(child, clone.children[index] as Object3D, clones);
  }
}
