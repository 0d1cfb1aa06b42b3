/**
 * Wakes the bodies that a change concerns, no matter who has made it. The engine (0.20, 0.21) itself
 * wakes what rests on something that is moved or removed, and what hangs on a joint that changes, but not after these:
 *
 *     what has changed                               what is woken here
 *     gravity                                        the bodies that it pulls
 *     how a collider touches others                  its body, and what touches it
 *     the mass of a collider                         its body, which may hang on a joint
 *     a collider is new, or comes to another place   what it has come to
 *     a body is enabled or disabled                  the bodies that are joined to it
 *     whether joined bodies touch                    both
 *     a filter of pairs                              what touches the colliders that it is asked about
 *     a vehicle, or the ground under its wheels      its chassis: see world-vehicles.ts
 *
 * Nothing else wakes: a body sleeps on next to a change that does not concern it.
 */
import { plus, rotated } from '../shared/util/vectors.js';
import type { AnyCollider, AnyRigidBody, AnyWorld } from './any-rapier.js';
import { halfSizesOf } from './shape-bounds.js';

/** A body that rests on a collider may be this far away from it, in lengths. */
const MARGIN = 0.01;

/** Wakes the body of a collider and what touches it. */
export function wakeTouching(world: AnyWorld, collider: AnyCollider): void {
  wake(collider);
  world.contactPairsWith(collider, wake);
}

/** Wakes what touches a collider, or has come to. The colliders must be where their bodies are. */
export function wakeAround(world: AnyWorld, collider: AnyCollider): void {
  world.contactPairsWith(collider, wake);
  const body = collider.parent();
  // Nothing is pushed by what is asleep or not solid.
  if (body?.isSleeping() === true || collider.isSensor() || !collider.isEnabled()) return;
  const [half, rotation] = [halfSizesOf(collider.shape), collider.rotation()];
  const margin = MARGIN * world.lengthUnit;
  let reach = { x: margin, y: margin, z: margin };
  for (const axis of ['x', 'y', 'z'] as const) {
    const { x, y, z } = rotated(rotation, { x: 0, y: 0, z: 0, [axis]: half[axis] });
    reach = plus(reach, { x: Math.abs(x), y: Math.abs(y), z: Math.abs(z) });
  }
  // The engine forgets what is woken while it answers.
  const around: AnyCollider[] = [];
  world.collidersWithAabbIntersectingAabb(collider.translation(), reach, (other) => {
    if (body === null || other.parent()?.handle !== body.handle) around.push(other);
    return true;
  });
  around.forEach(wake);
}

function wake(collider: AnyCollider): void {
  const body = collider.parent();
  if (body?.isSleeping() === true) body.wakeUp();
}

/**
 * Makes the engine compute again where a collider touches others, which it keeps while they rest on each other. One with other groups
 * may touch anything.
 */
export function lookAgain(collider: AnyCollider): void {
  const groups = collider.collisionGroups();
  collider.setCollisionGroups(~groups >>> 0);
  collider.setCollisionGroups(groups);
}

/** Like {@link lookAgain}, for all colliders of a body, and wakes it. */
export function lookAgainAt(body: AnyRigidBody): void {
  if (body.isSleeping()) body.wakeUp();
  for (let at = 0; at < body.numColliders(); at++) lookAgain(body.collider(at));
}

/** Enables or disables a body, and wakes those that are joined to it. */
export function setEnabled(world: AnyWorld, body: AnyRigidBody, isEnabled: boolean): void {
  body.setEnabled(isEnabled);
  // Multibody joints hold a disabled body, too.
  world.impulseJoints.forEachJointHandleAttachedToRigidBody(body.handle, (handle) => {
    const joint = world.impulseJoints.get(handle);
    joint?.body1().wakeUp();
    joint?.body2().wakeUp();
  });
}

/** The gravity that was last looked at, in 32 bits, as the engine saves it. */
const gravities = new WeakMap<AnyWorld, readonly number[]>();

/** Takes the gravity of a world that was just built or restored: its bodies may be meant to sleep in it. */
export function noteGravity(world: AnyWorld): void {
  const { x, y, z } = world.gravity;
  gravities.set(world, [x, y, z].map(Math.fround));
}

/** Wakes what gravity pulls if it has changed since the last call. */
export function lookAtGravity(world: AnyWorld): void {
  const before = gravities.get(world);
  noteGravity(world);
  if (
    before === undefined ||
    gravities.get(world)?.every((value, axis) => value === before[axis])
  ) {
    return;
  }
  world.forEachRigidBody((body) => {
    if (body.isDynamic() && body.isSleeping() && body.gravityScale() !== 0) body.wakeUp();
  });
}
