/** Where in a Rapier world two colliders meet. */
import type { Collider, TempContactManifold, World } from '@dimforge/rapier3d-simd-compat';
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Place } from '../../shared/events/simulation-event.js';

/** The bodies of the snapshot that two colliders belong to. */
export interface Sides {
  readonly a: BodyId | undefined;
  readonly b: BodyId | undefined;
}

export const UNKNOWN_PLACE: Place = { x: Number.NaN, y: Number.NaN, z: Number.NaN };

/** A place that a method returns is valid until the next call. */
export class ContactPlaces {
  readonly #place = { x: 0, y: 0, z: 0 };
  readonly #point = { x: 0, y: 0, z: 0 };
  #points = 0;
  readonly #add = (manifold: TempContactManifold): void => this.#addPoints(manifold);

  /** Whether two colliders touch by what the engine's solver has found, and not only the boxes around them. */
  isTouching(world: World, c1: Collider, c2: Collider): boolean {
    const place = this.#place;
    place.x = 0;
    place.y = 0;
    place.z = 0;
    this.#points = 0;
    world.contactPair(c1, c2, this.#add);
    return this.#points > 0;
  }

  /** The middle of the points at which the solver keeps two colliders apart. */
  ofContact(world: World, sides: Sides, c1: Collider, c2: Collider): Place {
    if (!this.isTouching(world, c1, c2)) return this.between(sides, c1, c2);
    const place = this.#place;
    place.x /= this.#points;
    place.y /= this.#points;
    place.z /= this.#points;
    return place;
  }

  /**
   * Where two colliders are that do not press on each other: in the middle between them. At the body if only
   * one of them belongs to one, since the middle of a floor is nowhere near; unknown when both are gone.
   */
  between({ a, b }: Sides, c1: Collider | undefined, c2: Collider | undefined): Place {
    const place = this.#place;
    if (c1 === undefined || c2 === undefined) {
      return (c1 ?? c2)?.translation(place) ?? UNKNOWN_PLACE;
    }
    if (a === undefined && b !== undefined) return c2.translation(place);
    c1.translation(place);
    if (a !== undefined && b === undefined) return place;
    const other = c2.translation(this.#point);
    place.x = (place.x + other.x) / 2;
    place.y = (place.y + other.y) / 2;
    place.z = (place.z + other.z) / 2;
    return place;
  }

  #addPoints(manifold: TempContactManifold): void {
    const count = manifold.numSolverContacts();
    for (let index = 0; index < count; index++) {
      const point = manifold.solverContactPoint(index, this.#point);
      if (point === null) continue;
      this.#place.x += point.x;
      this.#place.y += point.y;
      this.#place.z += point.z;
      this.#points += 1;
    }
  }
}
