/** The scene: three bodies on a plate, which jump in turn. It does not use the DOM, so tests can run it in Node. */
import { ActiveEvents, ColliderDesc, RigidBodyDesc, type World } from 'betwixt/world';
import { BODIES, CONE_HEIGHT_M, PLATE_M, RADIUS_M } from './looks.js';

const SHAPES = {
  ball: ColliderDesc.ball(RADIUS_M),
  box: ColliderDesc.cuboid(RADIUS_M, RADIUS_M, RADIUS_M),
  cone: ColliderDesc.cone(CONE_HEIGHT_M / 2, RADIUS_M),
};

/** @returns A function that makes the next body jump up and back to where it started. */
export function createScene(world: World): () => void {
  world.createCollider(ColliderDesc.cylinder(PLATE_M.halfHeight, PLATE_M.radius));
  const bodies = BODIES.map(({ shape, x }, index) => {
    const desc = RigidBodyDesc.dynamic().setTranslation(x, 3 + index, 0);
    // Air resistance: without it, the ball would roll forever.
    const body = world.createRigidBody(desc.setAngularDamping(1.5).setUserData(index));
    const collider = SHAPES[shape].setRestitution(0.4).setFriction(0.8);
    world.createCollider(collider.setActiveEvents(ActiveEvents.COLLISION_EVENTS), body);
    return { body, x };
  });
  return () => {
    const next = bodies.shift();
    if (next === undefined) return;
    bodies.push(next);
    const { x, z } = next.body.translation();
    next.body.setLinvel({ x: next.x - x, y: 6, z: -z }, true);
    next.body.setAngvel({ x: 4, y: 0, z: 2 }, true);
  };
}
