import { describe, expect, test } from 'vitest';
import {
  ColliderDesc,
  RigidBodyDesc,
  VehicleDesc,
  type RigidBody,
  type VehicleController,
} from '../../../src/render-main/world/index.js';
import { keyCode, type BodyId } from '../../../src/shared/index.js';
import { loadRapier } from '../../../src/sim-worker/engines/rapier.js';
import { eventually } from '../../fixtures/eventually.js';
import { advance, createWorldForTest, type WorldForTest } from '../../fixtures/worlds.js';

const DT = 1 / 60;
const RADIUS = 0.4;
const REST = 0.5;
const POINTS = [
  [-0.9, 0, 1.3],
  [0.9, 0, 1.3],
  [-0.9, 0, -1.3],
  [0.9, 0, -1.3],
] as const;
const SUSPENSION = { stiffness: 30, compression: 4, relaxation: 3, travel: 0.4, force: 9000 };
/** Rotations of a ramp. */
const TILTED = { x: -0.1, y: 0, z: 0, w: Math.sqrt(0.99) };
/** What the driver does, by ticks. */
const DRIVE = [
  { at: 30, engine: 900, steering: 0, brake: 0 },
  { at: 150, engine: 900, steering: 0.3, brake: 0 },
  { at: 250, engine: 0, steering: -0.4, brake: 0 },
  { at: 330, engine: 0, steering: 0, brake: 900 },
  { at: 420, engine: -600, steering: 0.2, brake: 0 },
] as const;

function addLand(world: WorldForTest): void {
  world.createCollider(ColliderDesc.cuboid(60, 0.5, 60).setTranslation(0, -0.5, 0));
  const ramp = ColliderDesc.cuboid(3, 0.1, 4).setTranslation(0, 0.6, 14).setRotation(TILTED);
  world.createCollider(ramp);
}

const descOf = (): VehicleDesc =>
  POINTS.reduce(
    (desc, [x, y, z], index) =>
      desc.addWheel({
        chassisConnectionPointCs: { x, y, z },
        radius: RADIUS,
        suspensionRestLength: REST,
        suspensionStiffness: SUSPENSION.stiffness,
        suspensionCompression: SUSPENSION.compression,
        suspensionRelaxation: SUSPENSION.relaxation,
        maxSuspensionTravel: SUSPENSION.travel,
        maxSuspensionForce: SUSPENSION.force,
        frictionSlip: 2,
        isDriven: index >= 2,
        isSteered: index < 2,
        userData: `wheel ${index}`,
      }),
    new VehicleDesc(),
  );

interface Car {
  readonly chassis: RigidBody;
  readonly vehicle: VehicleController;
}

function addCar(world: WorldForTest, y = 1.2, desc = descOf()): Car {
  const chassis = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, y, 0));
  world.createCollider(ColliderDesc.cuboid(0.9, 0.25, 2).setDensity(80), chassis);
  return { chassis, vehicle: world.createVehicleController(chassis, desc) };
}

/** Up of a wheel, across its axle. */
const upOf = (wheel: RigidBody) => {
  const { x, y, z, w } = wheel.rotation();
  return { y: 1 - 2 * (x * x + z * z), z: 2 * (y * z + w * x) };
};
const along = (car: Car): number => car.chassis.translation().z;

test('a vehicle is the same as Rapier with the same calls, bit for bit', async () => {
  const rapier = await loadRapier();
  const engine = new rapier.World({ x: 0, y: -9.81, z: 0 });
  engine.timestep = DT;
  const { ColliderDesc: Shape } = rapier;
  engine.createCollider(Shape.cuboid(60, 0.5, 60).setTranslation(0, -0.5, 0));
  engine.createCollider(Shape.cuboid(3, 0.1, 4).setTranslation(0, 0.6, 14).setRotation(TILTED));
  const own = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 1.2, 0));
  engine.createCollider(Shape.cuboid(0.9, 0.25, 2).setDensity(80), own);
  const controller = engine.createVehicleController(own);
  POINTS.forEach(([x, y, z], index) => {
    controller.addWheel({ x, y, z }, { x: 0, y: -1, z: 0 }, { x: -1, y: 0, z: 0 }, REST, RADIUS);
    controller.setWheelSuspensionStiffness(index, SUSPENSION.stiffness);
    controller.setWheelSuspensionCompression(index, SUSPENSION.compression);
    controller.setWheelSuspensionRelaxation(index, SUSPENSION.relaxation);
    controller.setWheelMaxSuspensionTravel(index, SUSPENSION.travel);
    controller.setWheelMaxSuspensionForce(index, SUSPENSION.force);
    controller.setWheelFrictionSlip(index, 2);
  });
  const world = createWorldForTest();
  addLand(world);
  const car = addCar(world);
  let [isHigh, isLoose] = [false, false];
  for (let tick = 1; tick <= 600; tick++) {
    const act = DRIVE.find(({ at }) => at === tick);
    if (act !== undefined) {
      const { at: _, ...driving } = act;
      car.vehicle.drive(driving);
      POINTS.forEach((_point, index) => {
        controller.setWheelEngineForce(index, index < 2 ? 0 : act.engine);
        controller.setWheelSteering(index, index < 2 ? act.steering : 0);
        controller.setWheelBrake(index, act.brake * DT);
      });
    }
    controller.updateVehicle(DT, rapier.QueryFilterFlags.EXCLUDE_SENSORS);
    engine.step();
    await advance(world, 1);
    expect({ tick, at: car.chassis.translation(), v: car.chassis.linvel() }).toEqual({
      tick,
      at: own.translation(),
      v: own.linvel(),
    });
    const contacts = POINTS.map((_, index) => car.vehicle.wheelIsInContact(index));
    expect(contacts).toEqual(POINTS.map((_, index) => controller.wheelIsInContact(index)));
    isHigh ||= own.translation().y > 1.2;
    isLoose ||= contacts.includes(false) && tick > 30;
  }
  // It has been on the ramp, and has left the ground.
  expect([isHigh, isLoose]).toEqual([true, true]);
  engine.free();
}, 300_000);

