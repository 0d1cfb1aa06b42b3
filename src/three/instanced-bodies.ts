/** Bodies as the instances of a mesh: dense and in no particular order, or in an order that the application gives. */
import {
  BufferAttribute,
  DynamicDrawUsage,
  type InstancedMesh,
  Object3D,
  Sphere,
  Vector3,
} from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/frame/frame.js';
import { isScene, topOf, updateWorldMatrix } from './scene-space.js';

/**
 * The bodies of one shape, drawn by one InstancedMesh. Instances stay dense: removing one moves the last into its
 * place. Unused instances are not drawn, and those of bodies that do not live at the moment have no area.
 *
 * Bodies are drawn at their poses in the scene. The position, rotation and scale of the mesh and of its parents have no
 * effect on them; those of the scene itself do.
 */
export class InstancedBodies {
  /** The given mesh; its `count`, its matrices and its world matrix are written. */
  readonly mesh: InstancedMesh;
  readonly #matrices: InstanceMatrices;
  readonly #ids: Uint32Array;
  readonly #scales: Float32Array;
  readonly #indexById = new Map<BodyId, number>();
  #count = 0;

  /** @param mesh Its instance count is the most bodies that fit; its matrices must be floats. */
  constructor(mesh: InstancedMesh) {
    const capacity = mesh.instanceMatrix.count;
    this.mesh = mesh;
    this.#matrices = new InstanceMatrices(mesh);
    this.#ids = new Uint32Array(capacity);
    this.#scales = new Float32Array(capacity * 3);
    mesh.count = 0;
  }

  /** Number of bodies that it draws. */
  get count(): number {
    return this.#count;
  }

  /** The body drawn by the instance with an index from 0, such as a ray cast's `instanceId`. */
  bodyAt(instance: number): BodyId | undefined {
    return instance < this.#count ? (this.#ids[instance] as BodyId) : undefined;
  }

  /**
   * Draws a body from the next update on. One that is already drawn keeps its instance and gets the new scale.
   *
   * @param scale Factors of the geometry's size along x, y and z. Default 1.
   * @returns The index of its instance, for colours and the like; removing another body may change it.
   * @throws RangeError when all instances are taken.
   */
  add(id: BodyId, scale: readonly [number, number, number] = [1, 1, 1]): number {
    const taken = this.#indexById.get(id);
    if (taken !== undefined) {
      this.#scales.set(scale, taken * 3);
      return taken;
    }
    if (this.#count === this.#ids.length) {
      throw new RangeError(`all ${this.#ids.length} instances of the mesh are taken`);
    }
    const index = this.#count;
    this.#count += 1;
    this.#ids[index] = id;
    this.#scales.set(scale, index * 3);
    this.#indexById.set(id, index);
    return index;
  }

  /** Stops drawing a body. Returns false when it was not drawn. */
  remove(id: BodyId): boolean {
    const index = this.#indexById.get(id);
    if (index === undefined) return false;
    this.#indexById.delete(id);
    const last = this.#count - 1;
    this.#count = last;
    if (index !== last) {
      const moved = this.#ids[last] as BodyId;
      this.#ids[index] = moved;
      this.#scales.copyWithin(index * 3, last * 3, last * 3 + 3);
      this.#indexById.set(moved, index);
      const colors = this.mesh.instanceColor;
      if (colors !== null) {
        colors.array.copyWithin(index * 3, last * 3, last * 3 + 3);
        colors.needsUpdate = true;
      }
    }
    return true;
  }

  /** Writes the frame's poses into the mesh. */
  update(frame: SampledFrame): void {
    this.mesh.count = this.#count;
    this.#matrices.write(frame, this.#ids, this.#scales, this.#count);
  }
}

const MATRIX_NUMBERS = 16;

/** Options of {@link BodyBinding.instancesInOrder}. */
export interface OrderedOptions {
  /**
   * Whether an instance without a body, and one whose body does not live at the moment, keeps the matrix that it has.
   * Default false: nothing is drawn there.
   */
  readonly keepOthers?: boolean;
}

