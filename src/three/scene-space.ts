/** Where objects are within their scene, also while they are moved: three.js updates world matrices only when it renders. */
import {
  type InstancedMesh,
  Matrix3,
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

/**
 * Computes an object's world matrix from its parent's, which must be up to date.
 *
 * @param isAlways Even if the application writes the world matrix. Default false.
 */
export function updateWorldMatrix(object: Object3D, isAlways = false): void {
  if (object.matrixAutoUpdate) object.updateMatrix();
  if (!isAlways && !object.matrixWorldAutoUpdate) return;
  if (object.parent === null) object.matrixWorld.copy(object.matrix);
  else object.matrixWorld.multiplyMatrices(object.parent.matrixWorld, object.matrix);
}

/**
 * Computes the world matrices of an object and its ancestors, also of those without automatic updates: three's own method leaves
 * them where they were when a parent has moved.
 *
 * @param done Those that are up to date already.
 */
export function updateWorldMatrices(object: Object3D, done = new Set<Object3D>()): void {
  if (done.has(object)) return;
  done.add(object);
  if (object.parent !== null) updateWorldMatrices(object.parent, done);
  updateWorldMatrix(object);
}

/** The change of points before they are turned and moved. */
export interface Stretch {
  readonly scale: Vector3;
  /** Taken instead of the scale, where parents stretch what is not turned like them: no scale does the same. */
  readonly shear?: Matrix3 | undefined;
}

/** A pose and a scale. */
export interface Placement extends Stretch {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

/** Cosine of the angle between axes that counts as a right one: matrices of instances are rounded. */
const RIGHT_ANGLE = 1e-5;

function isSheared({ elements }: Matrix4): boolean {
  const [x, y, z] = [0, 4, 8].map((at) => new Vector3().fromArray(elements, at).normalize()) as [
    Vector3,
    Vector3,
    Vector3,
  ];
  return Math.max(Math.abs(x.dot(y)), Math.abs(y.dot(z)), Math.abs(z.dot(x))) > RIGHT_ANGLE;
}

/** Takes a matrix apart. The scale has six digits: what is as large, wherever it is, shares one shape. */
export function decomposed(matrix: Matrix4): Placement {
  const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  matrix.decompose(position, rotation, scale);
  const hasShear = isSheared(matrix);
  scale.fromArray(scale.toArray().map((factor) => Number(factor.toPrecision(6))));
  if (matrix.determinant() === 0) {
    // For a flat matrix, three.js returns a scale of 1. Axes that lie in one plane have lengths all the same.
    scale.setFromMatrixScale(matrix).multiplyScalar(hasShear ? 0 : 1);
  } else if (hasShear) {
    const turnedBack = new Matrix4().makeRotationFromQuaternion(rotation.normalize()).transpose();
    const shear = new Matrix3().setFromMatrix4(turnedBack.multiply(matrix));
    return { position, rotation, scale, shear };
  }
  return { position, rotation, scale };
}

/** As a matrix. */
export const matrixOfStretch = ({ scale, shear }: Stretch): Matrix4 =>
  shear ? new Matrix4().setFromMatrix3(shear) : new Matrix4().makeScale(scale.x, scale.y, scale.z);

export const isSameStretch = (a: Stretch, b: Stretch): boolean =>
  a.scale.equals(b.scale) &&
  (a.shear === b.shear || (b.shear !== undefined && a.shear?.equals(b.shear) === true));

/** Where an object is in the scene. */
export function placementOf(object: Object3D): Placement {
  updateWorldMatrices(object);
  return decomposed(object.matrixWorld);
}

/**
 * Where an object is relative to a body that moves one of its ancestors. By the local matrices in between: the body may have
 * moved since.
 *
 * @param stretch How the ancestor is stretched in the scene.
 * @param matrix Matrix of an instance of the object.
 */
export function placementBelow(
  object: Object3D,
  ancestor: Object3D,
  stretch: Stretch = placementOf(ancestor),
  matrix?: Matrix4,
): Placement {
  return decomposed(matrixBelow(object, ancestor, matrix).premultiply(matrixOfStretch(stretch)));
}

/** The product of the local matrices from an object up to an ancestor. @param matrix Matrix of an instance of the object. */
export function matrixBelow(object: Object3D, ancestor: Object3D, matrix?: Matrix4): Matrix4 {
  const chain = matrix?.clone() ?? new Matrix4();
  for (let at: Object3D | null = object; at !== null && at !== ancestor; at = at.parent) {
    if (at.matrixAutoUpdate) at.updateMatrix();
    chain.premultiply(at.matrix);
  }
  return chain;
}

export const isInstanced = (mesh: Mesh): mesh is InstancedMesh => 'isInstancedMesh' in mesh;

/** How many times a mesh is drawn. */
export const countOf = (mesh: Mesh): number =>
  isInstanced(mesh) ? Math.min(mesh.count, mesh.instanceMatrix.count) : 1;

/** The matrix of an object within its scene, also of one that was never rendered. */
export function matrixInScene(object: Object3D): Matrix4 {
  updateWorldMatrices(object);
  const top = topOf(object);
  const matrix = object.matrixWorld.clone();
  return isScene(top) ? matrix.premultiply(top.matrixWorld.clone().invert()) : matrix;
}

/**
 * Where a mesh is, turned as it is. Taken apart alone, the matrix of one with negative scales may be turned instead, and a body
 * would turn the mesh like that.
 */
function unturned({ matrixAutoUpdate, scale: own }: Object3D, matrix: Matrix4): Placement {
  if (!matrixAutoUpdate || Math.min(own.x, own.y, own.z) >= 0) return decomposed(matrix);
  const signs = new Vector3(...own.toArray().map((factor) => (factor < 0 ? -1 : 1)));
  const { shear, scale, ...pose } = decomposed(matrix.clone().scale(signs));
  const mirror = new Matrix3().setFromMatrix4(new Matrix4().scale(signs));
  return { ...pose, scale: scale.multiply(signs), shear: shear?.multiply(mirror) };
}

/** The placement of an object within its scene. */
export const placementInScene = (object: Object3D): Placement =>
  unturned(object, matrixInScene(object));

/**
 * The placement of a mesh within its scene, or of each of its instances.
 *
 * @param areInScene Whether the matrices of instances are poses in the scene already.
 */
export function placementsOf(mesh: Mesh, areInScene = false): Placement[] {
  if (!isInstanced(mesh)) return [placementInScene(mesh)];
  const matrix = areInScene ? new Matrix4() : matrixInScene(mesh);
  const instance = new Matrix4();
  return Array.from({ length: countOf(mesh) }, (_, index) => {
    mesh.getMatrixAt(index, instance);
    return decomposed(instance.premultiply(matrix));
  });
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
