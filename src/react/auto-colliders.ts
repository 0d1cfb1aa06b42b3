/** Colliders for the meshes in a body. */
import type { LOD, Mesh, Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { whyNoCollider, warnOfNoCollider } from '../three/drawn-geometry.js';
import type { ShapeKind } from '../three/index.js';
import { OWNER_PROPERTY, type BodyOwner } from './body-owner.js';
import type { RigidBodyAutoCollider } from './types.js';
import { MeshColliders } from './mesh-colliders.js';

/** How the object of a `<MeshCollider>` says that its meshes are no concern of the body around it. */
export const MESH_COLLIDER_PROPERTY = 'betwixtMeshCollider';

export class AutoColliders {
  readonly #body: BodyOwner;
  readonly #kind: () => RigidBodyAutoCollider;
  readonly #kindProp: string | undefined;
  readonly #colliders = new Map<Mesh, MeshColliders>();
  readonly #watched = new Set<Object3D>();
  #root: Object3D | undefined;
  #isSyncDue = false;

  /** @param kindProp Which prop says the kind, for messages. Default: that of the body. */
  constructor(body: BodyOwner, kind: () => RigidBodyAutoCollider, kindProp?: string) {
    this.#body = body;
    this.#kind = kind;
    this.#kindProp = kindProp;
  }

  /** Makes and removes colliders, so that each mesh below an object has one. @param root Default: that of the last call. */
  sync(root: Object3D | undefined = this.#root): void {
    if (root === undefined) return;
    this.#root = root;
    const kind = this.#kind();
    const missing = new Set(this.#colliders.keys());
    if (kind !== false) {
      this.#forMeshes(root, (mesh) => {
        missing.delete(mesh);
        this.#require(mesh, root).sync();
      });
    }
    for (const mesh of missing) {
      this.#colliders.get(mesh)?.remove();
      this.#colliders.delete(mesh);
    }
  }

  release(): void {
    this.#body.delete(this);
    for (const colliders of this.#colliders.values()) colliders.release();
    for (const object of this.#watched) this.#unwatch(object);
    this.#watched.clear();
  }

  #require(mesh: Mesh, root: Object3D): MeshColliders {
    let colliders = this.#colliders.get(mesh);
    if (colliders === undefined) {
      colliders = new MeshColliders(mesh, this.#body.objectFrom(root) ?? root, {
        body: this.#body,
        kind: () => this.#kind() as ShapeKind,
        kindProp: this.#kindProp,
      });
      this.#colliders.set(mesh, colliders);
    }
    return colliders;
  }

  #forMeshes(object: Object3D, callback: (mesh: Mesh) => void, isAlways = false): void {
    if (object !== this.#root) {
      if (!isAlways && isInvisible(object) && !this.#body.props.includeInvisible) return;
      if (MESH_COLLIDER_PROPERTY in object || OWNER_PROPERTY in object) return;
    }
    this.#watch(object);
    const reason = whyNoCollider(object);
    if (reason === undefined) {
      if ('isMesh' in object) callback(object as Mesh);
    } else if (isDevelopment) {
      warnOfNoCollider(object, reason);
    }
    const levels = 'isLOD' in object ? (object as LOD).levels.map((level) => level.object) : [];
    for (const child of object.children) {
      // Physics does not depend on the camera: of all levels, which the camera shows and hides, the nearest counts.
      const level = levels.indexOf(child);
      if (level <= 0) this.#forMeshes(child, callback, level === 0);
    }
  }

  /** What comes later, such as a model that was still being loaded, renders no component around it. */
  #watch(object: Object3D): void {
    if (this.#watched.has(object)) return;
    this.#watched.add(object);
    object.addEventListener('childadded', this.#onChild);
    object.addEventListener('childremoved', this.#onChild);
  }

  #unwatch(object: Object3D): void {
    object.removeEventListener('childadded', this.#onChild);
    object.removeEventListener('childremoved', this.#onChild);
  }

  readonly #onChild = (): void => {
    if (this.#isSyncDue) return;
    this.#isSyncDue = true;
    queueMicrotask(() => {
      this.#isSyncDue = false;
      if (this.#watched.size > 0) this.#body.late(() => this.sync());
    });
  };
}

/** A boundary that suspends has fiber hide what is in it, until it is shown again. */
function isInvisible(object: Object3D): boolean {
  const { __r3f: fiber } = object as { __r3f?: FiberInstance };
  if (fiber?.isHidden !== true) return !object.visible;
  return (fiber.previousVisible ?? fiber.props?.visible) === false;
}

/** What fiber notes of an object. */
interface FiberInstance {
  readonly isHidden?: boolean;
  /** In newer versions: before it was hidden. */
  readonly previousVisible?: boolean;
  readonly props?: { readonly visible?: boolean };
}
