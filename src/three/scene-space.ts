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
  // Also of an object without automatic updates: it moves with its parent.
  object.matrixWorldNeedsUpdate = true;
  object.updateWorldMatrix(false, false);
  // Left to the renderer, which then updates the children as well.
  object.matrixWorldNeedsUpdate = matrixWorldNeedsUpdate;
}

export interface Place {
  readonly position: Vector3;
  readonly quaternion: Quaternion;
  readonly scale: Vector3;
}

export const isInstanced = (mesh: Mesh): mesh is InstancedMesh => 'isInstancedMesh' in mesh;

/** How many times a mesh is drawn. */
export const countOf = (mesh: Mesh): number =>
  isInstanced(mesh) ? Math.min(mesh.count, mesh.instanceMatrix.count) : 1;

/** The matrix of a mesh within its scene, also of one that was never rendered. */
export function matrixInScene(mesh: Mesh): Matrix4 {
  mesh.updateWorldMatrix(true, false);
  const top = topOf(mesh);
  const matrix = mesh.matrixWorld.clone();
  return isScene(top) ? matrix.premultiply(top.matrixWorld.clone().invert()) : matrix;
}

/**
 * Where a mesh is within its scene, or each of its instances.
 *
 * @param areInScene Whether the matrices of instances are poses in the scene already.
 */
export function placesOf(mesh: Mesh, areInScene = false): Place[] {
  const matrix = areInScene ? new Matrix4() : matrixInScene(mesh);
  if (!isInstanced(mesh)) return [placeOf(matrix)];
  const own = new Matrix4();
  return Array.from({ length: countOf(mesh) }, (_, index) => {
    mesh.getMatrixAt(index, own);
    return placeOf(own.premultiply(matrix));
  });
}

export function placeOf(matrix: Matrix4): Place {
  const place = { position: new Vector3(), quaternion: new Quaternion(), scale: new Vector3() };
  matrix.decompose(place.position, place.quaternion, place.scale);
  // Of a flat one, three.js returns a scale of 1.
  if (matrix.determinant() === 0) place.scale.setFromMatrixScale(matrix);
  // Instances of one size get one shape: rounding makes them differ after six digits.
  for (const axis of ['x', 'y', 'z'] as const) {
    place.scale[axis] = Number(place.scale[axis].toPrecision(6));
  }
  return place;
}

/** Multiplies the matrices of the first instances. */
export function transform(mesh: InstancedMesh, matrix: Matrix4, count: number): void {
  const own = new Matrix4();
  for (let index = 0; index < count; index++) {
    mesh.getMatrixAt(index, own);
    mesh.setMatrixAt(index, own.premultiply(matrix));
  }
  mesh.instanceMatrix.needsUpdate = true;
}
