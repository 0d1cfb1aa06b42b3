/** A character among stairs, a slope, crates and a lift. It walks in the worker. */
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import { meshPhysics } from 'betwixt/three';
import type { Collider, RigidBody } from 'betwixt/world';
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

// 1. What is in the way.
box([30, 1, 30], [0, -0.5, 0], 0x47505c);
for (let step = 0; step < 6; step++) {
  box([3, 0.25 * (step + 1), 0.7], [-5, 0.125 * (step + 1), -3 - 0.7 * step], 0x6f7d8c);
}
box([3, 0.3, 7], [0, 0.8, -6], 0x8a6f4d, 0, 0.35);
for (let crate = 0; crate < 9; crate++) {
  box([0.7, 0.7, 0.7], [4 + (crate % 3), 0.35 + Math.floor(crate / 3) * 0.72, -3], 0xe0a34a, 2);
}
const lift = box([2.5, 0.3, 2.5], [-5, 1.2, -10], 0x5b8def, 1).userData['physics']
  .body as RigidBody;
lift.setBodyType(RAPIER.RigidBodyType.KinematicVelocityBased, true);
lift.setLinvel({ x: 1.5, y: 0, z: 0 }, true);

// 2. The character: a capsule that is moved, and a visor that looks ahead.
const player = new THREE.Mesh(
  new THREE.CapsuleGeometry(0.35, 0.8, 8, 24),
  new THREE.MeshStandardMaterial({ color: 0xd9534f }),
);
const visor = new THREE.Mesh(
  new THREE.BoxGeometry(0.5, 0.2, 0.4).translate(0, 0.45, 0.25),
  new THREE.MeshStandardMaterial({ color: 0x1b1f26, roughness: 0.2 }),
);
visor.rotation.y = Math.PI;
player.add(visor);
player.castShadow = true;
player.position.set(0, 1.5, 4);
scene.add(player);
physics.addMesh(player, 60);
const { body, collider } = player.userData['physics'] as { body: RigidBody; collider: Collider };
body.setBodyType(RAPIER.RigidBodyType.KinematicPositionBased, true);
const desc = new RAPIER.CharacterDesc()
  .enableAutostep(0.35, 0.2, false)
  .enableSnapToGround(0.3)
  .setApplyImpulsesToDynamicBodies(true)
  .setInputs({ speed: 4.5, jumpSpeed: 6, gamepads: [0, 1] });
const character = world.createCharacter(collider, desc);

// 3. Keys, gamepads, and a finger as a second gamepad.
const keys = ['KeyW', 'KeyA', 'KeyS', 'KeyD', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'];
const sources = [
  keyboardSource(inputs, { keys: [...keys, 'Space'], preventDefault: true }),
  gamepadSource(inputs),
] as const;
let finger: PointerEvent | undefined;
function stick(event: PointerEvent): void {
  if (event.pointerId !== finger?.pointerId) return;
  const isUp = event.type !== 'pointermove';
  const by = [event.clientX - finger.clientX, event.clientY - finger.clientY];
  for (const [code, px = 0] of by.entries()) {
    const x = isUp ? 0 : Math.max(-1, Math.min(1, px / 60));
    inputs.push({ kind: 'gamepadaxis', code, device: 1, x, y: 0, z: 0, w: 0 }, event.timeStamp);
  }
  if (isUp) finger = undefined;
}
renderer.domElement.addEventListener('pointerdown', (event) => (finger ??= event));
for (const type of ['pointermove', 'pointerup', 'pointercancel'] as const) {
  addEventListener(type, stick);
}
element('button').addEventListener('click', () => character.jump(6));

// 4. Each frame.
renderer.setAnimationLoop((stamp) => {
  sources[0].flush();
  sources[1].poll(stamp);
  physics.update(stamp);
  const { x } = lift.translation();
  if (x > 3) lift.setLinvel({ x: -1.5, y: 0, z: 0 }, true);
  if (x < -5) lift.setLinvel({ x: 1.5, y: 0, z: 0 }, true);
  if (player.position.y < -10) body.setTranslation({ x: 0, y: 2, z: 4 }, true);
  const { velocity, isGrounded, ground } = character;
  if (Math.hypot(velocity.x, velocity.z) > 1) visor.rotation.y = Math.atan2(velocity.x, velocity.z);
  element('output').textContent = !isGrounded
    ? 'In the air'
    : ground === lift
      ? 'On the lift'
      : 'On foot';
  camera.position.copy(player.position).add({ x: 0, y: 4, z: 8 });
  camera.lookAt(player.position);
  sun.position.copy(player.position).add({ x: 4, y: 12, z: 6 });
  sun.target.position.copy(player.position);
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
Object.assign(globalThis, { physics, scene, camera, character });
