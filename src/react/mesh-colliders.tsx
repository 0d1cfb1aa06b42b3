/**
 * Colliders for meshes: `AutoColliders` finds the meshes in a body or in a `<MeshCollider>`, `MeshColliders` makes one for each
 * instance that a mesh draws, and `MeshSource` describes it.
 */
import { type InstancedMesh, type LOD, Matrix4, type Mesh, type Object3D, Vector3 } from 'three';
import {
  type JSX,
  memo,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { isDevelopment } from '../shared/util/development.js';
import {
  drawnBy,
  warnOfEmptyMesh,
  warnOfNoCollider,
  warnOfNoInstances,
  warnOfOldCollider,
  whyNoCollider,
} from '../three/drawn-geometry.js';
import { ChangeDetector } from '../three/change-detector.js';
import {
  type Placement,
  type Stretch,
  countOf,
  isInstanced,
  isSameStretch,
  roundScale,
} from '../three/scene-space.js';
import { requireKind, type ShapeKind, shapeOfDrawn } from '../three/shape-of.js';
import type { ColliderDesc } from '../world/page/index.js';
import { fieldsOfCollider } from '../world/page/collider-desc.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { ORIGIN } from '../world/shared/setting-tables.js';
import { BodyContext, type BodyOwner, OWNER_PROPERTY } from './body-owner.js';
import { ColliderOwner, type ColliderSource } from './collider-owner.js';
import type { RigidBodyAutoCollider } from './types.js';
import { naming } from './errors.js';
import { placementBelow } from './placement.js';
import { checkProps } from './development.js';
import { useRelease } from './leases.js';

/** Marks an object of which the meshes get no colliders from the body around it. */
export const MESH_COLLIDER_PROPERTY = 'betwixtMeshCollider';

/** The colliders of all meshes below an object. */
export class AutoColliders {
  readonly #body: BodyOwner;
  readonly #kind: () => RigidBodyAutoCollider;
  readonly #kindProp: string | undefined;
  readonly #colliders = new Map<Mesh, MeshColliders>();
  readonly #watched = new Set<Object3D>();
  #root: Object3D | undefined;
  #isSyncDue = false;

  /** @param kindProp The prop that says the kind, for messages. Default: `colliders` of the body. */
  constructor(body: BodyOwner, kind: () => RigidBodyAutoCollider, kindProp?: string) {
    this.#body = body;
    this.#kind = kind;
    this.#kindProp = kindProp;
  }

  /** Makes and removes colliders, so that each mesh below an object has one. @param root Default: the same as before. */
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
      // The camera shows and hides levels, but physics does not depend on the camera: the nearest level counts.
      const level = levels.indexOf(child);
      if (level <= 0) this.#forMeshes(child, callback, level === 0);
    }
  }

  /** An object that is added later, such as a model that was still loading, renders no component around it. */
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
      if (this.#watched.size > 0) this.#body.late.do(() => this.sync());
    });
  };
}

/** Whether the application has hidden an object. Fiber hides objects itself, while a boundary around them is suspended. */
function isInvisible(object: Object3D): boolean {
  const { __r3f: fiber } = object as { __r3f?: FiberInstance };
  if (fiber?.isHidden !== true) return !object.visible;
  return (fiber.previousVisible ?? fiber.props?.visible) === false;
}

/** The members that fiber adds to an object. */
interface FiberInstance {
  readonly isHidden?: boolean;
  /** Before fiber has hidden it. Only newer versions have this. */
  readonly previousVisible?: boolean;
  readonly props?: { readonly visible?: boolean };
}

/** The collider of a mesh, or of one of its instances. */
interface MeshInstance {
  readonly owner: ColliderOwner;
  /** Matrix of an instance. */
  readonly matrix: Matrix4 | undefined;
}

const scratch = new Matrix4();

/** The same for all meshes of a body. */
interface MeshColliderOptions {
  readonly body: BodyOwner;
  readonly kind: () => ShapeKind;
  /** The prop that says the kind, for messages. Default: `colliders` of the body. */
  readonly kindProp: string | undefined;
}

/** The colliders of one mesh: one, or one for each instance that it draws. */
class MeshColliders {
  readonly #mesh: Mesh;
  readonly #root: Object3D;
  readonly #options: MeshColliderOptions;
  readonly #changes = new ChangeDetector();
  readonly #instances: MeshInstance[] = [];
  /** Version of the matrices of instances in the last frame. */
  #version = -1;

  /** @param root The object of the body. */
  constructor(mesh: Mesh, root: Object3D, options: MeshColliderOptions) {
    this.#mesh = mesh;
    this.#root = root;
    this.#options = options;
  }