describe('a vehicle', () => {
  test('rests on its wheels, which are bodies to be drawn, and drives until the next command', async () => {
    const world = createWorldForTest();
    addLand(world);
    const car = addCar(world);
    const { vehicle, chassis } = car;
    expect([vehicle.speed, vehicle.numWheels(), vehicle.wheelSuspensionLength(0)]).toEqual([
      0,
      4,
      null,
    ]);
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
    expect(along(car)).toBeGreaterThan(1);
    expect(vehicle.speed).toBeCloseTo(chassis.linvel().z, 1);
    expect(vehicle.speed).toBeGreaterThan(2);
    vehicle.drive({ brake: 2000 });
    await advance(world, 60);
    expect(vehicle.speed).toBeCloseTo(0, 1);
    vehicle.drive({ engine: -600 });
    await advance(world, 30);
    expect(vehicle.speed).toBeLessThan(-1);
  });

  test('turns its wheels as the ground passes, and those that steer', async () => {
    const world = createWorldForTest();
    addLand(world);
    const car = addCar(world);
    const { vehicle, chassis } = car;
    await advance(world, 60);
    const front = vehicle.wheels[0] as RigidBody;
    const before = along(car);
    const turnBefore = Math.atan2(upOf(front).z, upOf(front).y);
    vehicle.drive({ engine: 300 });
    await advance(world, 30);
    const rolled = (along(car) - before) / RADIUS;
    expect(rolled).toBeGreaterThan(0.3);
    expect(rolled).toBeLessThan(Math.PI);
    expect(Math.atan2(upOf(front).z, upOf(front).y) - turnBefore).toBeCloseTo(rolled, 1);
    vehicle.drive({ engine: 600, steering: 0.4 });
    await advance(world, 60);
    // Positive is to the left, where x is.
    expect(chassis.translation().x).toBeGreaterThan(0.1);
    vehicle.setWheelEngineForce(2, 0);
    vehicle.setWheelEngineForce(3, 0);
    vehicle.setWheelSteering(0, -0.4);
    vehicle.setWheelSteering(1, -0.4);
    vehicle.setWheelBrake(0, 10);
    vehicle.setWheel(0, { frictionSlip: 0, radius: 0.3 });
    await advance(world, 60);
    expect(front.translation().y).toBeCloseTo(0.3, 1);
  });

  test('takes keys and gamepads of each tick', async () => {
    const world = createWorldForTest();
    addLand(world);
    const desc = descOf().setInputs({ engineForce: 600, brakeForce: 2000 });
    const car = addCar(world, 1.2, desc);
    const { inputs } = await world.ready;
    await advance(world, 60);
    const push = (kind: 'keydown' | 'keyup', name: string) =>
      inputs.push(
        { kind, code: keyCode(name), device: 0, x: 0, y: 0, z: 0, w: 0 },
        performance.now(),
      );
    push('keydown', 'ArrowUp');
    await advance(world, 60);
    expect(car.vehicle.speed).toBeGreaterThan(2);
    push('keyup', 'ArrowUp');
    push('keydown', 'Space');
    await advance(world, 60);
    expect(car.vehicle.speed).toBeCloseTo(0, 1);
    push('keyup', 'Space');
    const trigger = { kind: 'gamepadbutton', code: 6, device: 0, x: 1, y: 0, z: 0, w: 0 } as const;
    inputs.push(trigger, performance.now());
    await advance(world, 30);
    expect(car.vehicle.speed).toBeLessThan(-1);
    car.vehicle.setInputs(null);
    const { speed } = car.vehicle;
    await advance(world, 30);
    expect(car.vehicle.speed).toBeGreaterThan(speed - 0.1);
  });

  test('that is put somewhere takes its wheels along at once', async () => {
    const world = createWorldForTest();
    addLand(world);
    const { chassis, vehicle } = addCar(world);
    await advance(world, 60);
    chassis.setTranslation({ x: 20, y: 1.2, z: 20 }, true);
    // What is drawn is a tick behind.
    await advance(world, 2);
    const drawn = new Float64Array(7);
    const sim = await world.ready;
    let between = 0;
    for (let ms = 0; ms < 60; ms++) {
      const frame = world.sample(performance.now() + 5 + ms);
      const { alpha } = sim.stats();
      if (alpha > 0 && alpha < 1) between += 1;
      for (const wheel of vehicle.wheels) {
        expect(frame.pose(wheel.id ?? noBody, drawn)).toBe(drawn);
        // Here or there, and not between.
        const [x = Number.NaN] = drawn;
        expect(x < 1 || x > 18).toBe(true);
      }
    }
    expect(between).toBeGreaterThan(0);
  });

  test('goes with its chassis, and its wheels with it', async () => {
    const world = createWorldForTest();
    addLand(world);
    const [car, other, third] = [addCar(world), addCar(world, 4), addCar(world, 8)];
    await advance(world, 5);
    expect(world.bodies.len()).toBe(15);
    world.removeRigidBody(car.chassis);
    world.removeVehicleController(other.vehicle);
    world.removeRigidBody(third.vehicle.wheels[0] as RigidBody);
    expect(world.bodies.len()).toBe(2);
    for (const { vehicle } of [car, other, third]) expect(vehicle.isValid()).toBe(false);
    await advance(world, 60);
    expect((await world.ready).bodies.size).toBe(2);
    expect(other.chassis.translation().y).toBeLessThan(1);
  });
});

