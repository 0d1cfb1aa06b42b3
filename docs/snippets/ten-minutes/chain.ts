import { ColliderDesc, JointData, RigidBodyDesc, type RigidBody, type World } from 'betwixt/world';

/** A chain of five balls that hangs from a point. */
export function addChain(world: World): RigidBody[] {
  const links = [world.createRigidBody(RigidBodyDesc.fixed().setTranslation(0, 5, 0))];
  for (let index = 1; index <= 5; index++) {
    const link = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0.6 * index, 5, 0));
    world.createCollider(ColliderDesc.ball(0.25), link);
    const last = links.at(-1) as RigidBody;
    const data = JointData.spherical({ x: 0.3, y: 0, z: 0 }, { x: -0.3, y: 0, z: 0 });
    world.createImpulseJoint(data, last, link, true);
    links.push(link);
  }
  return links.slice(1);
}
