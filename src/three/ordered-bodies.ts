/** Bodies as the instances of a mesh, in an order that the application gives. */
import type { InstancedMesh } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import { InstanceMatrices } from './instance-matrices.js';

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
  /** The matrices before an update; undefined if those without a body are not kept. */
  readonly #kept: Float32Array | undefined;
  #view: Float32Array | undefined;

  /**
   * @param mesh Its instance count is the most bodies that fit; its matrices must be floats.
   * @param ids The first list.
   * @param scales The first factors. Default: undefined.
   * @param options What instances without a body show.
   * @throws RangeError when the list has more bodies than the mesh has instances, or factors are missing.
   */
  constructor(
    mesh: InstancedMesh,
    ids: OrderedIds,
    scales?: ArrayLike<number>,
    { keepOthers = false }: OrderedOptions = {},
  ) {
    const capacity = mesh.instanceMatrix.count;
    this.mesh = mesh;
    this.ids = ids;
    this.scales = scales;
    this.#ids = new Uint32Array(capacity);
    this.#scales = new Float32Array(capacity * 3);
    this.#kept = keepOthers ? new Float32Array(capacity * MATRIX_NUMBERS) : undefined;
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
    const kept = this.#kept;
    const matrices = this.mesh.instanceMatrix.array as Float32Array;
    kept?.set(this.#viewOf(matrices, count * MATRIX_NUMBERS));
    this.#matrices.write(frame, this.#ids, this.#scales, count);
    if (kept === undefined) return;
    for (let index = 0; index < count; index++) {
      const start = index * MATRIX_NUMBERS;
      // Of a body that does not live, the axes are 0.
      const isDrawn =
        matrices[start] !== 0 || matrices[start + 1] !== 0 || matrices[start + 2] !== 0;
      if (isDrawn) continue;
      for (let at = start; at < start + MATRIX_NUMBERS; at++) matrices[at] = kept[at] as number;
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
        // Every number may be a body's: so the hole is a body without a size.
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
