import * as THREE from 'three';
import { expect, test } from 'vitest';
import { trianglesOf } from '../../../src/three/scene-triangles.js';

/** One triangle in the plane z = 0, whose front faces z. */
const triangle = new THREE.BufferGeometry().setFromPoints([
  new THREE.Vector3(0, 0, 0),
  new THREE.Vector3(1, 0, 0),
  new THREE.Vector3(0, 1, 0),
]);

test('the triangles of all meshes and instances in a group are where the scene draws them', () => {
  const mesh = new THREE.Mesh(triangle);
  mesh.position.x = 10;
  const instances = new THREE.InstancedMesh(triangle, undefined, 2);
  instances.setMatrixAt(0, new THREE.Matrix4().makeTranslation(0, 0, 1));
  instances.setMatrixAt(1, new THREE.Matrix4().makeScale(2, 2, 2));
  const group = new THREE.Group().add(mesh, new THREE.Line(triangle), instances);
  group.position.y = 100;
  new THREE.Scene().add(group);
  const { points, indices } = trianglesOf(group);
  const ofMesh = [10, 100, 0, 11, 100, 0, 10, 101, 0];
  const ofInstances = [0, 100, 1, 1, 100, 1, 0, 101, 1, 0, 100, 0, 2, 100, 0, 0, 102, 0];
  expect([...points]).toEqual([...ofMesh, ...ofInstances]);
  expect([...indices]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a triangle in a mirror faces the same way as it is drawn', () => {
  const mesh = new THREE.Mesh(triangle);
  mesh.scale.x = -1;
  const { points, indices } = trianglesOf(mesh);
  const corners = [...indices].map((corner) => new THREE.Vector3().fromArray(points, 3 * corner));
  const [a, b, c] = corners as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  expect(new THREE.Triangle(a, b, c).getNormal(new THREE.Vector3()).z).toBe(1);
});
