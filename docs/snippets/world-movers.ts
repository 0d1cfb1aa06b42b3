import { keyboardSource } from 'betwixt/inputs';
import {
  CharacterDesc,
  ColliderDesc,
  RigidBodyDesc,
  VehicleDesc,
  createWorld,
} from 'betwixt/world';

const world = createWorld();
const { inputs } = await world.ready;
keyboardSource(inputs);

// A character: a capsule of a kinematic body.
const body = world.createRigidBody(RigidBodyDesc.kinematicPositionBased().setTranslation(0, 1, 0));
const capsule = world.createCollider(ColliderDesc.capsule(0.3, 0.2), body);
const character = world.createCharacter(
  capsule,
  new CharacterDesc()
    .enableAutostep(0.3, 0.1, false)
    .setApplyImpulsesToDynamicBodies(true)
    .setInputs({ speed: 4, jumpSpeed: 5 }), // WASD or arrows, and the space bar
);
character.move({ x: 1, y: 0, z: 0 }); // or from code: holds until the next call
if (character.isGrounded) character.jump(5);

// A vehicle: a dynamic body on wheels.
const chassis = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(5, 1, 0));
world.createCollider(ColliderDesc.cuboid(0.9, 0.25, 2).setDensity(80), chassis);
const desc = new VehicleDesc().setInputs({ engineForce: 600, brakeForce: 2000 });
for (const z of [1.3, -1.3]) {
  for (const x of [-0.9, 0.9]) {
    desc.addWheel({
      chassisConnectionPointCs: { x, y: 0, z },
      radius: 0.4,
      suspensionRestLength: 0.5,
      suspensionStiffness: 30,
      isSteered: z > 0,
    });
  }
}
const vehicle = world.createVehicle(chassis, desc);
vehicle.drive({ engine: 600, steering: 0.2 }); // or from code
console.log(vehicle.speed, vehicle.wheels[0]?.translation());
