import { keyboardSource } from 'betwixt/inputs';
import { BodyBinding, meshPhysics } from 'betwixt/three';
import { ActiveEvents, Ray, VehicleDesc, type RigidBody } from 'betwixt/world';
import { car, coin, ground, renderer, scene, show, wheel } from './car-scene.js'; // yours

const physics = await meshPhysics({ queries: true });
const { world } = physics;
physics.addMesh(ground); // fixed
physics.addMesh(car, 400); // kg
physics.addMesh(coin, 1);
const chassis: RigidBody = car.userData['physics'].body;
const prize: RigidBody = coin.userData['physics'].body;

const desc = new VehicleDesc().setInputs({ engineForce: 600, brakeForce: 2500 }); // N per wheel
for (const z of [1.3, -1.3]) {
  for (const x of [-1, 1]) {
    desc.addWheel({
      chassisConnectionPointCs: { x, y: 0, z }, // +z: forward
      radius: 0.4,
      suspensionRestLength: 0.5,
      suspensionStiffness: 30,
      isSteered: z > 0,
    });
  }
}
const { wheels } = world.createVehicle(chassis, desc);
const handles = new Set(wheels.map(({ handle }) => handle));
const drawn = new BodyBinding();
const sim = await world.ready;
drawn.populate(sim, (handle) => (handles.has(handle) ? wheel.clone() : undefined), {
  parent: scene,
});
keyboardSource(sim.inputs); // WASD or arrows, space

let score = 0;
prize.collider(0).setActiveEvents(ActiveEvents.COLLISION_EVENTS);
world.on('collision', ({ started, collider1, collider2 }) => {
  const pair = [collider1.parent(), collider2.parent()];
  if (!started || !prize.isValid() || !pair.includes(chassis)) return;
  physics.removeMesh(coin);
  scene.remove(coin);
  score++;
});

renderer.setAnimationLoop((stamp) => {
  drawn.update(physics.update(stamp));
  const down = new Ray(chassis.translation(), { x: 0, y: -1, z: 0 });
  const hit = world.castRay(down, 100, true, undefined, undefined, undefined, chassis);
  show(score, hit?.timeOfImpact);
});
