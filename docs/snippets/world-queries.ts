import { Ball, QueryFilterFlags, type Ray, type RigidBody, type World } from 'betwixt/world';

const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };

/** What a click on the ground explodes: everything near it that can move. */
export async function explode(world: World, eye: Ray, bomb: RigidBody): Promise<void> {
  const hit = await world.castRay(eye, 1000, true, { excludeRigidBody: bomb });
  if (hit === null) return;
  const center = eye.pointAt(hit.timeOfImpact);
  const near = await world.intersectionsWithShape(center, UPRIGHT, new Ball(3), {
    flags: QueryFilterFlags.ONLY_DYNAMIC,
  });
  for (const collider of near) collider.parent()?.applyImpulse({ x: 0, y: 5, z: 0 }, true);
}