/** Bodies by instance, of {@link OrderedBodies}. Undefined: nothing is drawn there. */
export type OrderedIds = readonly (BodyId | undefined)[];

/**
 * Bodies drawn by one InstancedMesh in a given order: instance i is always body i of a list. Instances without a body,
 * and those of bodies that do not live at the moment, have no area. The mesh's `count` says how many instances are
 * drawn, and is never changed.
 *
 * Bodies are drawn at their poses in the scene, like {@link InstancedBodies}.
 */
export class OrderedBodies {
  /** The given mesh; its matrices and its world matrix are written. */
  readonly mesh: InstancedMesh;
  /** The list. It is read in each update, so it may be changed or replaced at any time. */
  ids: OrderedIds;
  /** Three factors per instance, read in each update: the geometry's size along x, y and z. Undefined: 1. */
  scales: ArrayLike<number> | undefined;
  readonly #matrices: InstanceMatrices;
  readonly #ids: Uint32Array;
  readonly #scales: Float32Array;
  /** As {@link OrderedOptions} says, and read in each update. */
  keepOthers = false;
  /** The matrices before an update with `keepOthers`. */
  #before: Float32Array | undefined;
  #view: Float32Array | undefined;

  /**
   * @param mesh Its instance count is the most bodies that fit; its matrices must be floats.
   * @param ids The first list.
   * @param scales The first factors. Default: undefined.
   * @throws RangeError when the list has more bodies than the mesh has instances, or factors are missing.
   */
  constructor(mesh: InstancedMesh, ids: OrderedIds, scales?: ArrayLike<number>) {
    const capacity = mesh.instanceMatrix.count;
    this.mesh = mesh;
    this.ids = ids;
    this.scales = scales;
    this.#ids = new Uint32Array(capacity);
    this.#scales = new Float32Array(capacity * 3);
    this.#read();
    this.#matrices = new InstanceMatrices(mesh);
  }

  /** The body drawn by the instance with an index from 0, such as a ray cast's `instanceId`. */
  bodyAt(instance: number): BodyId | undefined {
    return this.ids[instance];
  }

  /**
   * Writes the frame's poses into the mesh.
   *
   * @throws RangeError as the constructor does, when the list has changed.
   */
  update(frame: SampledFrame): void {
    const count = this.#read();
    if (!this.keepOthers) {
      this.#matrices.write(frame, this.#ids, this.#scales, count);
      return;
    }
    const matrices = this.mesh.instanceMatrix.array as Float32Array;
    const before = (this.#before ??= new Float32Array(this.#ids.length * MATRIX_NUMBERS));
    before.set(this.#viewOf(matrices, count * MATRIX_NUMBERS));
    this.#matrices.write(frame, this.#ids, this.#scales, count);
    for (let index = 0; index < count; index++) {
      const start = index * MATRIX_NUMBERS;
      // The axes of a body that does not live are 0.
      const isDrawn =
        matrices[start] !== 0 || matrices[start + 1] !== 0 || matrices[start + 2] !== 0;
      if (isDrawn) continue;
      for (let at = start; at < start + MATRIX_NUMBERS; at++) matrices[at] = before[at] as number;
    }
  }

  /** The first numbers of an array: the view of the last update if it is the same, so that updates allocate nothing. */
  #viewOf(array: Float32Array, length: number): Float32Array {
    if (this.#view?.length !== length || this.#view.buffer !== array.buffer) {
      this.#view = array.subarray(0, length);
    }
    return this.#view;
  }

  /** Reads the list as the kernels need it. Returns how many instances are drawn. */
  #read(): number {
    const { ids, scales, mesh } = this;
    const capacity = this.#ids.length;
    if (ids.length > capacity) {
      throw new RangeError(`the mesh has ${capacity} instances, too few for ${ids.length} bodies`);
    }
    if (scales !== undefined && scales.length < 3 * ids.length) {
      throw new RangeError(
        `scales must have 3 numbers for each of ${ids.length} bodies, but has ${scales.length}`,
      );
    }
    const count = Math.min(mesh.count, capacity);
    for (let index = 0; index < count; index++) {
      const id = index < ids.length ? ids[index] : undefined;
      const at = 3 * index;
      if (id === undefined) {
        // Every number may be a body: a gap is drawn as a body without a size.
        this.#ids[index] = 0;
        this.#scales.fill(0, at, at + 3);
        continue;
      }
      this.#ids[index] = id;
      this.#scales[at] = scales === undefined ? 1 : (scales[at] as number);
      this.#scales[at + 1] = scales === undefined ? 1 : (scales[at + 1] as number);
      this.#scales[at + 2] = scales === undefined ? 1 : (scales[at + 2] as number);
    }
    return count;
  }
}