  sync(): void {
    // Its effects may have ended and begun again.
    this.#options.body.scope.watchers.add(this);
    this.#takeChange();
    const mesh = this.#mesh;
    const count = countOf(mesh);
    if (isDevelopment && count === 0) warnOfNoInstances(mesh);
    for (let index = 0; index < count; index++) {
      const { owner, matrix } = (this.#instances[index] ??= this.#make());
      if (matrix !== undefined) (mesh as InstancedMesh).getMatrixAt(index, matrix);
      owner.sync();
    }
    for (const { owner } of this.#instances.splice(count)) owner.remove();
  }

  /** Follows a changed mesh, for which no component around it is rendered. Allocates nothing if the mesh is unchanged. */
  followChanges(): void {
    const { body } = this.#options;
    if (this.#takeChange()) body.late.do(() => this.sync());
    else if (this.#haveInstancesChanged()) body.late.do(() => this.#syncMoved());
  }

  remove(): void {
    this.#options.body.scope.watchers.delete(this);
    for (const { owner } of this.#instances.splice(0)) owner.remove();
  }

  release(): void {
    this.#options.body.scope.watchers.delete(this);
    for (const { owner } of this.#instances) owner.release();
  }

  /** Syncs instances that have moved. Applications may report a new version in each frame, whether or not any has. */
  #syncMoved(): void {
    for (const [index, { owner, matrix }] of this.#instances.entries()) {
      (this.#mesh as InstancedMesh).getMatrixAt(index, scratch);
      if (matrix === undefined || matrix.equals(scratch)) continue;
      matrix.copy(scratch);
      owner.sync();
    }
  }

  #takeChange(): boolean {
    const mesh = this.#mesh;
    this.#changes.addGeometry(mesh.geometry, mesh.material);
    this.#changes.addScales(mesh);
    this.#changes.add(countOf(mesh));
    if (isInstanced(mesh)) this.#changes.add(mesh.instanceMatrix);
    return this.#changes.takeChange();
  }

  #haveInstancesChanged(): boolean {
    const mesh = this.#mesh;
    if (!isInstanced(mesh)) return false;
    const { version } = mesh.instanceMatrix;
    // Also in the first frame: before it, instances need no new version to be moved.
    const haveChanged = version !== this.#version;
    this.#version = version;
    return haveChanged;
  }

  #make(): MeshInstance {
    const { body, kind, kindProp } = this.#options;
    const matrix = isInstanced(this.#mesh) ? new Matrix4() : undefined;
    const source = new MeshSource(this.#mesh, kind, { root: this.#root, matrix });
    source.shapeProp = kindProp;
    return { owner: new ColliderOwner(body.scope, body, source), matrix };
  }
}

/** Where a mesh is in its body, or a part of it. */
interface MeshPlacement {
  /** The object of the body. */
  readonly root: Object3D;
  /** Matrix of an instance within its mesh. */
  readonly matrix?: Matrix4 | undefined;
  /** How the body is stretched in the scene, which may change. Default: as the root is. */
  readonly body?: Stretch;
}

/** The sources of a shape. */
interface ShapeOrigin extends Stretch {
  readonly kind: ShapeKind;
}

/**
 * Describes the collider of a mesh, or of one of its instances. The collider has the settings of its body. Where its mesh is
 * in the body counts when it gets a shape.
 */
export class MeshSource implements ColliderSource {
  readonly props = {};
  readonly object = undefined;
  shapeProp: string | undefined;
  readonly #mesh: Mesh;
  readonly #kind: () => ShapeKind;
  readonly #part: MeshPlacement;
  #origin: ShapeOrigin | undefined;
  #desc: ColliderDesc | undefined;
  /** Center of the shape, in the space of the mesh. */
  readonly #center = new Vector3();
  /** Where the mesh is in the body. */
  #meshPlacement: Placement | undefined;
  readonly #placementChanges = new ChangeDetector();
  readonly #geometryChanges = new ChangeDetector();

  constructor(mesh: Mesh, kind: () => ShapeKind, part: MeshPlacement) {
    this.#mesh = mesh;
    this.#kind = kind;
    this.#part = part;
  }

  /** Another shape needs another collider: the engine would keep the contacts of the shape before where nothing moves. */
  key(): readonly unknown[] {
    return [this.#origin];
  }

  /** @throws As `shapeOf` does, naming the mesh. With a shape from before, it warns instead and leaves that. */
  prepare(): boolean {
    const mesh = this.#mesh;
    return naming(`the mesh ${JSON.stringify(mesh.name)}`, () => {
      const kind = this.#kind();
      requireKind(kind);
      try {
        return this.#read(kind);
      } catch (error) {
        if (this.#origin === undefined) throw error;
        warnOfOldCollider(mesh, error as Error);
        return true;
      }
    });
  }

  describe(): ColliderDesc {
    const { scale, shear } = this.#origin as ShapeOrigin;
    const { position: meshPosition, rotation: turned } = this.#placeMesh();
    // The mesh may have moved since, but a shear belongs to its rotation.
    const meshRotation = shear === undefined ? turned : (this.#meshPlacement as Placement).rotation;
    this.#meshPlacement = { position: meshPosition, rotation: meshRotation, scale, shear };
    const { position, rotation } = this.#colliderPlacement();
    const { x, y, z } = position;
    return (this.#desc as ColliderDesc).setTranslation(x, y, z).setRotation(rotation);
  }

  placement(isNew: boolean): Placement | undefined {
    return isNew || this.#part.matrix === undefined ? undefined : this.#colliderPlacement();
  }

  #read(kind: ShapeKind): boolean {
    const mesh = this.#mesh;
    this.#geometryChanges.addGeometry(mesh.geometry, mesh.material);
    const isEdited = this.#geometryChanges.takeChange();
    const { scale, shear } = this.#stretch();
    const origin = this.#origin;
    if (!isEdited && origin?.kind === kind && isSameStretch(origin, { scale, shear })) return true;
    const drawn = drawnBy(mesh);
    if (drawn.isEmpty || isFlat(scale)) {
      // Instances without a size are those that an application hides.
      const isHidden = this.#part.matrix !== undefined;
      if (isDevelopment && !isHidden) warnOfEmptyMesh(mesh, drawn);
      this.#origin = undefined;
      return false;
    }
    this.#desc = shapeOfDrawn(mesh, drawn, kind, { scale, shear });
    this.#origin = { kind, scale, shear };
    this.#center.copy(fieldsOfCollider(this.#desc).translation ?? ORIGIN);
    return true;
  }

  /** How it is stretched in the scene. That does not change when the body turns, even if a parent stretches it. */
  #stretch(): Stretch {
    const { matrix, body } = this.#part;
    this.#placementChanges.addScales(this.#mesh);
    if (matrix !== undefined) this.#placementChanges.addMatrix(matrix);
    if (body !== undefined) this.#placementChanges.addVector(body.scale);
    if (this.#placementChanges.takeChange() || this.#meshPlacement === undefined)
      this.#meshPlacement = this.#placeMesh();
    return this.#meshPlacement;
  }

  #placeMesh(): Placement {
    const { root, matrix, body } = this.#part;
    const placement = placementBelow(this.#mesh, root, body, matrix);
    // The matrix of an instance that turns is rounded.
    if (matrix !== undefined) roundScale(placement.scale);
    return placement;
  }

  /** Where the collider is. Its center may differ from that of the mesh. */
  #colliderPlacement(): Placement {
    const { position, rotation, scale } = this.#meshPlacement as Placement;
    const center = this.#center.clone().applyQuaternion(rotation);
    return { position: center.add(position), rotation, scale };
  }
}

/** Props of {@link MeshCollider}. */
export interface MeshColliderProps {
  /** Meshes, or what has meshes in it. */
  children: ReactNode;
  /** Which colliders the meshes in it get. */
  type: RigidBodyAutoCollider;
}

/**
 * Gives the meshes in it other colliders than the `<RigidBody>` around it would.
 *
 * @throws Error outside of a `<RigidBody>`.
 */
export const MeshCollider = memo(function MeshCollider(props: MeshColliderProps): JSX.Element {
  const { children, type } = props;
  if (isDevelopment) checkProps('meshCollider', '<MeshCollider>', props);
  const body = useContext(BodyContext);
  if (body === undefined) {
    throw new Error(
      '<MeshCollider> was used outside of <RigidBody>: put it into <RigidBody colliders={false}>, which has the body ' +
        'of its colliders',
    );
  }
  const object = useRef<Object3D>(null);
  const kind = useRef(type);
  const [colliders] = useState(
    () => new AutoColliders(body, () => kind.current, 'type of <MeshCollider>'),
  );
  useLayoutEffect(() => {
    kind.current = type;
    if (object.current !== null) colliders.sync(object.current);
  });
  useEffect(() => body.add(colliders), [body, colliders]);
  useRelease(colliders);
  return (
    <object3D ref={object} {...{ [MESH_COLLIDER_PROPERTY]: true }}>
      {children}
    </object3D>
  );
});
