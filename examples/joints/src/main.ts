/** A chain, a door that breaks off and a swing: joints between meshes. Next to them, belts and rings. */
import { WorldHelper, dragBodies, meshPhysics } from 'betwixt/three';
import type { RigidBody } from 'betwixt/world';
import { blocksIn, type MakeBlock } from '../../stage/block.js';
import { element, fail } from '../../stage/page.js';
import { WOOD, colorOf, createStage } from '../../stage/stage.js';
import { addBelts } from './belts.js';
import { addRings } from './rings.js';

const { canvas, camera, scene, ground, onFrame } = createStage({
  from: [3.3, 4.5, 12],
  to: [0, 3.2, 0],
});
const physics = await meshPhysics().catch(fail);
const { RAPIER, world } = physics;
const { JointAxis } = RAPIER;
const identity = { x: 0, y: 0, z: 0, w: 1 };
const ZERO = { x: 0, y: 0, z: 0 };

const block = blocksIn(scene, physics);
const part = (...look: Parameters<MakeBlock>) =>
  physics.bodyOf({ object: block(...look) }) as RigidBody;

physics.addMesh(ground);
const beam = part([11, 0.3, 0.3], [0, 6, 0], WOOD, 0);
for (const x of [-5.3, 5.3]) part([0.3, 6, 0.3], [x, 2.9, 0], WOOD, 0);

// 1. A chain: each link hangs from the one before it, and bends by half a radian and twists by less.
let above = beam;
for (let link = 0; link < 8; link++) {
  const below = part([0.2, 0.45, 0.2], [-4, 5.6 - 0.5 * link, 0], colorOf(0), 0.5);
  const at = link === 0 ? { x: -4, y: -0.15, z: 0 } : { x: 0, y: -0.25, z: 0 };
  const joint = RAPIER.JointData.spherical(at, { x: 0, y: 0.25, z: 0 })
    .setLimits(JointAxis.AngX, -0.5, 0.5)
    .setLimits(JointAxis.AngY, -0.2, 0.2)
    .setLimits(JointAxis.AngZ, -0.5, 0.5);
  world.createImpulseJoint(joint, above, below, true);
  above = below;
}
const weight = part([0.8, 0.8, 0.8], [-4, 1.25, 0], colorOf(2), 5);
world.createImpulseJoint(
  RAPIER.JointData.fixed({ x: 0, y: -0.25, z: 0 }, identity, { x: 0, y: 0.4, z: 0 }, identity),
  above,
  weight,
  true,
);

// 2. A door on a hinge with limits and a motor that closes it. It breaks off when it is torn at.
const post = part([0.2, 3, 0.2], [0, 1.5, 0], WOOD, 0);
const door = part([1.8, 2.8, 0.1], [1.1, 1.55, 0], colorOf(1), 4);
const hinge = RAPIER.JointData.revolute(
  { x: 0.15, y: 0, z: 0 },
  { x: -0.95, y: -0.05, z: 0 },
  { x: 0, y: 1, z: 0 },
)
  .setLimits(JointAxis.AngX, -1.8, 1.8)
  .configureMotorPosition(JointAxis.AngX, 0, 20, 8)
  .setBreakForce(700, 500);
const hangDoor = () => world.createImpulseJoint(hinge, post, door, true);
hangDoor();
const hanging = document.querySelectorAll('button')[1] as HTMLButtonElement;
world.on('broken', () => (hanging.hidden = false));
hanging.addEventListener('click', () => {
  hanging.hidden = true;
  door.setTranslation({ x: 1.1, y: 1.55, z: 0 }, true);
  door.setRotation(identity, true);
  door.setLinvel(ZERO, true);
  door.setAngvel(ZERO, true);
  hangDoor();
});

// 3. A swing that hangs from two ropes.
const seat = part([1.4, 0.15, 0.6], [4, 2, 0], colorOf(3), 2);
for (const x of [-0.6, 0.6]) {
  const rope = RAPIER.JointData.rope(3.9, { x: 4 + x, y: -0.15, z: 0 }, { x, y: 0, z: 0 });
  world.createImpulseJoint(rope, beam, seat, true);
}
seat.setLinvel({ x: 0, y: 0, z: 5 }, true);

// 4. Belts and rings.
const moveBelts = addBelts(scene, physics);
addRings(scene, physics);

// 5. Dragging, and lines that show what the engine has.
dragBodies(canvas, camera, scene, physics);
element('output').textContent = 'Drag the parts. Pull hard, and the door breaks off';
const helper = new WorldHelper(world);
scene.add(helper);
element('button').addEventListener('click', ({ currentTarget }) => {
  helper.visible = !helper.visible;
  (currentTarget as HTMLElement).textContent = `${helper.visible ? 'Hide' : 'Show'} the physics`;
});

// 6. Each frame.
onFrame((stamp) => {
  physics.update(stamp);
  moveBelts(stamp / 1000);
  if (helper.visible) helper.update();
});

/** For the browser's console. */
Object.assign(globalThis, { physics, scene, camera });
