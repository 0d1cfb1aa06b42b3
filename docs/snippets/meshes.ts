import { dragBodies, meshPhysics } from 'betwixt/three';
import { BoxGeometry, Mesh, TorusGeometry } from 'three';
import { camera, renderer, scene } from './scene.js'; // your three.js scene

const table = new Mesh(new BoxGeometry(10, 0.5, 10));
table.userData['physics'] = { mass: 0 };
const toy = new Mesh(new TorusGeometry(0.5, 0.2));
toy.position.y = 3;
toy.userData['physics'] = { mass: 1, restitution: 0.5 };
scene.add(table, toy);

const physics = await meshPhysics();
physics.addScene(scene);
dragBodies(renderer.domElement, camera, scene, physics);

renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  renderer.render(scene, camera);
});
