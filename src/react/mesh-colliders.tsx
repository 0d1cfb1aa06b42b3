/** Colliders for meshes: for those in a body, and those in a `<MeshCollider>`. */
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
import { countOf, isInstanced } from '../three/scene-space.js';
import { requireKind, type ShapeKind, shapeOfDrawn } from '../three/shape-of.js';
import type { ColliderDesc } from '../world/page/index.js';
import { fieldsOfCollider } from '../world/page/collider-desc.js';
import { isFlat, ORIGIN } from '../world/page/vectors.js';
import { BodyContext, type BodyOwner, OWNER_PROPERTY } from './body-owner.js';
import { ColliderOwner, type ColliderSource } from './collider-owner.js';
import type { RigidBodyAutoCollider } from './types.js';
import { naming } from './errors.js';
import { type Placement, placementBelow } from './placement.js';
import { checkProps } from './development.js';
import { useRelease } from './leases.js';

interface One {
  readonly owner: ColliderOwner;
  /** Of an instance. */
  readonly matrix: Matrix4 | undefined;
}

const scratch = new Matrix4();

/** What the colliders of meshes have in common. */
interface Parts {
  readonly body: BodyOwner;
  readonly kind: () => ShapeKind;
  /** Which prop says the kind, for messages. Default: that of the body. */
  readonly kindProp: string | undefined;
}

export class MeshColliders {
  readonly #mesh: Mesh;
  readonly #root: Object3D;
  readonly #parts: Parts;
  readonly #changes = new ChangeDetector();
  readonly #all: One[] = [];
  /** Of the matrices of instances, in the last frame. */
  #version = -1;

  /** @param root The object of the body. */
  constructor(mesh: Mesh, root: Object3D, parts: Parts) {
    this.#mesh = mesh;
    this.#root = root;
    this.#parts = parts;
  }

