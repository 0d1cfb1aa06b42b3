/** Bodies as the instances of a mesh, dense and in no particular order. */
import type { InstancedMesh } from 'three';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import { InstanceMatrices } from './instance-matrices.js';

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
