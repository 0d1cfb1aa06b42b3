/** A car among ramps and crates. It drives in the worker. */
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import { meshPhysics } from 'betwixt/three';
import type { RigidBody } from 'betwixt/world';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ canvas: element('canvas'), antialias: true });
renderer.shadowMap.enabled = true;
const camera = new THREE.PerspectiveCamera(50, 1, 0.1, 200);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0x1b1f26);
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
Object.assign(sun.shadow.camera, { left: -15, right: 15, top: 15, bottom: -15 });
scene.add(sun, sun.target, new THREE.HemisphereLight(0xdde6ff, 0x554433, 1));

const physics = await meshPhysics().catch((error: unknown) => {
  element('p').textContent = `The physics failed: ${String(error)}`;
  throw error;
});
const { RAPIER, world } = physics;
const { inputs } = await world.ready;

/** A box with physics; without a mass it is fixed. */
function box(size: readonly number[], at: readonly number[], color: number, mass = 0, tilt = 0) {
  const mesh = new THREE.Mesh(
    new THREE.BoxGeometry(...size),
    new THREE.MeshStandardMaterial({ color }),
  );
  mesh.position.fromArray(at);
  mesh.rotation.x = tilt;
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  physics.addMesh(mesh, mass);
  return mesh;
}

// 1. The land.
box([200, 1, 200], [0, -0.5, 0], 0x47505c);
scene.add(new THREE.GridHelper(200, 50, 0x5b6676, 0x5b6676).translateY(0.01));
for (const [x, z] of [
  [0, 25],
  [-18, 40],
  [16, 55],
] as const) {
  box([6, 0.4, 9], [x, 0.9, z], 0x8a6f4d, 0, -0.25);
}
for (let crate = 0; crate < 24; crate++) {
  const at = [
    10 + (crate % 4) * 1.05,
    0.5 + Math.floor(crate / 8) * 1.02,
    18 + (Math.floor(crate / 4) % 2),
  ];
  box([1, 1, 1], at, 0xe0a34a, 6);
}

// 2. The car: a chassis, and wheels that are rays.
const car = box([1.8, 0.5, 4], [0, 1.2, 0], 0xd9534f, 400);
car.add(
  new THREE.Mesh(
    new THREE.BoxGeometry(1.5, 0.5, 1.8).translate(0, 0.5, -0.3),
    new THREE.MeshStandardMaterial({ color: 0x1b1f26, roughness: 0.2 }),
  ),
);
const tyre = new THREE.CylinderGeometry(0.42, 0.42, 0.35, 32).rotateZ(Math.PI / 2);
const rim = new THREE.BoxGeometry(0.37, 0.5, 0.12);
const desc = new RAPIER.VehicleDesc().setInputs({
  engineForce: 600,
  brakeForce: 2500,
  gamepads: [0, 1],
});
for (const [x, z] of [
  [-0.95, 1.35],
  [0.95, 1.35],
  [-0.95, -1.35],
  [0.95, -1.35],
] as const) {
  const wheel = new THREE.Mesh(tyre, new THREE.MeshStandardMaterial({ color: 0x22262d }));
  wheel.add(new THREE.Mesh(rim, new THREE.MeshStandardMaterial({ color: 0xcfd6df })));
  wheel.castShadow = true;
  scene.add(wheel);
  desc.addWheel({
    chassisConnectionPointCs: { x, y: -0.05, z },
    radius: 0.42,
    suspensionRestLength: 0.45,
    suspensionStiffness: 32,
    suspensionCompression: 3.5,
    suspensionRelaxation: 4.5,
    maxSuspensionTravel: 0.35,
    frictionSlip: 2,
    isSteered: z > 0,
    userData: wheel,
  });
}
const { body: chassis } = car.userData['physics'] as { body: RigidBody };
const vehicle = world.createVehicle(chassis, desc);

// 3. Keys, gamepads, and a finger as a second gamepad.
const keys = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'];
const sources = [
  keyboardSource(inputs, { keys: [...keys, 'Space'], preventDefault: true }),
  gamepadSource(inputs),
] as const;
let finger: PointerEvent | undefined;
function push(kind: 'gamepadaxis' | 'gamepadbutton', code: number, px: number, at: number): void {
  const x = Math.max(-1, Math.min(1, px / 60));
  inputs.push({ kind, code, device: 1, x, y: 0, z: 0, w: 0 }, at);
}
function stick(event: PointerEvent): void {
  if (event.pointerId !== finger?.pointerId) return;
  const isUp = event.type !== 'pointermove';
  const ahead = isUp ? 0 : finger.clientY - event.clientY;
  push('gamepadaxis', 0, isUp ? 0 : event.clientX - finger.clientX, event.timeStamp);
  push('gamepadbutton', 7, Math.max(0, ahead), event.timeStamp);
  push('gamepadbutton', 6, Math.max(0, -ahead), event.timeStamp);
  if (isUp) finger = undefined;
}
renderer.domElement.addEventListener('pointerdown', (event) => (finger ??= event));
for (const type of ['pointermove', 'pointerup', 'pointercancel'] as const) {
  addEventListener(type, stick);
}
element('button').addEventListener('click', () => {
  physics.setMeshPosition(car, { x: 0, y: 1.2, z: 0 });
  chassis.setRotation({ x: 0, y: 0, z: 0, w: 1 }, true);
});

// 4. Each frame.
const pose = new Float64Array(7);
const behind = new THREE.Vector3();
camera.position.set(0, 4, -9);
renderer.setAnimationLoop((stamp) => {
  sources[0].flush();
  sources[1].poll(stamp);
  const frame = physics.update(stamp);
  for (const { id, userData } of vehicle.wheels) {
    if (id === undefined || frame.pose(id, pose) === undefined) continue;
    (userData as THREE.Mesh).position.fromArray(pose);
    (userData as THREE.Mesh).quaternion.fromArray(pose, 3);
  }
  element('output').textContent = `${Math.abs(vehicle.speed * 3.6).toFixed(0)} km/h`;
  behind.set(0, 0, -9).applyQuaternion(car.quaternion).setY(3.5).add(car.position);
  camera.position.lerp(behind, 0.06);
  camera.lookAt(car.position);
  sun.position.copy(car.position).add({ x: 4, y: 12, z: 6 });
  sun.target.position.copy(car.position);
  renderer.render(scene, camera);
});

function resize(): void {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight, false);
  camera.aspect = innerWidth / innerHeight;
  camera.zoom = Math.min(1, 0.4 + 0.6 * camera.aspect);
  camera.updateProjectionMatrix();
}
resize();
addEventListener('resize', resize);

function element<Name extends keyof HTMLElementTagNameMap>(name: Name) {
  return document.querySelector(name) as HTMLElementTagNameMap[Name];
}

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera, vehicle });
