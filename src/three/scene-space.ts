/** Where objects are within their scene, also while they are moved: three.js updates world matrices only when it renders. */
import {
  type InstancedMesh,
  Matrix4,
  type Mesh,
  type Object3D,
  Quaternion,
  type Scene,
  Vector3,
} from 'three';

export const isScene = (object: Object3D): object is Scene => 'isScene' in object;

/** The topmost ancestor of an object, or the object itself. */
export function topOf(object: Object3D): Object3D {
  let top = object;
  while (top.parent !== null) top = top.parent;
  return top;
}

/** Computes an object's world matrix from its parent's, which must be up to date. */
export function updateWorldMatrix(object: Object3D): void {
  const { matrixWorldNeedsUpdate } = object;
  // Even without automatic updates, an object moves with its parent.
  object.matrixWorldNeedsUpdate = true;
  object.updateWorldMatrix(false, false);
  // The renderer then updates the children as well.
  object.matrixWorldNeedsUpdate = matrixWorldNeedsUpdate;
}

/** Computes the world matrices of an object and its ancestors. @param done Those that are up to date already. */
export function updateWorldMatrices(object: Object3D, done = new Set<Object3D>()): void {
  if (done.has(object)) return;
  done.add(object);
  if (object.parent !== null) updateWorldMatrices(object.parent, done);
  updateWorldMatrix(object);
}

/** A pose and a scale. */
export interface Placement {
  readonly position: Vector3;
  readonly rotation: Quaternion;
  readonly scale: Vector3;
}

/** Takes a matrix apart. */
export function decomposed(matrix: Matrix4): Placement {
  const placement = {
    position: new Vector3(),
    rotation: new Quaternion(),
    scale: new Vector3(),
  };
  matrix.decompose(placement.position, placement.rotation, placement.scale);
  // For a flat matrix, three.js returns a scale of 1.
  if (matrix.determinant() === 0) placement.scale.setFromMatrixScale(matrix);
  return placement;
}

/** Rounds a scale to six digits, so that instances of one size share one shape. */
export const roundScale = (scale: Vector3): Vector3 =>
  scale.fromArray(scale.toArray().map((factor) => Number(factor.toPrecision(6))));

export const isInstanced = (mesh: Mesh): mesh is InstancedMesh => 'isInstancedMesh' in mesh;

/** How many times a mesh is drawn. */
export const countOf = (mesh: Mesh): number =>
  isInstanced(mesh) ? Math.min(mesh.count, mesh.instanceMatrix.count) : 1;

/** The matrix of a mesh within its scene, also of one that was never rendered. */
export function matrixInScene(mesh: Mesh): Matrix4 {
  updateWorldMatrices(mesh);
  const top = topOf(mesh);
  const matrix = mesh.matrixWorld.clone();
  return isScene(top) ? matrix.premultiply(top.matrixWorld.clone().invert()) : matrix;
}

/**
 * The placement of a mesh within its scene, or of each of its instances.
 *
 * @param areInScene Whether the matrices of instances are poses in the scene already.
 */
export function placementsOf(mesh: Mesh, areInScene = false): Placement[] {
  const matrix = areInScene ? new Matrix4() : matrixInScene(mesh);
  const instance = new Matrix4();
  const placements = isInstanced(mesh)
    ? Array.from({ length: countOf(mesh) }, (_, index) => {
        mesh.getMatrixAt(index, instance);
        return decomposed(instance.premultiply(matrix));
      })
    : [decomposed(matrix)];
  for (const { scale } of placements) roundScale(scale);
  return placements;
}

/** Multiplies the matrices of the first instances. */
export function transformInstances(mesh: InstancedMesh, matrix: Matrix4, count: number): void {
  const own = new Matrix4();
  for (let index = 0; index < count; index++) {
    mesh.getMatrixAt(index, own);
    mesh.setMatrixAt(index, own.premultiply(matrix));
  }
  mesh.instanceMatrix.needsUpdate = true;
}
