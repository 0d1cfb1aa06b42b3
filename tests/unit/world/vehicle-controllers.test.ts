/** Vehicles by Rapier's names: compared with Rapier's own controller, which is given the same calls. */
import { expect, test } from 'vitest';
import {
  ColliderDesc,
  QueryFilterFlags,
  RigidBodyDesc,
  type Collider,
  type RigidBody,
  type Vector,
  type DynamicRayCastVehicleController,
  type WorldOptions,
} from '../../../src/world/page/index.js';
import { addCar, carDesc } from '../../fixtures/cars.js';
import { present } from '../../fixtures/present.js';
import { expectEqual } from '../../fixtures/quick-checks.js';
import { expectSameAgain } from '../../fixtures/same-again.js';
import {
  RECORDED,
  advance,
  createEngineForTest,
  nextFrameMs,
  createWorldForTest,
  draw,
  press,
  shows,
  warningsOfTest,
} from '../../fixtures/worlds.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';

const DT = 1 / 60;
const G = 9.81;
const WHEELS = [0, 1, 2, 3];
const at = (x: number, y = 0, z = 0): Vector => ({ x, y, z });

/** Given a vector of a world whose y is up: that of a world with another axis. */
type Turn = (vector: Vector) => Vector;
const TURNS: Readonly<Record<'y' | 'z', Turn>> = {
  y: (vector) => vector,
  z: ({ x, y, z }) => at(x, -z, y),
};
const triple = ({ x, y, z }: Vector): [number, number, number] => [x, y, z];
const size = (vector: Vector): [number, number, number] => {
  const [x, y, z] = triple(vector).map(Math.abs);
  return [x as number, y as number, z as number];
};

/** A controller of either. */
type Controller = Omit<
  DynamicRayCastVehicleController,
  'chassis' | 'wheelGroundObject' | 'updateVehicle'
>;

function addWheels(vehicle: Controller, z: number, turn: Turn = TURNS.y): void {
  for (const x of [-0.9, 0.9]) {
    const wheel = vehicle.numWheels();
    vehicle.addWheel(turn(at(x, 0, z)), turn(at(0, -1)), turn(at(-1)), 0.5, 0.4);
    vehicle.setWheelSuspensionStiffness(wheel, 30);
    vehicle.setWheelSuspensionCompression(wheel, 4);
    vehicle.setWheelSuspensionRelaxation(wheel, 3);
    vehicle.setWheelMaxSuspensionTravel(wheel, 0.4);
    vehicle.setWheelMaxSuspensionForce(wheel, Number.POSITIVE_INFINITY);
    vehicle.setWheelFrictionSlip(wheel, 2);
  }
}

const eachWheel = (call: (wheel: number) => void): void => WHEELS.forEach(call);

/** The driver's calls, by ticks. */
const DRIVE: Readonly<Record<number, (vehicle: Controller, turn: Turn) => void>> = {
  // Until then, the chassis lies on the ground in front.
  20: (vehicle, turn) => addWheels(vehicle, 1.3, turn),
  60: (vehicle) => eachWheel((wheel) => vehicle.setWheelEngineForce(wheel, 250)),
  150: (vehicle) => [2, 3].forEach((wheel) => vehicle.setWheelSteering(wheel, 0.2)),
  200: (vehicle) => {
    vehicle.setWheelRadius(0, 0.3);
    vehicle.setWheelSideFrictionStiffness(3, 0.4);
    vehicle.setWheelSuspensionRestLength(1, 0.6);
    const point = present(vehicle.wheelChassisConnectionPointCs(1));
    vehicle.setWheelChassisConnectionPointCs(1, { ...point, x: 1 });
    // Stiffer than the library lets a vehicle of a description be in steps of this length.
    vehicle.setWheelSuspensionStiffness(2, 500);
  },
  260: (vehicle) => eachWheel((wheel) => vehicle.setWheelEngineForce(wheel, 0)),
  261: (vehicle) => eachWheel((wheel) => vehicle.setWheelBrake(wheel, 10)),
  330: (vehicle) => eachWheel((wheel) => vehicle.setWheelBrake(wheel, 0)),
  331: (vehicle) => [2, 3].forEach((wheel) => vehicle.setWheelEngineForce(wheel, -200)),
};

