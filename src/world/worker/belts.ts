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
import type { BodyFields } from '../shared/setting-tables.js';
import { motionOf, movedBy, type StepMotion } from './step-motion.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type World = RapierWorld['world'];

/** Bodies, with what is set of their surfaces, in an order that a restored world has, too. */
export type Surfaces = ReadonlyMap<RigidBody, BodyFields>;

/** The greatest length of a rotation that is tried, and the step between two. Of 2,000 rotations, none needed more than 1.4. */
const MOST_LENGTH = 2.4;
const LENGTH_STEP = 0.0137;

/** The velocity of a body's surface at a point, apart from the body's own. */
export function velocityAt(surfaces: Surfaces, body: RigidBody, point: Vector): Vector {
  const surface = surfaces.get(body);
  if (surface === undefined || !carries(body)) return ZERO;
  const [linear, angular] = inWorld(body, surface);
  return plus(linear, cross(angular, plus(point, body.worldCom(), -1)));
}

/** Lets bodies carry in the coming step. @returns Ends that, before anything reads them. */
export function startBelts(
  rapier: Rapier,
  world: World,
  surfaces: Surfaces,
  dt: number,
): () => void {
  const ends = Array.from(surfaces).flatMap(([body, surface]) =>
    body.isValid() && carries(body) ? start(rapier, body, surface, dt) : [],
  );
  return () => {
    for (const end of ends) end();
    // Queries ask the colliders.
    if (ends.length > 0) world.propagateModifiedBodyPositionsToColliders();
  };
}

function start(
  { RigidBody, RigidBodyType }: Rapier,
  body: RigidBody,
  surface: BodyFields,
  dt: number,
): () => void {
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

const carries = (body: RigidBody): boolean => !body.isDynamic() && body.isEnabled();

function inWorld(body: RigidBody, fields: BodyFields): [Vector, Vector] {
  const rotation = body.rotation();
  const { surfaceVelocity = ZERO, surfaceAngularVelocity = ZERO } = fields;
  return [rotated(rotation, surfaceVelocity), rotated(rotation, surfaceAngularVelocity)];
}

/** Without functions that differ between browsers: an angle is exact to 0.001 % up to 0.4 radians in a step. */
function velocitiesOf(motion: StepMotion | undefined, com: Vector, dt: number): [Vector, Vector] {
  if (motion === undefined) return [ZERO, ZERO];
  const { turn: q } = motion;
  const angle = scaled(q, Math.sign(q.w) * (2 + dot(q, q) / 3));
  return [scaled(plus(movedBy(motion, com), com, -1), 1 / dt), scaled(angle, 1 / dt)];
}

/** Turns a body. The engine divides a rotation by its length, which may change the last bit: at another length, it does not. */
function turn(body: RigidBody, { x, y, z, w }: Rotation): void {
  const wanted = [x, y, z, w].map(Math.fround).join();
  for (let length = 1; length < MOST_LENGTH; length += LENGTH_STEP) {
    const now = body.rotation();
    if ([now.x, now.y, now.z, now.w].join() === wanted) return;
    body.setRotation({ x: x * length, y: y * length, z: z * length, w: w * length }, false);
  }
}
