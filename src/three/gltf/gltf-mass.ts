/** The masses of a glTF's bodies. */
import { Box3, Vector3 } from 'three';
import type { Vector } from '../../world/page/index.js';
import type { Triangles } from '../drawn-geometry.js';
import { joinTriangles } from '../scene-triangles.js';
import type { GltfBody } from './gltf-bodies.js';
import type { NodeMotion } from './gltf-fields.js';

/**
 * Density where the file says the mass: only the shares of colliders count. With 0, the engine would count those of sensors,
 * too.
 */
const LIGHT = 1e-9;

/** The density of a body's colliders. 0 where the file says how the mass is distributed. */
export function densityOf({ mass, centerOfMass, inertiaDiagonal }: NodeMotion): number {
  if (mass === 0 || centerOfMass || inertiaDiagonal) return 0;
  return mass === undefined ? 1 : LIGHT;
}

/** Sets what the file says. 0 means infinite, to the file and to the engine: a body with a mass of 0 does not fall, either. */
export function distributeMass({ body, placement, meshes }: GltfBody, motion: NodeMotion): void {
  const triangles = joinTriangles(meshes);
  const bounds = new Box3().setFromArray(triangles.points);
  const { mass = volumeOf(triangles), centerOfMass, inertiaDiagonal } = motion;
  const center = centerOfMass?.clone().multiply(placement.scale) ?? bounds.getCenter(new Vector3());
  const inertia = inertiaDiagonal ?? inertiaOfBox(mass, bounds, center);
  body.setAdditionalMassProperties(mass, center, inertia, motion.inertiaOrientation, true);
}

/** As of a solid box about a point that is not its center. */
function inertiaOfBox(mass: number, bounds: Box3, point: Vector3): Vector {
  const size = bounds.getSize(new Vector3());
  const off = bounds.getCenter(new Vector3()).sub(point);
  const { x, y, z } = size.multiply(size).divideScalar(12).add(off.multiply(off));
  return { x: mass * (y + z), y: mass * (x + z), z: mass * (x + y) };
}

/** The volume within closed triangles: the sum of tetrahedra with a corner at the origin. */
function volumeOf({ points, indices }: Triangles): number {
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const read = (point: Vector3, corner: number) =>
    point.fromArray(points, 3 * (indices[corner] as number));
  let sum = 0;
  for (let at = 0; at < indices.length; at += 3) {
    sum += read(a, at).dot(read(b, at + 1).cross(read(c, at + 2))) / 6;
  }
  return Math.abs(sum);
}
