/** The masses of a glTF's bodies. */
import { Box3, Matrix4, Vector3 } from 'three';
import { drawnBy } from '../drawn-geometry.js';
import { matrixOfStretch } from '../scene-space.js';
import type { BodyPlan, ColliderPlan } from './gltf-bodies.js';

/**
 * Density where the file says the mass: only the shares of colliders count. With 0, the engine would count those of sensors,
 * too.
 */
const LIGHT = 1e-9;
const ONE = new Vector3(1, 1, 1);

/**
 * Sets what the file says. 0 means infinite, to the file and to the engine: a body with a mass of 0 does not fall, either. A
 * part of the mass, its center and the inertia that is missing is that of a solid box around the colliders.
 */
export function setMass({ motion, desc, placement, colliders }: BodyPlan): void {
  if (motion === undefined) return;
  const { mass, centerOfMass, inertiaDiagonal, inertiaOrientation } = motion;
  const isDistributed = (centerOfMass ?? inertiaDiagonal) === undefined;
  // Without a mass, the density is 1, as of all colliders.
  if (mass === undefined && isDistributed) return;
  const solids = colliders.filter(({ isSensor }) => !isSensor);
  if (mass !== undefined && mass > 0 && isDistributed) {
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
  const size = bounds.getSize(new Vector3());
  const off = bounds.getCenter(new Vector3()).sub(center);
  const whole = mass ?? size.x * size.y * size.z;
  const { x, y, z } = size.multiply(size).divideScalar(12).add(off.multiply(off));
  const ofBox = new Vector3(y + z, x + z, x + y).multiplyScalar(whole);
  desc.setAdditionalMassProperties(whole, center, inertiaDiagonal ?? ofBox, inertiaOrientation);
}

/** In its body. */
function boxOf({ mesh, placement }: ColliderPlan): Box3 {
  const { min, max } = drawnBy(mesh).extents;
  const place = new Matrix4().compose(placement.position, placement.rotation, ONE);
  const box = new Box3(new Vector3(...min), new Vector3(...max));
  return box.applyMatrix4(place.multiply(matrixOfStretch(placement)));
}