/** The ground, then a ramp, what wheels may pass, and what is in another group. */
const land = <C extends typeof ColliderDesc>(Desc: C, turn: Turn) => [
  Desc.cuboid(...size(turn(at(60, 0.5, 60)))).setTranslation(...triple(turn(at(0, -0.5)))),
  Desc.cuboid(...size(turn(at(3, 0.1, 4)))).setTranslation(...triple(turn(at(0, 0.1, 12)))),
  Desc.cuboid(...size(turn(at(3, 0.05, 1))))
    .setTranslation(...triple(turn(at(0, 0.05, 5))))
    .setSensor(true),
  Desc.cuboid(...size(turn(at(3, 0.05, 1))))
    .setTranslation(...triple(turn(at(0, 0.05, 8))))
    .setCollisionGroups(0x0002_fffd),
];

const NUMBERS = [
  'wheelSuspensionLength',
  'wheelSuspensionForce',
  'wheelForwardImpulse',
  'wheelSideImpulse',
  'wheelEngineForce',
  'wheelBrake',
  'wheelSteering',
  'wheelRadius',
] as const;
/** Rounded: lengths are computed from the ends of the rays. */
const readingsOf = (vehicle: Controller): unknown =>
  WHEELS.slice(0, vehicle.numWheels()).map((wheel) => ({
    isInContact: vehicle.wheelIsInContact(wheel),
    normal: triple(present(vehicle.wheelContactNormal(wheel))),
    numbers: NUMBERS.map((name) => Math.round(1e3 * (vehicle[name](wheel) ?? Number.NaN)) + 0),
  }));
const motionOf = (one: Pick<RigidBody, 'translation' | 'linvel'>) =>
  [one.translation(), one.linvel()].map(triple);

interface Drive {
  readonly up: 'y' | 'z';
  readonly filter: readonly [flags?: number, groups?: number];
}

const DRIVES: Readonly<Record<string, Drive>> = {
  'with y up': { up: 'y', filter: [] },
  'with z up, and rays that pass sensors and a group': {
    up: 'z',
    filter: [QueryFilterFlags.EXCLUDE_SENSORS, 0x0001_0001],
  },
};

test.each(Object.entries(DRIVES))(
  'a controller %s is the same as that of Rapier with the same calls, bit for bit',
  async (_, { up, filter }) => {
    const turn = TURNS[up];
    const { rapier, engine } = await createEngineForTest();
    engine.gravity = turn(at(0, -G));
    for (const desc of land(rapier.ColliderDesc as never, turn)) {
      engine.createCollider(desc as never);
    }
    const start = triple(turn(at(0, 0.6, 0)));
    const half = size(turn(at(0.9, 0.25, 2)));
    const own = engine.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(...start));
    engine.createCollider(rapier.ColliderDesc.cuboid(...half).setDensity(80), own);
    const world = createWorldForTest({ gravity: turn(at(0, -G)) });
    for (const desc of land(ColliderDesc, turn)) world.createCollider(desc);
    const chassis = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(...start));
    world.createCollider(ColliderDesc.cuboid(...half).setDensity(80), chassis);
    const theirs = engine.createVehicleController(own);
    const ours = world.createVehicleController(chassis);
    for (const vehicle of [theirs, ours]) {
      addWheels(vehicle, -1.3, turn);
      if (up === 'z') {
        vehicle.indexUpAxis = 2;
        vehicle.setIndexForwardAxis = 1;
      }
    }
    let moved = 0;
    for (let tick = 1; tick <= 420; tick++) {
      for (const vehicle of [theirs, ours]) DRIVE[tick]?.(vehicle, turn);
      theirs.updateVehicle(DT, ...filter);
      ours.updateVehicle(DT, ...filter);
      engine.step();
      if (tick % 5 !== 0 && !(tick + 1 in DRIVE)) continue;
      await advance(world, tick - moved);
      moved = tick;
      expectEqual(
        [tick, motionOf(chassis), readingsOf(ours)],
        [tick, motionOf(own), readingsOf(theirs)],
      );
    }
    expect([ours.indexUpAxis, ours.indexForwardAxis]).toEqual([
      theirs.indexUpAxis,
      theirs.indexForwardAxis,
    ]);
    for (const wheel of WHEELS) {
      expect(ours.wheelRotation(wheel)).toBeCloseTo(present(theirs.wheelRotation(wheel)), 0);
    }
  },
);

