/**
 * Bodies whose surface moves and carries what lies on it, while they stay. The engine lets only kinematic bodies carry: so
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
import { type Motion, motionOf, movedBy } from './way-out.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type Surfaces = Iterable<readonly [RigidBody, SurfaceVelocity]>;

/** Lengths of a rotation that are tried, and the step between two. Of 2,000 rotations, none needed more than 30. */
const MOST_LENGTHS = 100;
const LENGTH_STEP = 0.0137;

export class Belts {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #read: () => Surfaces;
  #surfaces: ReadonlyMap<RigidBody, SurfaceVelocity> | undefined;

  /** @param read The surfaces that move, in an order that a restored world has, too. */
  constructor(rapier: Rapier, physics: RapierWorld, read: () => Surfaces) {
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

  /** Lets them carry in the coming step. @returns Ends that, before anything reads the bodies. */
  start(dt: number): () => void {
    if (this.#all.size === 0) return nothing;
    const ends: (() => void)[] = [];
    for (const [body, surface] of this.#all) {
      if (body.isValid() && carries(body)) ends.push(this.#start(body, surface, dt));
    }
    return () => {
      for (const end of ends) end();
      // Queries ask the colliders.
      this.#physics.world.propagateModifiedBodyPositionsToColliders();
    };
  }

  get #all(): ReadonlyMap<RigidBody, SurfaceVelocity> {
    return (this.#surfaces ??= new Map(this.#read()));
  }

  #start(body: RigidBody, surface: SurfaceVelocity, dt: number): () => void {
    const { RigidBody, RigidBodyType } = this.#rapier;
    const [type, from, before] = [body.bodyType(), body.translation(), body.rotation()];
    const motion = motionOf(body, dt);
    const [linvel, angvel] =
      type === RigidBodyType.KinematicPositionBased
        ? velocitiesOf(motion, body.worldCom(), dt)
        : [body.linvel(), body.angvel()];
    const [linear, angular] = inWorld(body, surface);
    body.setBodyType(RigidBodyType.KinematicVelocityBased, true);
    body.setLinvel(plus(linvel, linear), true);
    body.setAngvel(plus(angvel, angular), true);
    return () => {
      // The method of the class: in development, that of the object warns of jumps.
      const to = motion === undefined ? from : movedBy(motion, from);
      RigidBody.prototype.setTranslation.call(body, to, false);
      turn(body, motion === undefined ? before : product(motion.turn, before));
      body.setLinvel(linvel, false);
      body.setAngvel(angvel, false);
      body.setBodyType(type, false);
    };
  }
}

const nothing = (): void => {};

const carries = (body: RigidBody): boolean => !body.isDynamic() && body.isEnabled();

function inWorld(body: RigidBody, { linear, angular }: SurfaceVelocity): [Vector, Vector] {
  const rotation = body.rotation();
  return [rotated(rotation, linear), rotated(rotation, angular)];
}

/** Without functions that differ between browsers: an angle is exact to 0.001 % up to 0.4 radians in a step. */
function velocitiesOf(motion: Motion | undefined, com: Vector, dt: number): [Vector, Vector] {
  if (motion === undefined) return [ZERO, ZERO];
  const { turn: q } = motion;
  const angle = scaled(q, Math.sign(q.w) * (2 + dot(q, q) / 3));
  return [scaled(plus(movedBy(motion, com), com, -1), 1 / dt), scaled(angle, 1 / dt)];
}

/** Turns a body. The engine divides a rotation by its length, which may change the last bit: at another length, it does not. */
function turn(body: RigidBody, { x, y, z, w }: Rotation): void {
  const isThere = (q: Rotation): boolean =>
    q.x === Math.fround(x) &&
    q.y === Math.fround(y) &&
    q.z === Math.fround(z) &&
    q.w === Math.fround(w);
  for (let tried = 0; tried < MOST_LENGTHS && !isThere(body.rotation()); tried++) {
    const length = 1 + tried * LENGTH_STEP;
    body.setRotation({ x: x * length, y: y * length, z: z * length, w: w * length }, false);
  }
}
