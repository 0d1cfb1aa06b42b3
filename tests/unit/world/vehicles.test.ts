/** Vehicles of a world. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  type RigidBody,
  type Vehicle,
  type VehicleDesc,
} from '../../../src/world/page/index.js';
import { addCar, carDesc, POINTS, RADIUS, REST, SUSPENSION } from '../../fixtures/cars.js';
import { eventually } from '../../fixtures/eventually.js';
import { present } from '../../fixtures/present.js';
import { expectEqual } from '../../fixtures/quick-checks.js';
import {
  addBox,
  advance,
  createEngineForTest,
  createWorldForTest,
  draw,
  press,
  push,
} from '../../fixtures/worlds.js';

const DT = 1 / 60;
/** Rotation of a ramp. */
const TILTED = { x: -0.1, y: 0, z: 0, w: Math.sqrt(0.99) };
/** The driver's actions, by ticks. */
const DRIVE: Readonly<Record<number, { engine: number; steering: number; brake: number }>> = {
  30: { engine: 900, steering: 0, brake: 0 },
  150: { engine: 900, steering: 0.3, brake: 0 },
  220: { engine: 0, steering: -0.4, brake: 0 },
  280: { engine: 0, steering: 0, brake: 900 },
  340: { engine: -600, steering: 0.2, brake: 0 },
};

/** A world with a ramp and a car. */
function park(desc?: VehicleDesc) {
  const world = createWorldForTest();
  addBox(world, [60, 0.5, 60], [0, -0.5, 0]);
  const ramp = ColliderDesc.cuboid(3, 0.1, 4).setTranslation(0, 0.6, 14).setRotation(TILTED);
  world.createCollider(ramp);
  const car = addCar(world, [0, 1.2, 0], desc);
  return { world, ...car, along: () => car.chassis.translation().z };
}

const motionOf = (one: Pick<RigidBody, 'translation' | 'linvel'>) =>
  [one.translation(), one.linvel()].map(({ x, y, z }) => [x, y, z]);
const contactsOf = (one: Pick<Vehicle, 'wheelIsInContact'>) =>
  POINTS.map((_, index) => one.wheelIsInContact(index));

test('a vehicle is the same as Rapier with the same calls, bit for bit', async () => {
  const { rapier, engine } = await createEngineForTest();
  const { ColliderDesc: Shape } = rapier;
  engine.createCollider(Shape.cuboid(60, 0.5, 60).setTranslation(0, -0.5, 0));
  engine.createCollider(Shape.cuboid(3, 0.1, 4).setTranslation(0, 0.6, 14).setRotation(TILTED));
  const own = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 1.2, 0));
  engine.createCollider(Shape.cuboid(0.9, 0.25, 2).setDensity(80), own);
  const controller = engine.createVehicleController(own);
  for (const [index, point] of POINTS.entries()) {
    controller.addWheel(point, { x: 0, y: -1, z: 0 }, { x: -1, y: 0, z: 0 }, REST, RADIUS);
    controller.setWheelSuspensionStiffness(index, SUSPENSION.suspensionStiffness);
    controller.setWheelSuspensionCompression(index, SUSPENSION.suspensionCompression);
    controller.setWheelSuspensionRelaxation(index, SUSPENSION.suspensionRelaxation);
    controller.setWheelMaxSuspensionTravel(index, SUSPENSION.maxSuspensionTravel);
    controller.setWheelMaxSuspensionForce(index, SUSPENSION.maxSuspensionForce);
    controller.setWheelFrictionSlip(index, SUSPENSION.frictionSlip);
  }
  const { world, chassis, vehicle } = park();
  let [isHigh, isLoose, moved] = [false, false, 0];
  for (let tick = 1; tick <= 420; tick++) {
    const act = DRIVE[tick];
    if (act !== undefined) {
      vehicle.drive(act);
      for (const index of POINTS.keys()) {
        controller.setWheelEngineForce(index, index < 2 ? 0 : act.engine);
        controller.setWheelSteering(index, index < 2 ? act.steering : 0);
        controller.setWheelBrake(index, act.brake * DT);
      }
    }
    controller.updateVehicle(DT, rapier.QueryFilterFlags.EXCLUDE_SENSORS);
    engine.step();
    isHigh ||= own.translation().y > 1.2;
    isLoose ||= tick > 30 && contactsOf(controller as never).includes(false);
    if (tick % 5 !== 0 && !(tick + 1 in DRIVE)) continue;
    await advance(world, tick - moved);
    moved = tick;
    expectEqual(
      [tick, motionOf(chassis), contactsOf(vehicle)],
      [tick, motionOf(own), contactsOf(controller as never)],
    );
  }
  // The vehicle has been on the ramp, and has left the ground.
  expect([isHigh, isLoose]).toEqual([true, true]);
});

