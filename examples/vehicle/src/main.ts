/** A car among ramps and crates. It drives in the worker. */
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import { meshPhysics } from 'betwixt/three';
import type { RigidBody } from 'betwixt/world';
import * as THREE from 'three';
import { blocksIn } from '../../stage/block.js';
import { watchFinger } from '../../stage/finger.js';
import { element, fail } from '../../stage/page.js';
import { WOOD, box, colorOf, createStage, solid } from '../../stage/stage.js';

const stage = createStage({ from: [0, 3.8, -9], to: [0, 2, 0], reachM: 20, turns: false });
const { canvas, camera, scene } = stage;
const physics = await meshPhysics().catch(fail);
const { RAPIER, world } = physics;
const { inputs } = await world.ready;
const block = blocksIn(scene, physics);

// 1. The land.
physics.addMesh(stage.ground);
for (const [x, z] of [
  [0, 25],
  [-18, 40],
  [16, 55],
] as const) {
  block([6, 0.4, 9], [x, 0.9, z], WOOD, 0, -0.25);
}
for (let crate = 0; crate < 24; crate++) {
  const [column, row, layer] = [crate % 4, Math.floor(crate / 4) % 2, Math.floor(crate / 8)];
  const at = [10 + 1.05 * column, 0.5 + 1.02 * layer, 18 + row] as const;
  block([1, 1, 1], at, colorOf(crate), 6);
}

// 2. The car: a chassis, and wheels that are rays.
const car = block([1.8, 0.5, 4], [0, 1.2, 0], colorOf(2), 400);
const cabin = box([1.5, 0.55, 1.9], 0x27313c, 0.2);
cabin.position.set(0, 0.45, -0.3);
car.add(cabin);
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
  const wheel = solid(tyre, 0x22262d);
  wheel.add(solid(rim, 0xcfd6df));
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
const push = (kind: 'gamepadaxis' | 'gamepadbutton', code: number, x: number, atMs: number) =>
  inputs.push({ kind, code, device: 1, x, y: 0, z: 0, w: 0 }, atMs);
watchFinger(canvas, (right, down, stampMs) => {
  push('gamepadaxis', 0, right, stampMs);
  push('gamepadbutton', 7, Math.max(0, -down), stampMs);
  push('gamepadbutton', 6, Math.max(0, down), stampMs);
});
element('button').addEventListener('click', () => {
  physics.setMeshPosition(car, { x: 0, y: 1.2, z: 0 });
  chassis.setRotation({ x: 0, y: 0, z: 0, w: 1 }, true);
});

// 4. Each frame.
const pose = new Float64Array(7);
const behind = new THREE.Vector3();
stage.onFrame((stamp) => {
  sources[0].flush();
  sources[1].poll(stamp);
  const frame = physics.update(stamp);
  for (const { id, userData } of vehicle.wheels) {
    if (id === undefined || frame.pose(id, pose) === undefined) continue;
    (userData as THREE.Mesh).position.fromArray(pose);
    (userData as THREE.Mesh).quaternion.fromArray(pose, 3);
  }
  element('output').textContent = `${Math.abs(vehicle.speed * 3.6).toFixed(0)} km/h`;
  behind.set(0, 0, -9).applyQuaternion(car.quaternion).setY(2.6).add(car.position);
  camera.position.lerp(behind, 0.06);
  camera.lookAt(car.position.x, car.position.y + 1, car.position.z);
  stage.lightAt(car.position);
});

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera, vehicle });