/** A car on wheels that the page updates. */
async function park(options: WorldOptions = {}) {
  const world = createWorldForTest(options);
  for (const desc of land(ColliderDesc, TURNS.y)) world.createCollider(desc);
  const chassis = world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(0, 1, 0));
  world.createCollider(ColliderDesc.cuboid(0.9, 0.25, 2).setDensity(80), chassis);
  const vehicle = world.createVehicleController(chassis);
  for (const z of [-1.3, 1.3]) addWheels(vehicle, z);
  await world.ready;
  return { world, chassis, vehicle, ground: world.colliders.getAll()[0] as Collider };
}

test('a controller says where its wheels are, what they are on, and what was set', async () => {
  const { world, chassis, vehicle, ground } = await park();
  const hanging = [vehicle.wheelSuspensionLength(0), vehicle.wheelGroundObject(0)];
  expect([hanging, vehicle.wheelIsInContact(0)]).toEqual([[0.5, null], false]);
  vehicle.updateVehicle(DT);
  await advance(world, 120);
  expect(vehicle.chassis()).toBe(chassis);
  expect(vehicle.wheelGroundObject(3)).toBe(ground);
  const { y } = chassis.translation();
  for (const wheel of WHEELS) {
    const x = wheel % 2 === 0 ? -0.9 : 0.9;
    const z = wheel < 2 ? -1.3 : 1.3;
    expect(Object.values(present(vehicle.wheelHardPoint(wheel)))).toEqual(
      [x, y, z].map((value) => expect.closeTo(value, 3)),
    );
    expect(Object.values(present(vehicle.wheelContactPoint(wheel)))).toEqual(
      [x, 0, z].map((value) => expect.closeTo(value, 3)),
    );
    expect(y - present(vehicle.wheelSuspensionLength(wheel))).toBeCloseTo(0.4, 3);
  }
  expect(vehicle.wheelDirectionCs(0)).toEqual(at(0, -1));
  const absent = [vehicle.wheelRadius(4), vehicle.wheelRotation(-1), vehicle.wheelHardPoint(4)];
  expect(absent).toEqual([null, null, null]);
  // Nothing is left of what is removed while the vehicle is on it.
  world.removeCollider(ground);
  await advance(world, 2);
  expect([vehicle.wheelGroundObject(0), vehicle.wheelIsInContact(0)]).toEqual([null, false]);
});

test('wheels that are updated in each frame turn evenly from frame to frame, also between two ticks', async () => {
  const { world, vehicle } = await park({ transport: 'local' });
  const simulation = await world.ready;
  const nowMs = nextFrameMs(1000);
  const time = new VirtualTime();
  time.nowMs = nowMs;
  await time.until(simulation.resume());
  eachWheel((wheel) => vehicle.setWheelEngineForce(wheel, 250));
  const turns: number[] = [];
  for (let frame = 0; frame < 400; frame++) {
    await time.advance(1000 / 144);
    vehicle.updateVehicle(1 / 144);
    world.sample(time.nowMs);
    turns.push(present(vehicle.wheelRotation(0)));
  }
  const speeds = turns.map((turn, frame) => turn - (turns[frame - 1] ?? 0)).slice(300);
  expect(Math.abs(present(speeds[0]))).toBeGreaterThan(0.01);
  for (const [frame, speed] of speeds.entries()) {
    expect(speed / (speeds[frame - 1] ?? speed)).toBeCloseTo(1, 1);
  }
});

