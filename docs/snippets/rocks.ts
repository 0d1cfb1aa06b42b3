import { ColliderDesc, RigidBodyDesc, type World } from 'betwixt/world';

/** Rocks of all sizes, whose points are sent once. */
export function addRocks(world: World, points: Float32Array, count: number): void {
  const shape = ColliderDesc.convexHull(points);
  for (let index = 0; index < count; index++) {
    const size = 0.5 + index / count;
    const rock = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 2 * index, 0));
    world.createCollider(shape.setShapeScale({ x: size, y: size, z: size }), rock);
  }
}
