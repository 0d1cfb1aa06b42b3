/** Hail: hundreds of instances, turned and of several sizes, that keep falling into a tray. */
import { meshPhysics } from 'betwixt/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const COUNT = 400;

const renderer = new THREE.WebGLRenderer({ canvas: element('canvas'), antialias: true });
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
camera.position.set(7, 7, 9);
const controls = new OrbitControls(camera, renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x1b1f26);
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(4, 9, 5);
scene.add(sun, new THREE.HemisphereLight(0xdde6ff, 0x554433, 1));

// 1. A tray: a floor and four walls.
const tray = new THREE.Group();
const steel = new THREE.MeshStandardMaterial({ color: 0x59636f, roughness: 0.6 });
for (const [x, z, width, depth, height] of [
  [0, 0, 8, 8, 0.4],
  [4, 0, 0.4, 8, 1.6],
  [-4, 0, 0.4, 8, 1.6],
  [0, 4, 8, 0.4, 1.6],
  [0, -4, 8, 0.4, 1.6],
] as const) {
  const part = new THREE.Mesh(new THREE.BoxGeometry(width, height, depth), steel);
  part.position.set(x, height / 2 - 0.4, z);
  part.userData['physics'] = { mass: 0 };
  tray.add(part);
}
scene.add(tray);

// 2. Cubes and balls. Each instance has its own place, rotation, size and color.
const hail = [new THREE.BoxGeometry(0.4, 0.4, 0.4), new THREE.IcosahedronGeometry(0.25, 3)].map(
  (geometry) => {
    const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshLambertMaterial(), COUNT);
    const place = new THREE.Object3D();
    for (let index = 0; index < COUNT; index++) {
      place.position.set(between(-3, 3), between(1, 12), between(-3, 3));
      place.rotation.set(between(0, 6), between(0, 6), 0);
      place.scale.setScalar(between(0.5, 1.3));
      place.updateMatrix();
      mesh.setMatrixAt(index, place.matrix);
      mesh.setColorAt(index, new THREE.Color().setHSL(between(0.5, 0.65), 0.6, between(0.5, 0.8)));
    }
    mesh.userData['physics'] = { mass: 0.2, restitution: 0.2 };
    scene.add(mesh);
    return mesh;
  },
);

// 3. The physics.
const physics = await meshPhysics().catch((error: unknown) => {
  element('p').textContent = `The physics failed: ${String(error)}`;
  throw error;
});
physics.addScene(scene);
element('output').textContent = `${2 * COUNT} bodies`;
element('button').addEventListener('click', () => {
  for (const mesh of hail) {
    for (let index = 0; index < COUNT; index++) {
      const impulse = { x: between(-0.2, 0.2), y: between(0.5, 1.5), z: between(-0.2, 0.2) };
      physics.applyImpulse(mesh, impulse, index);
    }
  }
});

// 4. Each frame, one of each kind falls again.
let next = 0;
renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  for (const mesh of hail) {
    physics.setMeshPosition(mesh, { x: between(-3, 3), y: 10, z: between(-3, 3) }, next);
  }
  next = (next + 1) % COUNT;
  controls.update();
  renderer.render(scene, camera);
});

function between(low: number, high: number): number {
  return low + Math.random() * (high - low);
}

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