/**
 * The matrices of a mesh. They are poses in the scene, so the mesh must have the scene's world matrix, wherever it is.
 * It gets that matrix itself instead of the inverse of its parents' for each instance: that costs nothing per instance,
 * loses no precision far from the origin, and any parent is possible, even one that shears or has no inverse.
 */
class InstanceMatrices {
  readonly #mesh: InstancedMesh;
  readonly #range = { start: 0, count: 0 };
  /** The bounds: ray casts must not skip it either. Not null: renderers would compute all bounds in each frame. */
  readonly #everywhere = new Sphere(new Vector3(), Infinity);

  constructor(mesh: InstancedMesh) {
    this.#mesh = mesh;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    keepRange(mesh.instanceMatrix, this.#range);
    mesh.matrixWorldAutoUpdate = false;
    mesh.matrixWorld.identity();
    // three.js computes the bounds of an InstancedMesh once, but these move every frame.
    mesh.frustumCulled = false;
    mesh.boundingSphere = this.#everywhere;
  }

  /** Writes the poses of bodies into the first instances, and has those uploaded. */
  write(frame: SampledFrame, ids: Uint32Array, scales: Float32Array, count: number): void {
    // WebGL interprets an empty range as the whole array, of which nothing would be drawn.
    if (count === 0) return;
    const { instanceMatrix, matrixWorld } = this.#mesh;
    // The application may have computed it.
    this.#everywhere.radius = Infinity;
    frame.writeMatrices(ids, scales, count, instanceMatrix.array as Float32Array);
    this.#range.count = count * 16;
    instanceMatrix.needsUpdate = true;
    const top = topOf(this.#mesh);
    if (!isScene(top)) {
      matrixWorld.identity();
      return;
    }
    updateWorldMatrix(top);
    matrixWorld.copy(top.matrixWorld);
  }
}

/** Restores a mesh to how three.js created it. Its instances stay where they are. */
export function releaseMesh(mesh: InstancedMesh): void {
  const { instanceMatrix } = mesh;
  instanceMatrix.clearUpdateRanges = BufferAttribute.prototype.clearUpdateRanges;
  instanceMatrix.clearUpdateRanges();
  mesh.matrixWorldAutoUpdate = Object3D.DEFAULT_MATRIX_WORLD_AUTO_UPDATE;
  mesh.matrixWorldNeedsUpdate = true;
  // Computed when it is needed.
  mesh.boundingSphere = null;
}

/**
 * Makes three.js upload one range of an attribute at each update, and nothing else. After an upload, three.js empties
 * the list of ranges, which frees the list's memory, and adding the range again would allocate every frame. So the
 * range stays, as one permanent object. The first upload, and the one after a lost context, is always the whole array.
 */
function keepRange(attribute: BufferAttribute, range: { start: number; count: number }): void {
  const { updateRanges } = attribute;
  attribute.clearUpdateRanges = () => {
    // Ranges from elsewhere have been uploaded, or merged into the first.
    updateRanges[0] = range;
    updateRanges.length = 1;
  };
  attribute.clearUpdateRanges();
}
