/**
 * The colliders of a mesh, which are as the mesh is drawn: `MeshColliders` has one for each instance that the mesh draws, and
 * follows its changes; a `MeshShape` describes one.
 */
import { type InstancedMesh, type LOD, Matrix4, type Mesh, type Object3D, Vector3 } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import type { ColliderDesc } from '../world/page/index.js';
import { fieldsOfCollider } from '../world/page/collider-desc.js';
import { isFlat } from '../world/page/checked-shapes.js';
import { ORIGIN } from '../world/shared/setting-tables.js';
import { ChangeDetector } from './change-detector.js';
import {
  drawnBy,
  FLAT,
  isSkinned,
  nameOf,
  warnOfNoCollider,
  warnOfOldCollider,
} from './drawn-geometry.js';
import {
  countOf,
  isInstanced,
  isSameStretch,
  type Placement,
  placementBelow,
  type Stretch,
} from './scene-space.js';
import { requireKind, shapeOfDrawn, type ShapeKind } from './shape-of.js';

/** Where a mesh is in its body, or a part of it. */
export interface MeshPlace {
  /** The object of the body. */
  readonly root: Object3D;
  /** Matrix of an instance within its mesh. */
  readonly matrix?: Matrix4 | undefined;
  /** How the body is stretched in the scene, which may change. Default: as the root is. */
  readonly body?: () => Stretch;
}

/** The sources of a shape. */
interface ShapeOrigin extends Stretch {
  readonly kind: ShapeKind | undefined;
}

/** Counts the pieces that have come for meshes that had another shape before. */
let arrivals = 0;

/** The shape of a mesh, or of one of its instances, and its place in the body. */
export class MeshShape {
  /** Set when the mesh has moved in its body: the collider then moves, too. */
  isMoved = false;
  readonly mesh: Mesh;
  readonly #kind: () => ShapeKind | undefined;
  readonly #place: MeshPlace;
  #origin: ShapeOrigin | undefined;
  #desc: ColliderDesc | undefined;
  /** Center of the shape, in the space of the mesh. */
  readonly #center = new Vector3();
  /** Where the mesh is in the body. */
  #placement: Placement | undefined;
  /** Whether it has ever moved: a jump of the run may have brought its place of before back. */
  #hasMoved = false;
  /** Whether the collider was made where the mesh is. */
  #isDescribed = false;
  readonly #placementChanges = new ChangeDetector();
  /** Another one when pieces have come that it waited for, so that the mesh is read again. */
  #geometryChanges = new ChangeDetector();

  /** @param kind Undefined: by the type of the geometry. */
  constructor(mesh: Mesh, kind: () => ShapeKind | undefined, place: MeshPlace) {
    this.mesh = mesh;
    this.#kind = kind;
    this.#place = place;
  }

  /** Matrix of an instance within its mesh. */
  get matrix(): Matrix4 | undefined {
    return this.#place.matrix;
  }

