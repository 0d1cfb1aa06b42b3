/** A character among stairs, a slope, crates and a lift. It walks in the worker. */
import { gamepadSource, keyboardSource } from 'betwixt/inputs';
import { meshPhysics } from 'betwixt/three';
import type { Collider, RigidBody } from 'betwixt/world';
import * as THREE from 'three';
import { blocksIn } from '../../stage/block.js';
import { watchFinger } from '../../stage/finger.js';
import { element, fail } from '../../stage/page.js';
import { STONE, WOOD, colorOf, createStage, solid } from '../../stage/stage.js';

const stage = createStage({ from: [0, 5.5, 12], to: [0, 1.5, 4], turns: false });
const { canvas, camera, scene } = stage;
const physics = await meshPhysics().catch(fail);
const { RAPIER, world } = physics;
const { inputs } = await world.ready;
const block = blocksIn(scene, physics);

// 1. What is in the way.
physics.addMesh(stage.ground);
for (let step = 0; step < 6; step++) {
  block([3, 0.25 * (step + 1), 0.7], [-5, 0.125 * (step + 1), -3 - 0.7 * step], STONE);
}
block([3, 0.3, 7], [0, 0.8, -6], WOOD, 0, 0.35);
for (let crate = 0; crate < 9; crate++) {
  block(
    [0.7, 0.7, 0.7],
    [4 + (crate % 3), 0.35 + Math.floor(crate / 3) * 0.72, -3],
    colorOf(crate),
    2,
  );
}
const lift = block([2.5, 0.3, 2.5], [-5, 1.2, -10], colorOf(1), 1).userData['physics']
  .body as RigidBody;
lift.setBodyType(RAPIER.RigidBodyType.KinematicVelocityBased, true);
lift.setLinvel({ x: 1.5, y: 0, z: 0 }, true);

// 2. The character: a capsule that is moved, and a visor that looks ahead.
const player = solid(new THREE.CapsuleGeometry(0.35, 0.8, 8, 24), colorOf(2));
const visor = solid(new THREE.BoxGeometry(0.5, 0.2, 0.4).translate(0, 0.45, 0.25), 0x1b1f26);
visor.rotation.y = Math.PI;
player.add(visor);
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
watchFinger(canvas, (right, down, stampMs) => {
  for (const [code, x] of [right, down].entries()) {
    inputs.push({ kind: 'gamepadaxis', code, device: 1, x, y: 0, z: 0, w: 0 }, stampMs);
  }
});
element('button').addEventListener('click', () => character.jump(6));

// 4. Each frame.
stage.onFrame((stamp) => {
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
  camera.position.copy(player.position).add({ x: 0, y: 3, z: 7.5 });
  camera.lookAt(player.position.x, player.position.y + 0.8, player.position.z);
  stage.lightAt(player.position);
});

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera, character });
