import { RapierPhysics } from 'three/addons/physics/RapierPhysics.js';
import { camera, mesh, renderer, scene } from '../scene.js'; // your three.js scene

mesh.userData['physics'] = { mass: 1, restitution: 0.5 };
const physics = await RapierPhysics();
physics.addScene(scene);

document.addEventListener('keydown', ({ code, repeat }) => {
  if (code === 'Space' && !repeat) physics.applyImpulse(mesh, { x: 0, y: 5, z: 0 });
});

renderer.setAnimationLoop(() => {
  if (mesh.position.y < -10) physics.setMeshPosition(mesh, { x: 0, y: 5, z: 0 });
  renderer.render(scene, camera);
});
