/** Colliders for the meshes in a body. */
import { isDevelopment } from '../../../shared/development/is-development.js';
import { warnOfNoPoints } from '../development/warnings.js';
import { naming } from '../errors/named-errors.js';
import type { Mesh, Object3D, Vector3 } from 'three';
import type { Vector } from '../../../shared/world/fields.js';
import type { ShapeKind } from '../../three/index.js';
import type { ColliderDesc } from '../../world/index.js';
import { OWNER_PROPERTY, type BodyOwner } from '../owners/body-owner.js';
import { ColliderOwner, type ColliderSource } from '../owners/collider-owner.js';
import { describeGeometry, versionsOf } from './geometry-shapes.js';
import { placementBelow, scalesAbove, type Placement } from '../props/placement.js';
import type { RigidBodyAutoCollider } from '../props/types.js';

/** How the object of a `<MeshCollider>` says that its meshes are no concern of the body around it. */
export const MESH_COLLIDER_PROPERTY = 'betwixtMeshCollider';

export class AutoColliders {
  readonly #body: BodyOwner;
  readonly #kind: () => RigidBodyAutoCollider;
  readonly #kindProp: string | undefined;
  readonly #colliders = new Map<Mesh, ColliderOwner>();
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
    for (const collider of this.#colliders.values()) collider.release();
    for (const object of this.#watched) this.#unwatch(object);
    this.#watched.clear();
  }

  #require(mesh: Mesh, root: Object3D): ColliderOwner {
    let owner = this.#colliders.get(mesh);
    if (owner === undefined) {
      const ofBody = this.#body.objectFrom(root) ?? root;
      const source = new MeshSource(mesh, ofBody, () => this.#kind() as ShapeKind);
      source.shapeProp = this.#kindProp;
      owner = new ColliderOwner(this.#body.scope, this.#body, source);
      this.#colliders.set(mesh, owner);
    }
    return owner;
  }

  #forMeshes(object: Object3D, callback: (mesh: Mesh) => void): void {
    if (object !== this.#root) {
      if (isInvisible(object) && !this.#body.props.includeInvisible) return;
      if (MESH_COLLIDER_PROPERTY in object || OWNER_PROPERTY in object) return;
    }
    this.#watch(object);
    if ('isMesh' in object && hasPoints(object as Mesh)) callback(object as Mesh);
    for (const child of object.children) this.#forMeshes(child, callback);
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

/** Texts and models may have none yet. */
function hasPoints(mesh: Mesh): boolean {
  // Types say that it is always there.
  const position = mesh.geometry.attributes['position'] as { readonly count: number } | undefined;
  if (position !== undefined && position.count > 0) return true;
  if (isDevelopment) warnOfNoPoints(mesh);
  return false;
}

/** The collider of one mesh: it has the settings of the body. */
export class MeshSource implements ColliderSource {
  readonly props = {};
  readonly object = undefined;
  shapeProp: string | undefined;
  readonly #mesh: Mesh;
  readonly #root: Object3D;
  readonly #kind: () => ShapeKind;
  readonly #instance: { readonly scale: Vector3 } | undefined;
  #placement: Placement | undefined;
  #center: Vector = { x: 0, y: 0, z: 0 };

  /** @param instance Of the mesh, with its scale in the scene. Default: the mesh is drawn once. */
  constructor(
    mesh: Mesh,
    root: Object3D,
    kind: () => ShapeKind,
    instance?: { readonly scale: Vector3 },
  ) {
    this.#instance = instance;
    this.#mesh = mesh;
    this.#root = root;
    this.#kind = kind;
  }

  key(): readonly unknown[] {
    const { geometry } = this.#mesh;
    const scales = this.#instance?.scale.toArray() ?? scalesAbove(this.#root);
    return [this.#kind(), geometry, ...versionsOf(geometry), ...scales];
  }

  describe(): ColliderDesc {
    this.#placement = placementBelow(this.#mesh, this.#root, this.#instance?.scale);
    const { geometry, name } = this.#mesh;
    const { scale } = this.#placement;
    const { desc, center } = naming(`the mesh ${JSON.stringify(name)}`, () =>
      describeGeometry(geometry, this.#kind(), scale),
    );
    this.#center = center;
    return desc;
  }

  place(isNew: boolean): Placement | undefined {
    if (!isNew || this.#placement === undefined) return undefined;
    const { position, rotation, scale } = this.#placement;
    const { x, y, z } = this.#center;
    const center = position.clone().set(x, y, z).applyQuaternion(rotation);
    return { position: position.clone().add(center), rotation, scale };
  }
}
