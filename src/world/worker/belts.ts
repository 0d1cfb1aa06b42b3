/**
 * Bodies whose surface moves and takes along what lies on it, while they stay. The engine lets only kinematic bodies carry: so
 * for its step, such a body is one with the velocity of its surface, and afterwards it is what and where it was.
 */
import {
  cross,
  dot,
  plus,
  product,
  rotated,
  scaled,
  type Rotation,
  type Vector,
  ZERO,
} from '../../shared/util/vectors.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { SurfaceVelocity } from '../shared/setting-tables.js';
import { motionOf, movedBy } from './way-out.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;

/** How a body is after the step. */
interface After {
  readonly body: RigidBody;
  readonly type: ReturnType<RigidBody['bodyType']>;
  readonly at: Vector;
  readonly rotation: Rotation;
  readonly isTurned: boolean;
  readonly linvel: Vector;
  readonly angvel: Vector;
}

type ReadSurfaces = () => Iterable<readonly [RigidBody, SurfaceVelocity]>;

/** Lengths of a rotation that are tried, and the step between two. Of 2,000 rotations, none needed more than 30. */
const MOST_LENGTHS = 100;
const LENGTH_STEP = 0.0137;

export class Belts {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #read: ReadSurfaces;
  #surfaces: ReadonlyMap<RigidBody, SurfaceVelocity> | undefined;
  #after: readonly After[] = [];

  /** @param read The surfaces that move, in an order that a restored world has, too. */
  constructor(rapier: Rapier, physics: RapierWorld, read: ReadSurfaces) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#read = read;
  }

  /** They have changed: they are read again. */
  noteChanged(): void {
    this.#surfaces = undefined;
  }

  /** The velocity of a body's surface at a point, apart from the body's own. */
  velocityAt(body: RigidBody | undefined, point: Vector): Vector {
    const surface = body && this.#all.get(body);
    if (body === undefined || surface === undefined || !carries(body)) return ZERO;
    const [linear, angular] = inWorld(body, surface);
    return plus(linear, cross(angular, plus(point, body.worldCom(), -1)));
  }

  beforeStep(dt: number): void {
    if (this.#all.size === 0) return;
    const { KinematicVelocityBased } = this.#rapier.RigidBodyType;
    const after: After[] = [];
    for (const [body, surface] of this.#all) {
      if (!body.isValid() || !carries(body)) continue;
      const own = this.#afterStep(body, dt);
      const [linear, angular] = inWorld(body, surface);
      body.setBodyType(KinematicVelocityBased, true);
      body.setLinvel(plus(own.linvel, linear), true);
      body.setAngvel(plus(own.angvel, angular), true);
      after.push(own);
    }
    this.#after = after;
  }

  /** Before anything reads the bodies. */
  afterStep(): void {
    if (this.#after.length === 0) return;
    // The methods of the class: in development, those of the object warn of jumps.
    const { setTranslation, setRotation } = this.#rapier.RigidBody.prototype;
    for (const { body, type, at, rotation, isTurned, linvel, angvel } of this.#after) {
      setTranslation.call(body, at, false);
      // The engine divides a rotation by its length, which may change the last bit: at another length, it does not.
      for (let tried = 0; tried < MOST_LENGTHS && !isSame(body.rotation(), rotation); tried++) {
        const length = 1 + tried * LENGTH_STEP;
        const { x, y, z, w } = rotation;
        const longer = { x: x * length, y: y * length, z: z * length, w: w * length };
        setRotation.call(body, longer, false);
        if (isTurned) break;
      }
      body.setLinvel(linvel, false);
      body.setAngvel(angvel, false);
      body.setBodyType(type, false);
    }
    this.#after = [];
    // Queries ask the colliders.
    this.#physics.world.propagateModifiedBodyPositionsToColliders();
  }

  get #all(): ReadonlyMap<RigidBody, SurfaceVelocity> {
    return (this.#surfaces ??= new Map(this.#read()));
  }

  #afterStep(body: RigidBody, dt: number): After {
    const type = body.bodyType();
    const [at, rotation, motion] = [body.translation(), body.rotation(), motionOf(body, dt)];
    const isTurned = motion !== undefined && dot(motion.turn, motion.turn) > 0;
    const after = {
      body,
      type,
      at: motion === undefined ? at : movedBy(motion, at),
      rotation: isTurned ? product(motion.turn, rotation) : rotation,
      isTurned,
    };
    if (type !== this.#rapier.RigidBodyType.KinematicPositionBased) {
      return { ...after, linvel: body.linvel(), angvel: body.angvel() };
    }
    if (motion === undefined) return { ...after, linvel: ZERO, angvel: ZERO };
    const com = body.worldCom();
    const way = plus(movedBy(motion, com), com, -1);
    return { ...after, linvel: scaled(way, 1 / dt), angvel: scaled(angleOf(motion.turn), 1 / dt) };
  }
}

const carries = (body: RigidBody): boolean => !body.isDynamic() && body.isEnabled();

function inWorld(body: RigidBody, { linear, angular }: SurfaceVelocity): [Vector, Vector] {
  const rotation = body.rotation();
  return [rotated(rotation, linear), rotated(rotation, angular)];
}

const isSame = (a: Rotation, b: Rotation): boolean =>
  a.x === b.x && a.y === b.y && a.z === b.z && a.w === b.w;

/** The axis of a rotation, as long as its angle: to 0.001 % up to 0.4 radians, without functions that differ between browsers. */
function angleOf({ x, y, z, w }: Rotation): Vector {
  const axis = { x, y, z };
  return scaled(axis, Math.sign(w) * (2 + dot(axis, axis) / 3));
}
