import { meshPhysics } from 'betwixt/three';
import { BoxGeometry, Mesh, MeshNormalMaterial } from 'three';
import { camera, renderer, scene } from '../scene.js'; // your three.js scene

const ground = new Mesh(new BoxGeometry(10, 1, 10), new MeshNormalMaterial());
ground.userData['physics'] = { mass: 0 };
const box = new Mesh(new BoxGeometry(1, 1, 1), new MeshNormalMaterial());
box.position.y = 5;
box.userData['physics'] = { mass: 1, restitution: 0.4 };
scene.add(ground, box);

const physics = await meshPhysics();
physics.addScene(scene);
renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  renderer.render(scene, camera);
});
