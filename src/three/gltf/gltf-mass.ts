/** The masses of a glTF's bodies. */
import { Box3, Matrix4, Vector3 } from 'three';
import type { Vector } from '../../world/page/index.js';
import { drawnBy } from '../drawn-geometry.js';
import { matrixOfStretch } from '../scene-space.js';
import type { BodyPlan, ColliderPlan } from './gltf-bodies.js';

/**
 * Density where the file says the mass: only the shares of colliders count. With 0, the engine would count those of sensors,
 * too.
 */
const LIGHT = 1e-9;
const ONE = new Vector3(1, 1, 1);

/** Sets what the file says. 0 means infinite, to the file and to the engine: a body with a mass of 0 does not fall, either. */
export function setMass({ motion, desc, placement, colliders }: BodyPlan): void {
  if (motion === undefined) return;
  const { centerOfMass, inertiaDiagonal, inertiaOrientation } = motion;
  const isDistributed = (centerOfMass ?? inertiaDiagonal) === undefined;
  const solids = colliders.filter(({ isSensor }) => !isSensor);
  // Without a mass, the density is 1, as of all colliders.
  if (motion.mass === undefined && isDistributed) return;
  const mass = motion.mass ?? solids.reduce((sum, solid) => sum + volumeOf(solid), 0);
  if (isDistributed && mass > 0) {
    for (const solid of solids) solid.desc.setDensity(LIGHT);
    desc.setAdditionalMass(mass);
    return;
  }
  const bounds = new Box3();
  for (const solid of solids) {
    solid.desc.setDensity(0);
    bounds.union(boxOf(solid));
  }
  const center = centerOfMass?.clone().multiply(placement.scale) ?? bounds.getCenter(new Vector3());
  if (bounds.isEmpty()) bounds.setFromCenterAndSize(center, ONE);
  const inertia = inertiaDiagonal ?? inertiaOfBox(mass, bounds, center);
  desc.setAdditionalMassProperties(mass, center, inertia, inertiaOrientation);
}

/** As of a solid box about a point that is not its center. */
function inertiaOfBox(mass: number, bounds: Box3, point: Vector3): Vector {
  const size = bounds.getSize(new Vector3());
  const off = bounds.getCenter(new Vector3()).sub(point);
  const { x, y, z } = size.multiply(size).divideScalar(12).add(off.multiply(off));
  return { x: mass * (y + z), y: mass * (x + z), z: mass * (x + y) };
}

/** In its body. */
function boxOf({ mesh, placement }: ColliderPlan): Box3 {
  const { min, max } = drawnBy(mesh).extents;
  const place = new Matrix4().compose(placement.position, placement.rotation, ONE);
  const box = new Box3(new Vector3(...min), new Vector3(...max));
  return box.applyMatrix4(place.multiply(matrixOfStretch(placement)));
}

/** The volume within closed triangles: the sum of tetrahedra with a corner at the origin. */
function volumeOf({ mesh, placement }: ColliderPlan): number {
  const { points, indices } = drawnBy(mesh).triangles();
  const [a, b, c] = [new Vector3(), new Vector3(), new Vector3()];
  const read = (point: Vector3, corner: number) =>
    point.fromArray(points, 3 * (indices[corner] as number));
  let sum = 0;
  for (let at = 0; at < indices.length; at += 3) {
    sum += read(a, at).dot(read(b, at + 1).cross(read(c, at + 2))) / 6;
  }
  return Math.abs(sum * matrixOfStretch(placement).determinant());
}
