import { BodyBinding } from 'betwixt/three';
import { ColliderDesc, RigidBodyDesc, createWorld } from 'betwixt/world';
import { camera, mesh, renderer, scene } from './scene.js'; // your three.js scene

const world = createWorld({ gravity: { x: 0, y: -9.81, z: 0 } });
world.createCollider(ColliderDesc.cuboid(10, 0.5, 10).setTranslation(0, -0.5, 0));
const ball = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 4, 0));
world.createCollider(ColliderDesc.ball(0.5).setRestitution(0.8), ball);

const bodies = new BodyBinding();
bodies.populate(await world.ready, () => mesh, { parent: scene });

renderer.setAnimationLoop((stamp) => {
  bodies.update(world.sample(stamp));
  renderer.render(scene, camera);
});