test('a vehicle rests on its wheels, which are bodies to be drawn, and says how fast it drives', async () => {
  const { world, vehicle, chassis, along } = park();
  const suspension = vehicle.wheelSuspensionLength(0);
  expect([vehicle.speed, vehicle.numWheels(), suspension]).toEqual([0, 4, null]);
  expect(vehicle.wheels.map(({ userData }) => userData)).toEqual(
    [0, 1, 2, 3].map((n) => `wheel ${n}`),
  );
  await advance(world, 90);
  for (const [index, wheel] of vehicle.wheels.entries()) {
    expect(wheel.id).toBeDefined();
    expect(wheel.translation().y).toBeCloseTo(RADIUS, 1);
    const length = vehicle.wheelSuspensionLength(index) ?? 0;
    expect(chassis.translation().y - wheel.translation().y).toBeCloseTo(length, 2);
  }
  vehicle.drive({ engine: 600 });
  await advance(world, 60);
  expect(along()).toBeGreaterThan(1);
  expect(vehicle.speed).toBeCloseTo(chassis.linvel().z, 1);
  expect(vehicle.speed).toBeGreaterThan(2);
});

test('a vehicle turns its wheels as the ground passes, and those that steer', async () => {
  const { world, vehicle, chassis, along } = park();
  await advance(world, 60);
  const front = present(vehicle.wheels[0]);
  /** The turn of the wheel's up, across its axle. */
  const turnOf = (): number => {
    const { x, y, z, w } = front.rotation();
    return Math.atan2(2 * (y * z + w * x), 1 - 2 * (x * x + z * z));
  };
  const [before, turnBefore] = [along(), turnOf()];
  vehicle.drive({ engine: 300 });
  await advance(world, 30);
  const rolled = (along() - before) / RADIUS;
  expect(rolled).toBeGreaterThan(0.3);
  expect(rolled).toBeLessThan(Math.PI);
  expect(turnOf() - turnBefore).toBeCloseTo(rolled, 1);
  vehicle.drive({ engine: 600, steering: 0.4 });
  await advance(world, 60);
  // Positive is to the left, where x is.
  expect(chassis.translation().x).toBeGreaterThan(0.1);
  for (const wheel of [2, 3]) vehicle.setWheelEngineForce(wheel, 0);
  for (const wheel of [0, 1]) vehicle.setWheelSteering(wheel, -0.4);
  vehicle.setWheelBrake(0, 10);
  vehicle.setWheel(0, { frictionSlip: 0, radius: 0.3 });
  await advance(world, 60);
  expect(front.translation().y).toBeCloseTo(0.3, 1);
});

test('a vehicle takes keys and gamepads of each tick', async () => {
  const desc = carDesc().setInputs({ engineForce: 600, brakeForce: 2000 });
  const { world, vehicle } = park(desc);
  await advance(world, 60);
  await press(world, 'ArrowUp');
  await advance(world, 60);
  expect(vehicle.speed).toBeGreaterThan(2);
  await press(world, 'ArrowUp', 'keyup');
  await press(world, 'Space');
  await advance(world, 60);
  expect(vehicle.speed).toBeCloseTo(0, 1);
  await press(world, 'Space', 'keyup');
  await push(world, { kind: 'gamepadbutton', code: 6, x: 1 });
  await advance(world, 30);
  expect(vehicle.speed).toBeLessThan(-1);
  vehicle.setInputs(null);
  const { speed } = vehicle;
  await advance(world, 30);
  expect(vehicle.speed).toBeGreaterThan(speed - 0.1);
});

test('a vehicle that has slept stays on the ground when it drives off', async () => {
  const { world, vehicle, chassis, along } = park();
  await advance(world, 300);
  expect(chassis.isSleeping()).toBe(true);
  const { y } = chassis.translation();
  vehicle.drive({ engine: 600 });
  for (let tick = 0; tick < 20; tick += 2) {
    await advance(world, 2);
    expect(chassis.translation().y).toBeCloseTo(y, 2);
  }
  expect(along()).toBeGreaterThan(0.1);
});

test('a vehicle that is put somewhere takes its wheels along at once', async () => {
  const { world, chassis, vehicle } = park();
  await advance(world, 60);
  chassis.setTranslation({ x: 20, y: 1.2, z: 20 }, true);
  const sim = await world.ready;
  // A paused vehicle is drawn where it is, and never between two states.
  await sim.resume();
  const drawn = new Float64Array(7);
  const between: number[] = [];
  let pictures = 0;
  await eventually(() => {
    const frame = draw(world, 1);
    const { alpha } = sim.stats();
    if (alpha > 0 && alpha < 1) pictures += 1;
    for (const { id } of vehicle.wheels) {
      expect(frame.pose(present(id), drawn)).toBe(drawn);
      const [x = Number.NaN] = drawn;
      if (!(x < 1 || x > 18)) between.push(x);
    }
    expect(pictures).toBeGreaterThan(0);
    expect(drawn[0]).toBeGreaterThan(18);
  });
  expect(between).toEqual([]);
});

test('a vehicle goes with its chassis and with each of its wheels, and its wheels with it', async () => {
  const { world, ...car } = park();
  const [other, third] = [addCar(world, [0, 4, 0]), addCar(world, [0, 8, 0])];
  await advance(world, 5);
  expect(world.bodies.len()).toBe(15);
  world.removeRigidBody(car.chassis);
  world.removeVehicle(other.vehicle);
  world.removeRigidBody(present(third.vehicle.wheels[0]));
  expect(world.bodies.len()).toBe(2);
  for (const { vehicle } of [car, other, third]) expect(vehicle.isValid()).toBe(false);
  await advance(world, 60);
  expect((await world.ready).bodies.size).toBe(2);
  expect(other.chassis.translation().y).toBeLessThan(1);
});
