/** What the collider of a mesh is made of, or that of one of its instances. */
import { Vector3, type Matrix4, type Mesh, type Object3D } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { drawnBy, warnOfOldCollider, warnOfEmptyMesh } from '../three/drawn-geometry.js';
import { ChangeDetector } from '../three/change-detector.js';
import { requireKind, shapeOfDrawn, type ShapeKind } from '../three/shape-of.js';
import type { ColliderDesc } from '../world/page/index.js';
import { fieldsOfCollider } from '../world/page/collider-desc.js';
import { ORIGIN, isFlat } from '../world/page/vectors.js';
import { naming } from './named-errors.js';
import type { ColliderSource } from './collider-owner.js';
import { placementBelow, type Placement } from './placement.js';

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
