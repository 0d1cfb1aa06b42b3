/** What a body weighs, roughly: the engine, which knows it, is in the worker. */
import { settingsOf } from '../world/collider-handle.js';
import { ShapeType, type RigidBody } from '../world/index.js';
import type { ShapeData } from '../../shared/world/fields.js';

/** Of convex shapes, between that of their box and nothing. */
const FILLED = 0.5;

/** The mass of a body's colliders, in kg: exact where a mass was set, and rough for shapes made of points. 1 if it has none. */
export function massOf(body: RigidBody): number {
  let sum = 0;
  for (let index = 0; index < body.numColliders(); index++) {
    const collider = body.collider(index);
    const settings = collider && settingsOf(collider);
    if (settings?.shape === undefined) continue;
    const { mass, massProperties, density = 1, shape } = settings;
    sum += mass ?? massProperties?.mass ?? density * volumeOf(shape);
  }
  return sum > 0 ? sum : 1;
}

function volumeOf({ type, sizes, vertices }: ShapeData): number {
  const [a = 0, b = 0, c = 0, d = 0] = sizes;
  switch (type) {
    case ShapeType.Ball:
      return (4 / 3) * Math.PI * a ** 3;
    case ShapeType.Cuboid:
    case ShapeType.RoundCuboid:
      return 8 * (a + d) * (b + d) * (c + d);
    case ShapeType.Capsule:
      return Math.PI * b ** 2 * (2 * a + (4 / 3) * b);
    case ShapeType.Cylinder:
    case ShapeType.RoundCylinder:
      return 2 * Math.PI * (a + c) * (b + c) ** 2;
    case ShapeType.Cone:
    case ShapeType.RoundCone:
      return (2 / 3) * Math.PI * (a + c) * (b + c) ** 2;
    default:
      return FILLED * boxVolume(vertices);
  }
}

function boxVolume(points: Float32Array): number {
  let volume = 1;
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = axis; at < points.length; at += 3) {
      low = Math.min(low, points[at] as number);
      high = Math.max(high, points[at] as number);
    }
    volume *= Math.max(0, high - low);
  }
  return volume;
}