test('a controller stops when the page draws on without a call, and not while it is late or paused', async () => {
  const { world, chassis, vehicle } = await park();
  const height = (): number => chassis.translation().y;
  vehicle.updateVehicle(DT);
  await advance(world, 300);
  const resting = height();
  expect(resting).toBeGreaterThan(0.6);
  vehicle.updateVehicle(DT);
  for (let frame = 0; frame < 100; frame++) draw(world);
  await advance(world, 20);
  expect(height()).toBeCloseTo(resting, 2);
  for (let frame = 0; frame < 20; frame++) await advance(world, 1);
  await advance(world, 60);
  expect(height()).toBeCloseTo(0.25, 1);
  vehicle.updateVehicle(DT);
  await advance(world, 120);
  expect(height()).toBeCloseTo(resting, 2);
});

test('a wheel for which no numbers are left is refused, and one that is not there is not set', async () => {
  const { vehicle } = await park({ display: { values: 50 } });
  expect(() => vehicle.addWheel(at(0), at(0, -1), at(-1), 0.5, 0.4)).toThrow(/display: \{ values/);
  const warnings = warningsOfTest();
  vehicle.setWheelBrake(4, 1);
  expect(warnings()).toEqual([expect.stringMatching(/setWheelBrake\(4\).*4 wheels/)]);
});

test('a controller goes with its chassis, and leaves it when it is removed', async () => {
  const warnings = warningsOfTest();
  const { world, chassis, vehicle } = await park();
  vehicle.updateVehicle(DT);
  await advance(world, 60);
  world.removeVehicleController(vehicle);
  await advance(world, 60);
  expect(chassis.translation().y).toBeCloseTo(0.25, 1);
  const second = world.createVehicleController(chassis);
  world.removeRigidBody(chassis);
  // As an effect does that ends after that of the body.
  world.removeVehicleController(second);
  expect(warnings()).toEqual([]);
  second.updateVehicle(DT);
  expect(warnings()).toEqual([expect.stringMatching(/vehicle \d+ was removed/)]);
  expect(() => world.removeVehicleController({} as never)).toThrow(/vehicle of this world/);
});

test('vehicles continue in other workers as if nothing had happened, are replayed, and go back', async () => {
  const { world, vehicle } = await park(RECORDED);
  const sim = await world.ready;
  const desc = carDesc().setInputs({ engineForce: 500, maxSteering: 0.6 });
  const { vehicle: described } = addCar(world, [20, 1, 0], desc);
  const advanceBy = async (ticks: number): Promise<void> => {
    for (let tick = 0; tick < ticks; tick++) {
      vehicle.updateVehicle(DT);
      await advance(world, 1);
    }
  };
  await press(world, 'KeyW');
  await advanceBy(10);
  await press(world, 'KeyW', 'keyup');
  described.drive({ engine: 300, steering: -0.1, brake: 20 });
  eachWheel((wheel) => vehicle.setWheelEngineForce(wheel, 300));
  await advanceBy(10);
  const early = await sim.save();
  addWheels(vehicle, 0);
  described.setWheel(1, { frictionSlip: 0.5 });
  await advanceBy(10);
  await expectSameAgain(world, 10, () => [
    world.bodies.getAll().map((each) => [each.translation(), each.rotation(), each.linvel()]),
    described.isValid() && described.speed,
    vehicle.wheelRotation(0),
    vehicle.wheelContactPoint(1),
    vehicle.wheelGroundObject(2)?.handle,
    readingsOf(vehicle),
  ]);
  expect(described.speed).not.toBeCloseTo(0, 1);
  // Also to before it had all of its wheels.
  await sim.restore(early);
  await shows(world, () => expect(vehicle.numWheels()).toBe(4));
});
