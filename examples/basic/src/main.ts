/** Toys on a table: meshes of a scene that get physics by their userData. */
import { dragBodies, meshPhysics } from 'betwixt/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';

const renderer = new THREE.WebGLRenderer({ canvas: element('canvas'), antialias: true });
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
camera.position.set(6, 6, 9);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.y = 0.5;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x1b1f26);
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(4, 9, 5);
sun.castShadow = true;
scene.add(sun, new THREE.HemisphereLight(0xdde6ff, 0x554433, 1));

// 1. A table, which is fixed: it has no mass.
const table = new THREE.Mesh(
  new RoundedBoxGeometry(10, 0.5, 10, 3, 0.1),
  new THREE.MeshStandardMaterial({ color: 0x6b4a35 }),
);
table.position.y = -0.25;
table.receiveShadow = true;
table.userData['physics'] = { mass: 0 };
scene.add(table);

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
  const color = new THREE.Color().setHSL((index * 0.29) % 1, 0.7, 0.55);
  const toy = new THREE.Mesh(
    shapes[index % shapes.length],
    new THREE.MeshStandardMaterial({ color, roughness: 0.5 }),
  );
  toy.position.set(Math.sin(index * 2.4) * 2.5, 1 + index * 0.4, Math.cos(index * 2.4) * 2.5);
  toy.rotation.set(index, index * 2, index * 3);
  toy.castShadow = toy.receiveShadow = true;
  toy.userData['physics'] = { mass: 1, restitution: 0.3 };
  scene.add(toy);
  return toy;
});

// 3. The physics.
const physics = await meshPhysics().catch((error: unknown) => {
  element('p').textContent = `The physics failed: ${String(error)}`;
  throw error;
});
physics.addScene(scene);
dragBodies(renderer.domElement, camera, scene, physics);
element('output').textContent = 'Drag the toys';
element('button').addEventListener('click', () => {
  for (const toy of toys) {
    physics.applyImpulse(toy, { x: Math.random() - 0.5, y: 5, z: Math.random() - 0.5 });
  }
});

// 4. Each frame.
renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  for (const toy of toys) {
    if (toy.position.y < -10) physics.setMeshPosition(toy, { x: 0, y: 5, z: 0 });
  }
  controls.update();
  renderer.render(scene, camera);
});

function resize(): void {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  camera.zoom = Math.min(1, camera.aspect);
  camera.updateProjectionMatrix();
}
resize();
addEventListener('resize', resize);

function element<Name extends keyof HTMLElementTagNameMap>(name: Name) {
  return document.querySelector(name) as HTMLElementTagNameMap[Name];
}

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera });
