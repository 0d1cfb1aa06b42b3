/** The triangles of several meshes: of a scene for engines that the library does not know, or of what collides as one. */
import { Matrix4, type Mesh, type Object3D, Vector3 } from 'three';
import { drawnBy, type Triangles, whyNoMesh } from './drawn-geometry.js';
import { countOf, isInstanced, matrixInScene } from './scene-space.js';

/**
 * Returns the triangles that are drawn of an object and of all meshes in it, in the space of the scene: a level for an engine of
 * your own choice. Both arrays can be sent to the simulation as assets, see `openAssets`. The corners of a triangle go
 * counterclockwise if it is seen from its front.
 *
 * @param object A mesh, or a group of meshes, such as the scene of a glTF file. Instances of an `InstancedMesh` and meshes that
 *   are not visible are included; a `BatchedMesh`, lines, points and sprites are not.
 * @throws TypeError for positions that the page cannot read; RangeError for an index without a point, and for a point that
 *   is not finite.
 */
export function trianglesOf(object: Object3D): Triangles {
  const placed: MeshAt[] = [];
  object.traverse((child) => {
    if (whyNoMesh(child) !== undefined) return;
    const mesh = child as Mesh;
    const inScene = matrixInScene(mesh);
    for (let instance = 0; instance < countOf(mesh); instance++) {
      const matrix = new Matrix4();
      if (isInstanced(mesh)) mesh.getMatrixAt(instance, matrix);
      placed.push([mesh, matrix.premultiply(inScene)]);
    }
  });
  return joinTriangles(placed);
}

export type MeshAt = readonly [mesh: Mesh, matrix: Matrix4];

/** The triangles of meshes as they are drawn, each where its matrix places it. */
export function joinTriangles(meshes: readonly MeshAt[]): Triangles {
  const points: number[] = [];
  const indices: number[] = [];
  const point = new Vector3();
  for (const [mesh, matrix] of meshes) {
    const drawn = drawnBy(mesh).triangles();
    const first = points.length / 3;
    for (let at = 0; at < drawn.points.length; at += 3) {
      points.push(...point.fromArray(drawn.points, at).applyMatrix4(matrix));
    }
    const corners = drawn.indices.map((corner) => first + corner);
    // A mirror turns triangles inside out.
    if (matrix.determinant() < 0) corners.reverse();
    for (const corner of corners) indices.push(corner);
  }
  return { points: Float32Array.from(points), indices: Uint32Array.from(indices) };
}
