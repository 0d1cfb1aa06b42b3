import { meshPhysics } from 'betwixt/three';
import { BoxGeometry, Mesh, MeshNormalMaterial, TorusGeometry } from 'three';
import { camera, renderer, scene } from './scene.js'; // your three.js scene

const material = new MeshNormalMaterial();
const floor = new Mesh(new BoxGeometry(10, 0.5, 10), material);
floor.userData['physics'] = { mass: 0 }; // fixed
const toy = new Mesh(new TorusGeometry(0.5, 0.2), material);
toy.position.y = 3;
toy.userData['physics'] = { mass: 1, restitution: 0.5 };
scene.add(floor, toy);

const physics = await meshPhysics();
physics.addScene(scene);

renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  renderer.render(scene, camera);
});
