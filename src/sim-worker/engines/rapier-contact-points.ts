/** Finds the point where two colliders meet in a Rapier world. */
import type { Point } from '../../shared/events/simulation-event.js';
import type { AnyCollider, AnyWorld } from './any-rapier.js';
import { PairPoints } from './pair-points.js';
import type { BodyPair } from './touching-pair.js';

export const UNKNOWN_POINT: Point = { x: Number.NaN, y: Number.NaN, z: Number.NaN };

/** A returned point is valid until the next call. */
export class ContactPoints {
  readonly #pair = new PairPoints();
  readonly #center = { x: 0, y: 0, z: 0 };
  readonly #point = { x: 0, y: 0, z: 0 };

  /** Whether two colliders touch according to the engine, and not only their bounding boxes overlap. */
  isTouching(world: AnyWorld, c1: AnyCollider, c2: AnyCollider): boolean {
    this.#pair.read(world, c1, c2);
    return this.#pair.points.length > 0;
  }

  /** The center of the points at which two colliders touch. */
  ofContact(world: AnyWorld, bodies: BodyPair, c1: AnyCollider, c2: AnyCollider): Point {
    this.#pair.read(world, c1, c2);
    const { points } = this.#pair;
    if (points.length === 0) return this.between(bodies, c1, c2);
    const center = this.#center;
    center.x = 0;
    center.y = 0;
    center.z = 0;
    for (const { x, y, z } of points) {
      center.x += x / points.length;
      center.y += y / points.length;
      center.z += z / points.length;
    }
    return center;
  }

  /**
   * The center between two colliders that do not press on each other. If only one of them belongs to a body, its
   * position, since the center of a floor may be far away. Unknown if both are gone.
   */
  between({ a, b }: BodyPair, c1: AnyCollider | undefined, c2: AnyCollider | undefined): Point {
    const center = this.#center;
    if (c1 === undefined || c2 === undefined) {
      return (c1 ?? c2)?.translation(center) ?? UNKNOWN_POINT;
    }
    if (a === undefined && b !== undefined) return c2.translation(center);
    const one = c1.translation(center);
    if (a !== undefined && b === undefined) return one;
    const other = c2.translation(this.#point);
    center.x = (one.x + other.x) / 2;
    center.y = (one.y + other.y) / 2;
    center.z = (one.z + other.z) / 2;
    return center;
  }
}