  /** Another shape needs another collider: the engine would keep the contacts of the shape before where nothing moves. */
  key(): readonly unknown[] {
    return [this.#origin];
  }

  /**
   * Reads what is drawn now. Call it before the other methods.
   *
   * @returns False if nothing is drawn, so that there is nothing to make a collider of.
   * @throws As `shapeOf` does. With a shape from before, it warns instead and leaves that.
   */
  prepare(): boolean {
    const kind = this.#kind();
    requireKind(kind);
    try {
      return this.#read(kind);
    } catch (error) {
      if (this.#origin === undefined) throw error;
      warnOfOldCollider(this.mesh, error as Error);
      return true;
    }
  }

  describe(): ColliderDesc {
    const { scale, shear } = this.#origin as ShapeOrigin;
    const { position: meshPosition, rotation: turned } = this.#placeMesh();
    // The mesh may have moved since, but a shear belongs to its rotation.
    const meshRotation = shear === undefined ? turned : (this.#placement as Placement).rotation;
    this.#placement = { position: meshPosition, rotation: meshRotation, scale, shear };
    this.#isDescribed = true;
    const { position, rotation } = this.#colliderPlacement();
    const { x, y, z } = position;
    return (this.#desc as ColliderDesc).setTranslation(x, y, z).setRotation(rotation);
  }

  /** Where the collider is in its body. Undefined: it is there. @param isNew Whether it may be elsewhere. */
  placement(isNew: boolean): Placement | undefined {
    const isDue = isNew ? this.#hasMoved : this.isMoved || this.matrix !== undefined;
    const isDescribed = this.#isDescribed;
    this.#isDescribed = false;
    this.isMoved = false;
    return isDue && !isDescribed ? this.#colliderPlacement() : undefined;
  }

  #read(kind: ShapeKind | undefined): boolean {
    const { mesh } = this;
    const { geometry, material } = mesh;
    this.#geometryChanges.addGeometry(geometry, material);
    const isEdited = this.#geometryChanges.takeChange();
    const { scale, shear } = this.#stretch();
    const origin = this.#origin;
    const isSame =
      origin !== undefined && origin.kind === kind && isSameStretch(origin, { scale, shear });
    // Bones draw a skin where they are, wherever its mesh has moved to.
    const isDrawnElsewhere = this.isMoved && isSkinned(mesh);
    if (isSame && !isEdited && !isDrawnElsewhere) return true;
    const drawn = drawnBy(mesh);
    if (drawn.isEmpty || isFlat(scale)) {
      // Instances without a size are those that an application hides.
      if (isDevelopment && this.matrix === undefined) {
        warnOfNoCollider(nameOf(mesh), drawn.isEmpty ? 'nothing of it is drawn' : FLAT);
      }
      this.#origin = undefined;
      return false;
    }
    const desc = shapeOfDrawn(mesh, drawn, kind, { scale, shear });
    const { shape } = desc;
    // A collider keeps its shape until there are pieces for another.
    if (origin !== undefined && !shape.isReady) {
      const take = (): void => {
        this.#geometryChanges = new ChangeDetector();
        arrivals += 1;
      };
      shape.ready.then(take, (error: Error) => warnOfOldCollider(mesh, error));
      return true;
    }
    this.#desc = desc;
    this.#origin = { kind, scale, shear };
    this.#center.copy(fieldsOfCollider(this.#desc).translation ?? ORIGIN);
    return true;
  }

  /** How it is stretched in the scene. That does not change when the body turns, even if a parent stretches it. */
  #stretch(): Stretch {
    const { matrix } = this.#place;
    const body = this.#place.body?.();
    this.#placementChanges.addScales(this.mesh);
    if (matrix !== undefined) this.#placementChanges.addMatrix(matrix);
    if (body !== undefined) {
      this.#placementChanges.addVector(body.scale);
      this.#placementChanges.add(body.shear !== undefined);
      for (const element of body.shear?.elements ?? []) this.#placementChanges.add(element);
    }
    // Scales of parents also move it, and two negative ones turn it.
    const isScaled = this.#placementChanges.takeChange();
    this.isMoved ||= isScaled && this.#placement !== undefined;
    this.#hasMoved ||= this.isMoved;
    if (this.isMoved || this.#placement === undefined) this.#placement = this.#placeMesh();
    return this.#placement;
  }

  #placeMesh(): Placement {
    const { root, matrix, body } = this.#place;
    return placementBelow(this.mesh, root, body?.(), matrix);
  }

  /** Where the collider is. Its center may differ from that of the mesh. */
  #colliderPlacement(): Placement {
    const { position, rotation, scale } = this.#placement as Placement;
    const center = this.#center.clone().applyQuaternion(rotation);
    return { position: center.add(position), rotation, scale };
  }
}

/** A collider of a mesh, in whatever world. */
export interface MeshCollider {
  readonly source: Pick<MeshShape, 'isMoved' | 'matrix'>;
  /** Makes the collider as its shape says. */
  sync(): void;
  /** Removes it now. */
  remove(): void;
}

/** Makes the colliders of a mesh, or of all meshes in a body. */
export interface ColliderMaker<C extends MeshCollider> {
  /** The object of the body. */
  readonly root: Object3D;
  /** Makes a collider of a mesh, or of an instance. @param matrix Matrix of the instance within the mesh. */
  make(mesh: Mesh, index: number, matrix: Matrix4 | undefined): C;
  /** Calls what may throw, between frames. */
  attempt(act: () => void): void;
  /** Whether an object within the body is hidden. Default: none is. */
  hides?(object: Object3D): boolean;
}

const scratch = new Matrix4();

/** The colliders of one mesh: one, or one for each instance that it draws. */
export class MeshColliders<C extends MeshCollider = MeshCollider> {
  readonly #mesh: Mesh;
  readonly #maker: ColliderMaker<C>;
  readonly #changes = new ChangeDetector();
  readonly #places = new ChangeDetector();
  readonly all: C[] = [];
  /** Whether the mesh was in another place in its body than in the frame before. */
  #isMoving = false;
  /** Version of the matrices of instances in the last frame. */
  #version = -1;

