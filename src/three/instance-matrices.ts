/** What instances in any order share: how the matrices of an InstancedMesh are written and uploaded. */
import {
  type InstancedMesh,
  BufferAttribute,
  DynamicDrawUsage,
  Object3D,
  Sphere,
  Vector3,
} from 'three';
import type { SampledFrame } from '../render-main/api/sampled-frame.js';
import { isScene, topOf, updateWorldMatrix } from './world-matrix.js';

/**
 * The matrices of a mesh. They are poses in the scene, so the mesh must have the scene's world matrix, wherever it is.
 * It gets that matrix itself instead of the inverse of its parents' for each instance: that costs nothing per instance,
 * loses no precision far from the origin, and any parent is possible, even one that shears or has no inverse.
 */
export class InstanceMatrices {
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
