/** Toys in a sandbox: meshes of a scene that get physics by their userData. */
import { dragBodies, meshPhysics } from 'betwixt/three';
import * as THREE from 'three';
import { element, fail } from '../../stage/page.js';
import { WOOD, box, colorOf, createStage, solid } from '../../stage/stage.js';

const { canvas, camera, scene, ground, onFrame } = createStage({
  from: [7.5, 7.5, 11.2],
  to: [0, 0.5, 0],
});
const planks = [0, 1, 2, 3].map((side) => {
  const plank = box([9.6, 0.8, 0.4], WOOD);
  plank.position.set(0, 0.4, 4.6).applyAxisAngle(THREE.Object3D.DEFAULT_UP, (side * Math.PI) / 2);
  plank.rotation.y = (side * Math.PI) / 2;
  return plank;
});
scene.add(...planks);

// 1. The ground and planks around the toys are fixed: they have no mass.
for (const mesh of [ground, ...planks]) mesh.userData['physics'] = { mass: 0 };

// 2. Toys of any geometry. Those that are none of the engine's shapes get their hull.
const shapes = [
  new THREE.BoxGeometry(0.9, 0.9, 0.9),
  new THREE.SphereGeometry(0.5, 32, 16),
  new THREE.CapsuleGeometry(0.3, 0.7, 8, 16),
  new THREE.CylinderGeometry(0.4, 0.4, 0.8, 32),
  new THREE.ConeGeometry(0.5, 1, 32),
  new THREE.DodecahedronGeometry(0.55),
  new THREE.TorusKnotGeometry(0.35, 0.12, 64, 12),
];
const toys = Array.from({ length: 35 }, (_, index) => {
  const toy = solid(shapes[index % shapes.length] as THREE.BufferGeometry, colorOf(index));
  toy.position.set(Math.sin(index * 2.4) * 2.5, 1 + index * 0.4, Math.cos(index * 2.4) * 2.5);
  toy.rotation.set(index, index * 2, index * 3);
  toy.userData['physics'] = { mass: 1, restitution: 0.3 };
  scene.add(toy);
  return toy;
});

// 3. The physics.
const physics = await meshPhysics().catch(fail);
physics.addScene(scene);
dragBodies(canvas, camera, scene, physics);
element('output').textContent = 'Drag the toys';
element('button').addEventListener('click', () => {
  for (const toy of toys) {
    physics.applyImpulse(toy, { x: Math.random() - 0.5, y: 5, z: Math.random() - 0.5 });
  }
});

// 4. Each frame.
onFrame((stamp) => physics.update(stamp));

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera });
