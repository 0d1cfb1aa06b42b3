/**
 * Questions that a page asks a Rapier world, with answers that can be cloned: for a simulation's queries.
 *
 *     commands: { ...rapierQueries(rapier, () => physics), … }
 *
 * Between two ticks the world is as the last step left it, and that is what they see.
 */
import type { Collider, Shape } from '@dimforge/rapier3d-simd-compat';
import type { BodyId } from '../../shared/body-meta.js';
import { requireNumber } from '../../shared/validate.js';
import type { Rapier } from './rapier-builds.js';
import type { RapierWorld } from './rapier-world.js';

/** A place or a direction, in the world's unit. */
export type Triple = readonly [x: number, y: number, z: number];
/** A rotation as a unit quaternion. */
export type Quadruple = readonly [x: number, y: number, z: number, w: number];

/**
 * What is cast: a box of these half sizes, a ball, or an upright capsule (half its height without the caps), in the
 * world's unit.
 */
export type CastShape =
  | { readonly kind: 'box'; readonly half: Triple }
  | { readonly kind: 'ball'; readonly radius: number }
  | { readonly kind: 'capsule'; readonly halfHeight: number; readonly radius: number };

/** What a cast meets first. */
export interface CastHit {
  /** Undefined: something that is not published, such as the ground. */
  readonly body: BodyId | undefined;
  /** From the origin along the direction, in the world's unit. */
  readonly distance: number;
  /** Where they touch, in the world's unit. */
  readonly point: Triple;
  /** Of the surface that was met, of unit length. */
  readonly normal: Triple;
}

/** One body as the last step left it. */
export interface BodyReading {
  /** In the world's unit. */
  readonly position: Triple;
  /** A unit quaternion, x y z w. */
  readonly rotation: Quadruple;
  /** In the world's unit per second. */
  readonly velocity: Triple;
  /** About each axis, in radians per second. */
  readonly spin: Triple;
  /** In the world's unit of mass. */
  readonly mass: number;
  /** The engine lets it rest. */
  readonly isAsleep: boolean;
}

const FARTHEST = 1e9;

/**
 * The queries `castRay`, `castShape` and `readBody`, to be spread into a simulation's commands. A cast throws a RangeError
 * if its direction has no length, its shape is none, or a number is no coordinate or distance (up to 1e9).
 *
 * @param physics The world of now: it may be another one after a scene was loaded.
 */
export function rapierQueries(rapier: Rapier, physics: () => RapierWorld) {
  return {
    /**
     * The first thing that a ray meets.
     *
     * @param direction Not of length 0; its length does not matter.
     * @param maxDistance How far it goes, in the world's unit, 0 to 1e9. Default 1e9.
     */
    castRay: (origin: Triple, direction: Triple, maxDistance = FARTHEST): CastHit | undefined => {
      const world = physics();
      const from = vector('origin', origin);
      const along = unit(direction);
      requireNumber('maxDistance', maxDistance, 0, FARTHEST);
      const hit = world.world.castRayAndGetNormal(new rapier.Ray(from, along), maxDistance, true);
      if (hit === null) return undefined;
      const distance = hit.timeOfImpact;
      return {
        body: bodyOf(world, hit.collider),
        distance,
        point: [
          from.x + along.x * distance,
          from.y + along.y * distance,
          from.z + along.z * distance,
        ],
        normal: [hit.normal.x, hit.normal.y, hit.normal.z],
      };
    },

    /**
     * The first thing that a shape meets which moves along a direction without turning.
     *
     * @param direction Not of length 0; its length does not matter.
     * @param maxDistance How far it goes, in the world's unit, 0 to 1e9. Default 1e9.
     */
    castShape: (
      shape: CastShape,
      origin: Triple,
      rotation: Quadruple,
      direction: Triple,
      maxDistance = FARTHEST,
    ): CastHit | undefined => {
      const world = physics();
      const [x, y, z, w] = rotation;
      requireNumber('maxDistance', maxDistance, 0, FARTHEST);
      const hit = world.world.castShape(
        vector('origin', origin),
        { x, y, z, w },
        unit(direction),
        createShape(rapier, shape),
        0,
        maxDistance,
        true,
      );
      if (hit === null) return undefined;
      const { witness1, normal1 } = hit;
      return {
        body: bodyOf(world, hit.collider),
        distance: hit.time_of_impact,
        point: [witness1.x, witness1.y, witness1.z],
        normal: [normal1.x, normal1.y, normal1.z],
      };
    },

    /** What the engine knows of a body; undefined when it does not live. */
    readBody: (id: BodyId): BodyReading | undefined => {
      const body = physics().rigidBodyOf(id);
      if (body === undefined) return undefined;
      const p = body.translation();
      const q = body.rotation();
      const v = body.linvel();
      const s = body.angvel();
      return {
        position: [p.x, p.y, p.z],
        rotation: [q.x, q.y, q.z, q.w],
        velocity: [v.x, v.y, v.z],
        spin: [s.x, s.y, s.z],
        mass: body.mass(),
        isAsleep: body.isSleeping(),
      };
    },
  };
}

function bodyOf(world: RapierWorld, collider: Collider): BodyId | undefined {
  return world.bodyIdOfCollider(collider);
}

function createShape(rapier: Rapier, shape: CastShape): Shape {
  switch (shape.kind) {
    case 'box':
      return new rapier.Cuboid(...shape.half);
    case 'ball':
      return new rapier.Ball(shape.radius);
    case 'capsule':
      return new rapier.Capsule(shape.halfHeight, shape.radius);
    default:
      throw new RangeError('a shape to cast is a box, a ball or a capsule');
  }
}

function vector(name: string, [x, y, z]: Triple): { x: number; y: number; z: number } {
  for (const value of [x, y, z]) requireNumber(name, value, -FARTHEST, FARTHEST);
  return { x, y, z };
}

function unit(direction: Triple): { x: number; y: number; z: number } {
  const { x, y, z } = vector('direction', direction);
  const length = Math.hypot(x, y, z);
  if (length === 0) throw new RangeError('direction must not have the length 0');
  return { x: x / length, y: y / length, z: z / length };
}