  sync(): void {
    // Again, if its effects have ended and begun again.
    this.#parts.body.scope.watched.add(this);
    this.#takeChange();
    const mesh = this.#mesh;
    const count = countOf(mesh);
    if (isDevelopment && count === 0) warnOfNoInstances(mesh);
    for (let index = 0; index < count; index++) {
      const { owner, matrix } = (this.#all[index] ??= this.#make());
      if (matrix !== undefined) (mesh as InstancedMesh).getMatrixAt(index, matrix);
      owner.sync();
    }
    for (const { owner } of this.#all.splice(count)) owner.remove();
  }

  /** Follows the mesh, if it is not what it was: its change renders no component around it. It allocates nothing otherwise. */
  look(): void {
    const { body } = this.#parts;
    if (this.#takeChange()) body.late(() => this.sync());
    else if (this.#haveInstancesChanged()) body.late(() => this.#syncMoved());
  }

  remove(): void {
    this.#parts.body.scope.watched.delete(this);
    for (const { owner } of this.#all.splice(0)) owner.remove();
  }

  release(): void {
    this.#parts.body.scope.watched.delete(this);
    for (const { owner } of this.#all) owner.release();
  }

  /** Those whose matrices have changed: applications may say so in each frame. */
  #syncMoved(): void {
    for (const [index, { owner, matrix }] of this.#all.entries()) {
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
    // At first they are placed without saying so: nothing was rendered yet.
    const { version } = mesh.instanceMatrix;
    const haveChanged = version !== this.#version;
    this.#version = version;
    return haveChanged;
  }

  #make(): One {
    const { body, kind, kindProp } = this.#parts;
    const matrix = isInstanced(this.#mesh) ? new Matrix4() : undefined;
    const source = new MeshSource(this.#mesh, this.#root, kind, matrix && { matrix });
    source.shapeProp = kindProp;
    return { owner: new ColliderOwner(body.scope, body, source), matrix };
  }
}

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

/** Which part of a mesh it is for. */
export interface InstanceOfMesh {
  /** Where an instance is within its mesh. */
  readonly matrix?: Matrix4;
  /** What the root is scaled by in the scene. Default: as it is. */
  readonly scale?: Vector3;
}

/** What its shape was made of. */
interface Made {
  readonly kind: ShapeKind;
  readonly scale: Vector3;
}

/** The collider has the settings of its body. Where its mesh is in the body counts when it gets a shape. */
export class MeshSource implements ColliderSource {
  readonly props = {};
  readonly object = undefined;
  shapeProp: string | undefined;
  readonly #mesh: Mesh;
  readonly #root: Object3D;
  readonly #kind: () => ShapeKind;
  readonly #instance: InstanceOfMesh;
  #made: Made | undefined;
  #desc: ColliderDesc | undefined;
  /** Of the shape, in the space of the mesh. */
  readonly #center = new Vector3();
  /** Of the mesh in the body. */
  #below: Placement | undefined;
  readonly #placedBy = new ChangeDetector();
  readonly #geometry = new ChangeDetector();

  constructor(mesh: Mesh, root: Object3D, kind: () => ShapeKind, instance: InstanceOfMesh = {}) {
    this.#mesh = mesh;
    this.#root = root;
    this.#kind = kind;
    this.#instance = instance;
  }

  /** Not another shape of the same collider: where nothing moves, the engine keeps the contacts of the shape before. */
  key(): readonly unknown[] {
    return [this.#made];
  }

  /** @throws As `shapeOf` does, naming the mesh. What goes wrong later leaves the shape that there is. */
  prepare(): boolean {
    const mesh = this.#mesh;
    return naming(`the mesh ${JSON.stringify(mesh.name)}`, () => {
      const kind = this.#kind();
      requireKind(kind);
      try {
        return this.#read(kind);
      } catch (error) {
        if (this.#made === undefined) throw error;
        warnOfOldCollider(mesh, error as Error);
        return true;
      }
    });
  }

  describe(): ColliderDesc {
    // Where the mesh is now.
    const { scale } = this.#made as Made;
    this.#below = { ...this.#placeBelow(), scale };
    const { position, rotation } = this.#placement();
    const { x, y, z } = position;
    return (this.#desc as ColliderDesc).setTranslation(x, y, z).setRotation(rotation);
  }

  place(isNew: boolean): Placement | undefined {
    return isNew || this.#instance.matrix === undefined ? undefined : this.#placement();
  }

  #read(kind: ShapeKind): boolean {
    const mesh = this.#mesh;
    this.#geometry.addGeometry(mesh.geometry, mesh.material);
    const isEdited = this.#geometry.takeChange();
    const drawn = drawnBy(mesh);
    const scale = this.#scale();
    if (drawn.isEmpty || isFlat(scale)) {
      // Instances without a size are those that an application hides.
      const isHidden = this.#instance.matrix !== undefined;
      if (isDevelopment && !isHidden) warnOfEmptyMesh(mesh, drawn);
      this.#made = undefined;
      return false;
    }
    const made = this.#made;
    if (!isEdited && made?.kind === kind && made.scale.equals(scale)) return true;
    this.#desc = shapeOfDrawn(mesh.geometry, drawn, kind, scale);
    this.#made = { kind, scale };
    this.#center.copy(fieldsOfCollider(this.#desc).translation ?? ORIGIN);
    return true;
  }

  /** In the scene. What turns the body does not change it, even where that is stretched. */
  #scale(): Vector3 {
    const { matrix, scale } = this.#instance;
    this.#placedBy.addScales(this.#mesh);
    if (matrix !== undefined) this.#placedBy.addMatrix(matrix);
    if (scale !== undefined) this.#placedBy.addVector(scale);
    if (this.#placedBy.takeChange() || this.#below === undefined) this.#below = this.#placeBelow();
    return this.#below.scale;
  }

  #placeBelow(): Placement {
    const { matrix, scale } = this.#instance;
    const below = placementBelow(this.#mesh, this.#root, scale, matrix);
    // Of instances that turn, rounding makes it differ after six digits.
    if (matrix !== undefined) below.scale.fromArray(below.scale.toArray().map(rounded));
    return below;
  }

  /** Of the collider, whose center need not be that of its mesh. */
  #placement(): Placement {
    const { position, rotation, scale } = this.#below as Placement;
    const center = this.#center.clone().applyQuaternion(rotation);
    return { position: center.add(position), rotation, scale };
  }
}

const rounded = (factor: number): number => Number(factor.toPrecision(6));

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
