/** Instanced meshes as the view needs them. */
import {
  type BufferGeometry,
  Color,
  InstancedBufferAttribute,
  InstancedMesh,
  Material,
  Sphere,
  Vector3,
} from 'three';
import type { BodyId } from '../../../src/shared/index.js';
import type { InstancedBodies } from '../../../src/three/index.js';

/** Replaced immediately: a mesh cannot be made without a material. */
const NO_MATERIAL = new Material();

const scratch = new Color();

/** @param capacity Maximum number of bodies. */
export function createInstancedMesh(geometry: BufferGeometry, capacity: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, NO_MATERIAL, capacity);
  // Set from the start: a mesh that gets its first colour later needs another shader, which takes a
  // while.
  mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(capacity * 3).fill(1), 3);
  // three computes the bounds once, but these instances move: a ray must always test each of them.
  mesh.boundingSphere = new Sphere(new Vector3(), Infinity);
  return mesh;
}

/** @param color sRGB, 0xrrggbb. */
export function addInstance(
  bodies: InstancedBodies,
  id: BodyId,
  scale: readonly [number, number, number],
  color: number,
): void {
  const instance = bodies.add(id, scale);
  bodies.mesh.setColorAt(instance, scratch.set(color));
  if (bodies.mesh.instanceColor !== null) bodies.mesh.instanceColor.needsUpdate = true;
}
