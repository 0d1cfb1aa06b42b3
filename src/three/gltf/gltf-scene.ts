/** The objects of a glTF file's nodes: those of the file itself, or of a clone of its scene. */
import type { Mesh, Object3D } from 'three';
import type { GLTF } from 'three/addons/loaders/GLTFLoader.js';
import { isMesh, nameOf } from '../drawn-geometry.js';
import type { NodeGeometry, PhysicsFile } from './gltf-file.js';

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
  readonly #isNode: ReadonlySet<Object3D>;
  /** Objects of a clone, by those of the file. */
  readonly #clones = new Map<Object3D, Object3D>();
  /** Meshes of the file that shapes name, by their index. */
  readonly #meshes = new Map<number, GltfMeshes>();
  /** Meshes of nodes: of these alone, and with those of all nodes below. */
  readonly #sources = {
    alone: new Map<Object3D, GltfMeshes>(),
    all: new Map<Object3D, GltfMeshes>(),
  };

  private constructor(root: Object3D, originals: readonly Object3D[]) {
    this.root = root;
    this.#originals = originals;
    this.#isNode = new Set(originals);
  }

  /**
   * @param root The scene of the file, or a clone of it.
   * @throws TypeError for an object that is neither.
   */
  static async load(
    { parser, scene, scenes }: GLTF,
    root: Object3D,
    file: PhysicsFile,
  ): Promise<GltfScene> {
    const { nodes = [] } = parser.json as { readonly nodes?: readonly unknown[] };
    // Shapes may name nodes that are in no scene, which the loader has not made yet.
    const originals = await Promise.all(
      nodes.map((_, index) => parser.getDependency('node', index) as Promise<Object3D>),
    );
    const loaded = new GltfScene(root, originals);
    if (!scenes.includes(root as (typeof scenes)[number])) loaded.#pair(scene, root);
    for (const { collider, trigger } of file.nodes.values()) {
      for (const geometry of [collider?.geometry, trigger?.geometry]) {
        if (geometry === undefined || !('mesh' in geometry)) continue;
        const object = (await parser.getDependency('mesh', geometry.mesh)) as Object3D;
        const source = { root: object, meshes: loaded.#meshesIn(object, true) };
        if (!loaded.#meshes.has(geometry.mesh)) loaded.#meshes.set(geometry.mesh, source);
      }
    }
    return loaded;
  }

  /** Undefined for a node that is not in the scene. */
  objectOf(node: number): Object3D | undefined {
    const original = this.#originals[node] as Object3D;
    const object = this.#clones.size === 0 ? original : this.#clones.get(original);
    for (let at: Object3D | null | undefined = object; at; at = at.parent) {
      if (at === this.root) return object;
    }
    return undefined;
  }

  indexOf(object: Object3D): number {
    return this.#originals.indexOf(this.#originalOf(object));
  }

  sourceOf(geometry: Exclude<NodeGeometry, { readonly shape: unknown }>): GltfMeshes {
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
      if (!isWithChildren && this.#isNode.has(this.#originalOf(child))) continue;
      meshes.push(...this.#meshesIn(child, isWithChildren));
    }
    return meshes;
  }

  readonly #byClone = new Map<Object3D, Object3D>();

  #originalOf(object: Object3D): Object3D {
    return this.#byClone.get(object) ?? object;
  }

  #pair(original: Object3D, clone: Object3D): void {
    if (original.children.length > clone.children.length) {
      throw new TypeError(
        `object must be the scene of the glTF or a clone of it, but ${nameOf(clone)} has other children than ` +
          nameOf(original),
      );
    }
    this.#clones.set(original, clone);
    this.#byClone.set(clone, original);
    for (const [index, child] of original.children.entries()) {
      this.#pair(child, clone.children[index] as Object3D);
    }
  }
}
