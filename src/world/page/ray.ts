/** Rays, with Rapier's name. */
import type { Vector } from '../../shared/util/vectors.js';

/** A half-line: a point, and a direction of any length. A time of impact counts lengths of the direction. */
export class Ray {
  /** In m or the simulation's own unit, in the world. */
  origin: Vector;
  /** Where it goes. */
  dir: Vector;

  /**
   * @param origin In m or the simulation's own unit, in the world.
   * @param dir Where it goes; of length 1, times of impact are distances.
   */
  constructor(origin: Vector, dir: Vector) {
    this.origin = origin;
    this.dir = dir;
  }

  /** @param t How many times the direction. */
  pointAt(t: number): Vector {
    const { origin, dir } = this;
    return { x: origin.x + dir.x * t, y: origin.y + dir.y * t, z: origin.z + dir.z * t };
  }
}
