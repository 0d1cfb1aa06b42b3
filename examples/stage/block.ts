/** Boxes with physics. */
import type { MeshPhysics } from 'betwixt/three';
import type { Mesh, Scene } from 'three';
import { box, type Triple } from './stage.js';

/** Makes a box; without a mass it is fixed. */
export type MakeBlock = (
  size: Triple,
  at: Triple,
  color: number,
  mass?: number,
  tilt?: number,
) => Mesh;

export const blocksIn =
  (scene: Scene, physics: MeshPhysics, radius?: number): MakeBlock =>
  (size, at, color, mass = 0, tilt = 0) => {
    const mesh = box(size, color, radius);
    mesh.position.set(...at);
    mesh.rotation.x = tilt;
    scene.add(mesh);
    physics.addMesh(mesh, mass);
    return mesh;
  };