  constructor(mesh: Mesh, maker: ColliderMaker<C>) {
    this.#mesh = mesh;
    this.#maker = maker;
  }

  /** Makes and removes colliders as the mesh is drawn now. */
  sync(): void {
    this.#takeChange();
    const mesh = this.#mesh;
    const drawn = countOf(mesh);
    if (isDevelopment && drawn === 0) warnOfNoCollider(nameOf(mesh), 'its count is 0');
    const count = this.#isHidden ? 0 : drawn;
    // The first time. Later moves are for `followChanges`.
    if (this.all.length === 0) this.#takeMove();
    for (let index = 0; index < count; index++) {
      const collider = (this.all[index] ??= this.#maker.make(
        mesh,
        index,
        isInstanced(mesh) ? new Matrix4() : undefined,
      ));
      const { matrix } = collider.source;
      if (matrix !== undefined) (mesh as InstancedMesh).getMatrixAt(index, matrix);
      collider.sync();
    }
    for (const collider of this.all.splice(count)) collider.remove();
  }

  /** Follows a changed mesh. Allocates nothing if the mesh is unchanged. */
  followChanges(): void {
    const maker = this.#maker;
    if (this.#takeChange()) maker.attempt(() => this.sync());
    else if (this.#haveInstancesChanged()) maker.attempt(() => this.#syncMoved());
    if (this.#takeRest()) maker.attempt(() => this.#syncPlace());
  }

  remove(): void {
    for (const collider of this.all.splice(0)) collider.remove();
  }

  /** Syncs instances that have moved. Applications may report a new version in each frame, whether or not any has. */
  #syncMoved(): void {
    for (const [index, collider] of this.all.entries()) {
      const { matrix } = collider.source;
      (this.#mesh as InstancedMesh).getMatrixAt(index, scratch);
      if (matrix === undefined || matrix.equals(scratch)) continue;
      matrix.copy(scratch);
      collider.sync();
    }
  }

  /** Moves the colliders to where the mesh now is in its body. */
  #syncPlace(): void {
    for (const collider of this.all) {
      collider.source.isMoved = true;
      collider.sync();
    }
  }

  /**
   * Whether the mesh has moved in its body, and is at rest now. While it moves in each frame, such as a wheel that spins, its
   * colliders stay: to move them would be a change of the world in each frame.
   */
  #takeRest(): boolean {
    const wasMoving = this.#isMoving;
    this.#isMoving = this.#takeMove();
    return wasMoving && !this.#isMoving;
  }

  #takeMove(): boolean {
    const { root } = this.#maker;
    for (let at: Object3D | null = this.#mesh; at !== null && at !== root; at = at.parent) {
      this.#places.addPlace(at);
    }
    return this.#places.takeChange();
  }

  /** Whether it or what it is in is hidden, within the body. A body of which the object is hidden stays solid. */
  get #isHidden(): boolean {
    const maker = this.#maker;
    if (maker.hides === undefined) return false;
    const { root } = maker;
    let at: Object3D | null = this.#mesh;
    for (; at !== null && at !== root; at = at.parent) {
      if (maker.hides(at) && !isNearestLevel(at)) return true;
    }
    // The mesh may have left the body, which is noticed later.
    return at === null;
  }

  #takeChange(): boolean {
    const mesh = this.#mesh;
    this.#changes.add(this.#isHidden);
    this.#changes.addGeometry(mesh.geometry, mesh.material);
    this.#changes.addScales(mesh);
    this.#changes.add(countOf(mesh));
    this.#changes.add(arrivals);
    if (isInstanced(mesh)) this.#changes.add(mesh.instanceMatrix);
    return this.#changes.takeChange();
  }

  #haveInstancesChanged(): boolean {
    const mesh = this.#mesh;
    // Instances with their own bodies move with these.
    if (!isInstanced(mesh) || this.all[0]?.source.matrix === undefined) return false;
    const { version } = mesh.instanceMatrix;
    // Also in the first frame: before it, instances need no new version to be moved.
    const haveChanged = version !== this.#version;
    this.#version = version;
    return haveChanged;
  }
}

/** The camera shows and hides levels, but physics does not depend on the camera: the nearest level counts. */
export function isNearestLevel(object: Object3D): boolean {
  const { parent } = object;
  return parent !== null && 'isLOD' in parent && (parent as LOD).levels[0]?.object === object;
}
