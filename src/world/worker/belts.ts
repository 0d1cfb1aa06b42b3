/**
 * Bodies whose surface moves and carries what lies on it, while they stay. The engine lets only kinematic bodies carry: so
 * for its step, such a body is one with the velocity of its surface, and afterwards it is what and where it was.
 */
import {
  dot,
  plus,
  product,
  rotated,
  type Rotation,
  scaled,
  ZERO,
} from '../../shared/util/vectors.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { BodyFields } from '../shared/setting-tables.js';
import { motionOf, movedBy, RESTING } from './step-motion.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type World = RapierWorld['world'];

/** Bodies, with what is set of their surfaces, in an order that a restored world has, too. */
export type Surfaces = ReadonlyMap<RigidBody, BodyFields>;

/** Lets bodies carry in the coming step, characters too. @returns Ends that, before anything reads them. */
export function startBelts(
  { RigidBodyType, RigidBody: { prototype } }: Rapier,
  world: World,
  surfaces: Surfaces,
  dt: number,
): () => void {
  const ends: (() => void)[] = [];
  for (const [body, { surfaceVelocity = ZERO, surfaceAngularVelocity = ZERO }] of surfaces) {
    if (!body.isValid() || body.isDynamic() || !body.isEnabled()) continue;
    const [type, from, before] = [body.bodyType(), body.translation(), body.rotation()];
    const motion = motionOf(body, dt) ?? RESTING;
    let [linvel, angvel] = [body.linvel(), body.angvel()];
    if (type === RigidBodyType.KinematicPositionBased) {
      const [com, { turn }] = [body.worldCom(), motion];
      linvel = scaled(plus(movedBy(motion, com), com, -1), 1 / dt);
      // Without functions that differ between browsers: exact to 0.001 % up to 0.4 radians in a step.
      angvel = scaled(turn, (Math.sign(turn.w) * (2 + dot(turn, turn) / 3)) / dt);
    }
    body.setBodyType(RigidBodyType.KinematicVelocityBased, true);
    body.setLinvel(plus(linvel, rotated(before, surfaceVelocity)), true);
    body.setAngvel(plus(angvel, rotated(before, surfaceAngularVelocity)), true);
    ends.push(() => {
      // The methods of the class: in development, those of the object warn of jumps.
      prototype.setTranslation.call(body, movedBy(motion, from), false);
      turnTo(body, product(motion.turn, before));
      body.setLinvel(linvel, false);
      body.setAngvel(angvel, false);
      body.setBodyType(type, false);
    });
  }
  return () => {
    for (const end of ends) end();
    // Queries ask the colliders.
    if (ends.length > 0) world.propagateModifiedBodyPositionsToColliders();
  };
}

/** Turns a body, to the bit: the engine divides a rotation by its length, with another rounding at another length. */
function turnTo(body: RigidBody, { x, y, z, w }: Rotation): void {
  const wanted = [x, y, z, w].map(Math.fround).join();
  // None of 2,000 rotations needed a length above 1.4.
  for (let length = 1; length < 2.4; length += 0.0137) {
    const now = body.rotation();
    if ([now.x, now.y, now.z, now.w].join() === wanted) return;
    body.setRotation({ x: x * length, y: y * length, z: z * length, w: w * length }, false);
  }
}
