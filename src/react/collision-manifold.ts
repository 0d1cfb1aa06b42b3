/** Where two colliders touch, as an event tells it. */
import { rotated, type Rotation, type Vector } from '../shared/util/vectors.js';
import {
  CoefficientCombineRule,
  type Collider,
  type WorldCollisionEvent,
} from '../world/page/index.js';

/**
 * Where two colliders touch, with the methods of Rapier's `TempContactManifold`. It is a copy, so it may be kept. It has
 * up to four points. What the engine does not tell with an event is estimated, as the methods say.
 */
export class CollisionManifold {
  readonly #event: WorldCollisionEvent;
  /** Where the colliders were when the event was reported. */
  readonly #place1: Place;
  readonly #place2: Place;

  /** @internal */
  constructor(event: WorldCollisionEvent) {
    this.#event = event;
    this.#place1 = placeOf(event.collider1);
    this.#place2 = placeOf(event.collider2);
  }

  /** Nothing: there is no memory of the engine's in it. */
  free(): void {}

  /** From the first collider to the second one, in the world. */
  normal(): Vector {
    return { ...this.#event.normal };
  }

  /** The normal, relative to the first collider. */
  localNormal1(): Vector {
    return turnedBack(this.#event.normal, this.#place1.rotation);
  }

  /** The normal towards the first collider, relative to the second one. */
  localNormal2(): Vector {
    const { x, y, z } = this.#event.normal;
    return turnedBack({ x: -x, y: -y, z: -z }, this.#place2.rotation);
  }

  /** The index 0: events tell of colliders as a whole. */
  subshape1(): number {
    return 0;
  }

  /** The index 0: events tell of colliders as a whole. */
  subshape2(): number {
    return 0;
  }

  /** 0 to 4. */
  numContacts(): number {
    return this.#event.points.length;
  }

  /**
   * A point on the surface of the first collider, relative to where that was when the event was reported; null if there
   * is none.
   *
   * @param index Of the point, from 0.
   */
  localContactPoint1(index: number): Vector | null {
    return this.#local(index, this.#place1, -0.5);
  }

  /** Like {@link localContactPoint1}, of the second collider. @param index Of the point, from 0. */
  localContactPoint2(index: number): Vector | null {
    return this.#local(index, this.#place2, 0.5);
  }

  /**
   * How far the two are apart at a point, in m or the simulation's own unit; negative: how far they overlap.
   *
   * @param index Of the point, from 0.
   */
  contactDist(index: number): number {
    return -(this.#event.points[index]?.depth ?? 0);
  }

  /** The index 0: events do not tell features. @param _index Of the point, from 0. */
  contactFid1(_index: number): number {
    return 0;
  }

  /** The index 0: events do not tell features. @param _index Of the point, from 0. */
  contactFid2(_index: number): number {
    return 0;
  }

  /** The impulse along the normal, divided evenly among the points, in N s. @param _index Of the point, from 0. */
  contactImpulse(_index: number): number {
    return this.#event.impulse / Math.max(1, this.numContacts());
  }

  /** Always 0, in N s: events tell the impulse along the normal. @param _index Of the point, from 0. */
  contactTangentImpulseX(_index: number): number {
    return 0;
  }

  /** Always 0, in N s: events tell the impulse along the normal. @param _index Of the point, from 0. */
  contactTangentImpulseY(_index: number): number {
    return 0;
  }

  /** 0 to 4. */
  numSolverContacts(): number {
    return this.numContacts();
  }

  /** A point in the world; a zero vector if there is none. @param index Of the point, from 0. */
  solverContactPoint(index: number): Vector {
    const { x, y, z } = this.#event.points[index] ?? { x: 0, y: 0, z: 0 };
    return { x, y, z };
  }

  /** Like {@link contactDist}, in m or the simulation's own unit. @param index Of the point, from 0. */
  solverContactDist(index: number): number {
    return this.contactDist(index);
  }

  /** The friction of the two together, from 0. @param _index Of the point, from 0. */
  solverContactFriction(_index: number): number {
    const { collider1: a, collider2: b } = this.#event;
    const rule = Math.max(a.frictionCombineRule(), b.frictionCombineRule());
    return combined(rule as CoefficientCombineRule, a.friction(), b.friction());
  }

  /** The restitution of the two together, from 0. @param _index Of the point, from 0. */
  solverContactRestitution(_index: number): number {
    const { collider1: a, collider2: b } = this.#event;
    const rule = Math.max(a.restitutionCombineRule(), b.restitutionCombineRule());
    return combined(rule as CoefficientCombineRule, a.restitution(), b.restitution());
  }

  /** Always zero: no conveyor belts. @param _index Of the point, from 0. */
  solverContactTangentVelocity(_index: number): Vector {
    return { x: 0, y: 0, z: 0 };
  }

  /** @param side How far a collider's surface is from the point, in distances of the two along the normal. */
  #local(index: number, { translation, rotation }: Place, side: number): Vector | null {
    const point = this.#event.points[index];
    if (point === undefined) return null;
    const { normal } = this.#event;
    const along = side * this.contactDist(index);
    return turnedBack(
      {
        x: point.x + along * normal.x - translation.x,
        y: point.y + along * normal.y - translation.y,
        z: point.z + along * normal.z - translation.z,
      },
      rotation,
    );
  }
}

interface Place {
  readonly translation: Vector;
  readonly rotation: Rotation;
}

const placeOf = (collider: Collider): Place => ({
  translation: collider.translation(),
  rotation: collider.rotation(),
});

/** A vector of the world, relative to something that is turned. */
const turnedBack = (value: Readonly<Vector>, { x, y, z, w }: Readonly<Rotation>): Vector =>
  rotated({ x: -x, y: -y, z: -z, w }, value);

function combined(rule: CoefficientCombineRule, a: number, b: number): number {
  switch (rule) {
    case CoefficientCombineRule.Average:
      return (a + b) / 2;
    case CoefficientCombineRule.Min:
      return Math.min(a, b);
    case CoefficientCombineRule.Multiply:
      return a * b;
    case CoefficientCombineRule.Max:
      return Math.max(a, b);
  }
}
