/**
 * Warns of what a scene does to the engine's bodies behind the library's back. Loaded only in development. It looks at
 * every body in every step, and wraps methods of the objects that it watches.
 */

import type { BodyId } from '../shared/memory/body-meta.js';
import { warnOnce } from '../shared/util/development.js';
import type { Vector } from '../shared/util/vectors.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';
import { bodyCalled } from '../sim-worker/bodies/body-tag.js';
import type { AnyRigidBody, AnyWorld } from './any-rapier.js';
import type { RapierWorld } from './rapier-world.js';

/** A body that moves by more at once, besides the way that its velocity explains, is moved to another place. */
const MAX_JUMP = 1;
/** How many steps of its velocity that way is. */
const EXPLAINED_STEPS = 10;

/** Watches a world from its beginning. */
export function watchWorld(physics: RapierWorld<AnyWorld>): void {
  const { add, adopt, remove, restore, step, teleport } = physics;
  const ids = new Set<BodyId>();
  /** Moved since the last step, by methods of the engine. */
  const moved = new Set<BodyId>();
  let isTeleporting = false;
  let steps = 0;

  const watch = (id: BodyId, rigidBody: AnyRigidBody): void => {
    ids.add(id);
    const before = steps;
    const { setRotation, setTranslation } = rigidBody;
    rigidBody.setTranslation = (to, wakeUp) => {
      // A body that is placed before its first step has not been shown anywhere else.
      if (!isTeleporting && steps > before) warnOfJump(id, rigidBody, to, physics);
      setTranslation.call(rigidBody, to, wakeUp);
      moved.add(id);
    };
    rigidBody.setRotation = (to, wakeUp) => {
      setRotation.call(rigidBody, to, wakeUp);
      moved.add(id);
    };
  };

  physics.add = (rigidBody, options) => {
    const id = add.call(physics, rigidBody, options);
    watch(id, rigidBody);
    return id;
  };
  physics.remove = (id) => {
    ids.delete(id);
    return remove.call(physics, id);
  };
  physics.teleport = (id, pose) => {
    isTeleporting = true;
    try {
      return teleport.call(physics, id, pose);
    } finally {
      isTeleporting = false;
    }
  };
  const watchAll = (): void => {
    ids.clear();
    physics.world.forEachRigidBody((rigidBody) => {
      const id = physics.bodyIdOf(rigidBody);
      if (id !== undefined) watch(id, rigidBody);
    });
  };
  physics.restore = (bytes) => {
    restore.call(physics, bytes);
    watchAll();
  };
  physics.adopt = (kept) => {
    adopt.call(physics, kept);
    physics.world.forEachRigidBody(unwatch);
    watchAll();
  };
  physics.step = (dt, beforePublication) => {
    for (const id of ids) {
      if (isWhole(physics, id)) continue;
      ids.delete(id);
    }
    steps += 1;
    step.call(physics, dt, beforePublication);
    for (const id of moved) warnOfOldPose(physics, id);
    moved.clear();
  };
}

/** Gives a rigid body the methods of its class again. */
function unwatch(rigidBody: AnyRigidBody): void {
  Reflect.deleteProperty(rigidBody, 'setTranslation');
  Reflect.deleteProperty(rigidBody, 'setRotation');
}

const called = ({ bodies }: RapierWorld<AnyWorld>, id: BodyId): string =>
  bodyCalled(id, registryOf(bodies).tagOf(id));

/** Whether both a body and its rigid body exist. */
function isWhole(physics: RapierWorld<AnyWorld>, id: BodyId): boolean {
  const rigidBody = physics.rigidBodyOf(id);
  if (rigidBody === undefined) return false;
  if (!rigidBody.isValid()) {
    warnOnce(
      'removed rigid body',
      `the rigid body of ${called(physics, id)} was removed from Rapier's world, and the body still exists: call ` +
        'physics.remove(id) instead of world.removeRigidBody(…)',
    );
    return false;
  }
  if (physics.bodies.pose(id) === undefined) {
    warnOnce(
      'despawned body',
      `${called(physics, id)} was despawned, and its rigid body is still simulated, but no longer drawn: call physics.remove(id) ` +
        'instead of context.bodies.despawn(id)',
    );
    return false;
  }
  return true;
}

function warnOfOldPose(physics: RapierWorld<AnyWorld>, id: BodyId): void {
  const rigidBody = physics.rigidBodyOf(id);
  const drawn = physics.bodies.pose(id);
  if (rigidBody === undefined || drawn === undefined || !rigidBody.isValid()) return;
  const p = rigidBody.translation();
  const q = rigidBody.rotation();
  const engine = [p.x, p.y, p.z, q.x, q.y, q.z, q.w];
  const shown = [drawn.x, drawn.y, drawn.z, drawn.qx, drawn.qy, drawn.qz, drawn.qw];
  // An invalid number is refused, which is another matter.
  if (!engine.every(Number.isFinite) || engine.every((value, at) => value === shown[at])) return;
  warnOnce(
    'old pose',
    `${called(physics, id)} was moved with setTranslation or setRotation, and is still drawn where it was, because the engine does not ` +
      'simulate it: call physics.publish(id) after moving it',
  );
}

function warnOfJump(
  id: BodyId,
  rigidBody: AnyRigidBody,
  to: Vector,
  physics: RapierWorld<AnyWorld>,
): void {
  const { world } = physics;
  const from = rigidBody.translation();
  const v = rigidBody.linvel();
  const jump = Math.hypot(to.x - from.x, to.y - from.y, to.z - from.z);
  const explained = Math.hypot(v.x, v.y, v.z) * world.timestep * EXPLAINED_STEPS;
  if (jump <= MAX_JUMP + explained) return;
  warnOnce(
    'jump',
    `setTranslation moved ${called(physics, id)} by ${jump.toFixed(1)} at once, so the page shows it flying there: call ` +
      'physics.teleport(id, pose), which moves it without interpolation',
  );
}
