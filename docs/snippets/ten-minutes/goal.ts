import { ActiveEvents, ColliderDesc, type World } from 'betwixt/world';

/** Calls back when a body falls below the plate, and takes it out of the world. */
export function onFallen(world: World, callback: (fallen: number) => void): void {
  const ground = ColliderDesc.cuboid(50, 1, 50).setTranslation(0, -6, 0).setSensor(true);
  const sensor = world.createCollider(ground.setActiveEvents(ActiveEvents.COLLISION_EVENTS));
  let fallen = 0;
  world.on('collision', ({ started, collider1, collider2 }) => {
    // Other colliders report their collisions, too.
    if (!started || (collider1 !== sensor && collider2 !== sensor)) return;
    const body = (collider1 === sensor ? collider2 : collider1).parent();
    if (!body?.isValid()) return;
    world.removeRigidBody(body);
    fallen += 1;
    callback(fallen);
  });
}
