/** Dunes: boulders that roll down a field of heights. */
import { dragBodies, meshPhysics } from 'betwixt/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const [SIZE_M, SQUARES, BOULDERS] = [40, 80, 60];

const renderer = new THREE.WebGLRenderer({ canvas: element('canvas'), antialias: true });
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 18, 34);
const controls = new OrbitControls(camera, renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x1b1f26);
const sun = new THREE.DirectionalLight(0xffe8c4, 3);
sun.position.set(12, 12, -4);
scene.add(sun, new THREE.HemisphereLight(0xdde6ff, 0x554433, 0.7));

// 1. Heights: those of the engine go along z first, then along x; those of the plane along x, then along z.
const heightAt = (x: number, z: number): number =>
  1.6 * Math.sin(x * 0.45 + Math.sin(z * 0.3)) + 0.8 * Math.cos(z * 0.5) + 0.004 * (x * x + z * z);
const coordinate = (step: number): number => (step / SQUARES - 0.5) * SIZE_M;
const heights = Array.from({ length: (SQUARES + 1) ** 2 }, (_, index) =>
  heightAt(coordinate(Math.floor(index / (SQUARES + 1))), coordinate(index % (SQUARES + 1))),
);
const geometry = new THREE.PlaneGeometry(SIZE_M, SIZE_M, SQUARES, SQUARES).rotateX(-Math.PI / 2);
const points = geometry.getAttribute('position');
for (let index = 0; index < points.count; index++) {
  points.setY(index, heightAt(points.getX(index), points.getZ(index)));
}
geometry.computeVertexNormals();
const dunes = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: 0xc9a063 }));
scene.add(dunes);

// 2. Boulders.
const rock = new THREE.MeshStandardMaterial({ color: 0x8f7f74, flatShading: true });
const boulders = Array.from({ length: BOULDERS }, (_, index) => {
  const radius = 0.4 + 0.5 * Math.random();
  const boulder = new THREE.Mesh(
    index % 2 === 0 ? new THREE.DodecahedronGeometry(radius) : new THREE.SphereGeometry(radius),
    rock,
  );
  boulder.position.set(...place());
  scene.add(boulder);
  return boulder;
});

// 3. The physics.
const physics = await meshPhysics().catch((error: unknown) => {
  element('p').textContent = `The physics failed: ${String(error)}`;
  throw error;
});
physics.addHeightfield(dunes, SQUARES, SQUARES, heights, { x: SIZE_M, y: 1, z: SIZE_M });
for (const boulder of boulders) physics.addMesh(boulder, 5);
dragBodies(renderer.domElement, camera, scene, physics);
element('output').textContent = 'Drag the boulders';
element('button').addEventListener('click', () => {
  for (const boulder of boulders) physics.setMeshPosition(boulder, new THREE.Vector3(...place()));
});

// 4. Each frame.
renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  for (const boulder of boulders) {
    if (boulder.position.y < -10) physics.setMeshPosition(boulder, new THREE.Vector3(...place()));
  }
  controls.update();
  renderer.render(scene, camera);
});

function place(): [number, number, number] {
  return [(Math.random() - 0.5) * 24, 8 + Math.random() * 8, (Math.random() - 0.5) * 24];
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