/** A drive with everything that a vehicle keeps, from one tick to the next. */
async function driven(
  world: WorldForTest,
  onTick: (tick: number) => Promise<void> | void,
): Promise<Car> {
  addLand(world);
  const car = addCar(world, 1, descOf().setInputs({ engineForce: 500, maxSteering: 0.6 }));
  const { inputs } = await world.ready;
  for (let tick = 1; tick <= 60; tick++) {
    if (tick === 8 || tick === 15) {
      const code = keyCode(tick === 8 ? 'KeyW' : 'KeyA');
      const key = { kind: 'keydown', code, device: 0, x: 0, y: 0, z: 0, w: 0 } as const;
      inputs.push(key, performance.now());
    }
    if (tick === 20) car.vehicle.drive({ engine: 300, steering: -0.1, brake: 20 });
    if (tick === 40) car.vehicle.setWheel(3, { frictionSlip: 0.5 });
    await advance(world, 1);
    await onTick(tick);
  }
  return car;
}

/** Of all bodies. */
const picture = (world: WorldForTest): unknown =>
  world.bodies.getAll().map((body) => [body.translation(), body.rotation(), body.linvel()]);

describe('the run of a vehicle', () => {
  test('continues in other workers as if nothing had happened, is replayed, and goes back', async () => {
    const options = { recording: { hashEveryTicks: 1, rewindSeconds: 10 }, seed: 3 };
    const plain: unknown[] = [];
    const world = createWorldForTest(options);
    const { vehicle } = await driven(world, () => void plain.push(picture(world)));
    const moved: unknown[] = [];
    const other = createWorldForTest(options);
    await driven(other, async (tick) => {
      moved.push(picture(other));
      if (tick % 13 === 0) await (await other.ready).replaceWorker();
    });
    expect(moved).toEqual(plain);
    const sim = await world.ready;
    const replay = await sim.openReplay(sim.recording());
    await replay.seek(60);
    expect(replay.report.differsAt).toBeUndefined();
    expect(replay.report.hashes).toBe(60);
    await replay.close();
    await sim.seek(25);
    await eventually(() => {
      world.sample((frameMs += 1));
      expect(picture(world)).toEqual(plain[24]);
    });
    expect(vehicle.isValid()).toBe(true);
    expect(vehicle.speed).not.toBe(0);
  });
});
let frameMs = 1e7;
const noBody = 0 as BodyId;

test('bad input is refused at the call', async () => {
  const desc = new VehicleDesc();
  const wheel = {
    chassisConnectionPointCs: { x: 0, y: 0, z: 0 },
    radius: 1,
    suspensionRestLength: 1,
  };
  expect(() => desc.addWheel({ ...wheel, radius: 0 })).toThrow(/radius must be greater than 0/);
  expect(() => desc.addWheel({ ...wheel, frictionSlip: -1 })).toThrow(/frictionSlip/);
  expect(() => desc.addWheel({ ...wheel, isdriven: true } as never)).toThrow(
    /did you mean "isDriven"/,
  );
  expect(() => desc.setIndexUpAxis(3)).toThrow(/axis/);
  expect(() => desc.setInputs({ engineForce: 'much' } as never)).toThrow(/inputs\.engineForce/);
  const world = createWorldForTest();
  const fixed = world.createRigidBody(RigidBodyDesc.fixed());
  expect(() => world.createVehicleController(fixed, desc)).toThrow(/it must be dynamic/);
  const { vehicle } = addCar(world);
  expect(() => vehicle.drive({ brake: -1 })).toThrow(/brake/);
  expect(() => vehicle.drive({ throttle: 1 } as never)).toThrow(/unknown option "throttle"/);
  expect(() => vehicle.setWheelSteering(4, 0)).toThrow(/wheel must be a whole number from 0 to 3/);
  expect(() => vehicle.setWheel(0, { radius: Number.NaN })).toThrow(/radius/);
});
