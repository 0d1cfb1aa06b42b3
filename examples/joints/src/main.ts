/** A chain, a door and a swing: joints between meshes. */
import { WorldHelper, dragBodies, meshPhysics } from 'betwixt/three';
import type { RigidBody } from 'betwixt/world';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ canvas: element('canvas'), antialias: true });
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
camera.position.set(2, 4, 12);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.y = 2.5;
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x1b1f26);
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(4, 9, 5);
scene.add(sun, new THREE.HemisphereLight(0xdde6ff, 0x554433, 1));

const physics = await meshPhysics().catch((error: unknown) => {
  element('p').textContent = `The physics failed: ${String(error)}`;
  throw error;
});
const { RAPIER, world } = physics;
const identity = { x: 0, y: 0, z: 0, w: 1 };

/** A box with physics. */
function box(size: readonly number[], at: readonly number[], mass: number, color: number) {
  const mesh = new THREE.Mesh(
    new THREE.BoxGeometry(...size),
    new THREE.MeshStandardMaterial({ color }),
  );
  mesh.position.fromArray(at);
  scene.add(mesh);
  physics.addMesh(mesh, mass);
  return physics.bodyOf({ object: mesh }) as RigidBody;
}

box([12, 0.4, 6], [0, -0.2, 0], 0, 0x47505c);
const beam = box([10, 0.3, 0.3], [0, 6, 0], 0, 0x8a6f4d);

// 1. A chain: each link hangs from the one before it.
let above = beam;
for (let link = 0; link < 8; link++) {
  const below = box([0.2, 0.45, 0.2], [-4, 5.6 - 0.5 * link, 0], 0.5, 0xe0a34a);
  const at = link === 0 ? { x: -4, y: -0.15, z: 0 } : { x: 0, y: -0.25, z: 0 };
  const joint = RAPIER.JointData.spherical(at, { x: 0, y: 0.25, z: 0 });
  world.createImpulseJoint(joint, above, below, true);
  above = below;
}
const weight = box([0.8, 0.8, 0.8], [-4, 1.25, 0], 5, 0xd9534f);
world.createImpulseJoint(
  RAPIER.JointData.fixed({ x: 0, y: -0.25, z: 0 }, identity, { x: 0, y: 0.4, z: 0 }, identity),
  above,
  weight,
  true,
);

// 2. A door on a hinge with limits and a motor that closes it.
const post = box([0.2, 3, 0.2], [0, 1.5, 0], 0, 0x8a6f4d);
const door = box([1.8, 2.8, 0.1], [1.1, 1.55, 0], 4, 0x5b8def);
const hinge = world.createImpulseJoint(
  RAPIER.JointData.revolute(
    { x: 0.15, y: 0, z: 0 },
    { x: -0.95, y: -0.05, z: 0 },
    { x: 0, y: 1, z: 0 },
  ),
  post,
  door,
  true,
);
hinge.setLimits(-1.8, 1.8);
hinge.configureMotorPosition(0, 20, 8);

// 3. A swing that hangs from two ropes.
const seat = box([1.4, 0.15, 0.6], [4, 2, 0], 2, 0x67c587);
for (const x of [-0.6, 0.6]) {
  const rope = RAPIER.JointData.rope(3.9, { x: 4 + x, y: -0.15, z: 0 }, { x, y: 0, z: 0 });
  world.createImpulseJoint(rope, beam, seat, true);
}
seat.setLinvel({ x: 0, y: 0, z: 5 }, true);

// 4. Dragging, and lines that show what the engine has.
dragBodies(renderer.domElement, camera, scene, physics);
element('output').textContent = 'Drag the parts';
const helper = new WorldHelper(world);
scene.add(helper);
element('button').addEventListener('click', ({ currentTarget }) => {
  helper.visible = !helper.visible;
  (currentTarget as HTMLElement).textContent = `${helper.visible ? 'Hide' : 'Show'} the physics`;
});

// 5. Each frame.
renderer.setAnimationLoop((stamp) => {
  physics.update(stamp);
  if (helper.visible) helper.update();
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
