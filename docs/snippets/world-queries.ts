import { Ball, QueryFilterFlags, type Ray, type RigidBody, type World } from 'betwixt/world';

const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };

/** Sets off an explosion where the click hits: all dynamic bodies nearby fly up. */
export function explode(world: World, eye: Ray, bomb: RigidBody): void {
  const hit = world.castRay(eye, 1000, true, undefined, undefined, undefined, bomb);
  if (hit === null) return;
  const center = eye.pointAt(hit.timeOfImpact);
  const push = { x: 0, y: 5, z: 0 };
  world.intersectionsWithShape(
    center,
    UPRIGHT,
    new Ball(3),
    (near) => {
      near.parent()?.applyImpulse(push, true);
      return true;
    },
    QueryFilterFlags.ONLY_DYNAMIC,
  );
}
