/**
 * A car with ray-cast wheels: the engine casts the rays, and the drawn wheels are put where they
 * end.
 *
 * The engine's controller is not part of a saved world and some of its state cannot be set, so
 * nothing here reads what it keeps from one step to the next: speed and the wheels' turning are
 * computed here, and a new controller continues like the old one.
 */
import type { DynamicRayCastVehicleController, RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Json } from '../../../src/shared/index.js';
import type { RigidBodyRef } from '../../../src/rapier/rapier.js';
import type { DriveInput } from '../../contract/drive-contract.js';
import type { Rotation, Vector } from '../../contract/scene-contract.js';
import { COLOR } from '../palette.js';
import { box, cylinder } from '../shapes.js';
import { X, Y, Z, combine, plus, rotationAbout, turned, xyz, type Xyz } from '../vectors.js';
import type { PosedBody, SceneKit } from './scene-kit.js';

const WHEEL = { radius: 0.46, width: 0.34 };
const TRACK = 0.98;
const AXLES = [-1.25, 1.3] as const;
const SUSPENSION = {
  height: -0.1,
  rest: 0.42,
  travel: 0.35,
  stiffness: 34,
  compression: 3.4,
  relaxation: 4.4,
};
/**
 * The engine takes the springs' force at the beginning of a step, so stiff ones oscillate in long
 * steps. Stiffness times the step squared, and damping times the step, stay below these.
 */
const STABLE = { stiffness: 0.11, damping: 0.15 };
const WHEEL_FRICTION = 1.9;
/** Acceleration by the engine and the brakes, in m/s². */
const ACCELERATION = 8;
const BRAKING = 14;
/** Engine braking without throttle, in m/s². */
const COASTING = 0.7;
const TOP_SPEED = 22;
/** Steering angle in radians, at a standstill and at top speed. */
const STEERING = { slow: 0.62, fast: 0.16, perSecond: 2.4 };
/** Initial speed, in m/s. */
const START_SPEED = 4;
const RIGHTED_AFTER_SECONDS = 2;
const LOST_BELOW = -8;
/** How quickly a wheel in the air stops turning, in 1/s. */
const WHEEL_DAMPING = 0.6;

/** How a wheel turns about its axle: the angle in radians, and radians per second. */
interface Roll {
  readonly angle: number;
  readonly speed: number;
}

/** A type and no interface, so that it counts as plain data. */
type SavedCar = {
  readonly input: readonly [throttle: number, steer: number, brake: number];
  readonly steering: number;
  readonly helplessSeconds: number;
  readonly rolls: readonly (readonly [angle: number, speed: number])[];
};

/** Forward is +z in the car's own frame. */
export class Car {
  readonly ref: RigidBodyRef;
  readonly #kit: SceneKit;
  readonly #start: { readonly position: Vector; readonly rotation: Rotation };
  #controller: DynamicRayCastVehicleController;
  readonly #wheels: readonly PosedBody[];
  readonly #position = { x: 0, y: 0, z: 0 };
  readonly #rotation = { x: 0, y: 0, z: 0, w: 1 };
  readonly #velocity = { x: 0, y: 0, z: 0 };
  #input: DriveInput = { throttle: 0, steer: 0, brake: 0 };
  #steering = 0;
  #helplessSeconds = 0;
  #rolls: readonly Roll[] = wheelOffsets().map(() => ({ angle: 0, speed: 0 }));

  constructor(kit: SceneKit, position: Vector, rotation: Rotation) {
    this.#kit = kit;
    this.#start = { position, rotation };
    const chassis = kit.add(
      [
        box([1.8, 0.42, 3.9], COLOR.signal),
        box([1.5, 0.46, 1.7], COLOR.ink, { offset: [0, 0.42, -0.25] }),
      ],
      {
        position,
        rotation,
        velocity: turned(rotation, [0, 0, START_SPEED]),
        density: 0.35,
        friction: 0.3,
        damping: [0.02, 0.4],
        isRestless: true,
        isFast: true,
        decoration: [
          box([1.52, 0.06, 1.72], COLOR.chalk, { offset: [0, 0.67, -0.25] }),
          box([1.5, 0.14, 0.06], COLOR.chalk, { offset: [0, 0.03, 1.95] }),
        ],
      },
    );
    this.ref = kit.physics.ref(chassis);
    this.#controller = this.#createController(chassis);
    this.#wheels = wheelOffsets().map((offset) =>
      kit.addPosed(wheelParts(), plus(position, offset)),
    );
  }

  drive(input: DriveInput): void {
    this.#input = input;
  }

  beforeStep(dt: number): void {
    const chassis = this.ref.body;
    if (chassis === undefined) return;
    this.#rightIfHelpless(chassis, dt);
    this.#adjustSuspension(dt);
    this.#applyInput(chassis, dt);
    // Wheels do not drive on decoration.
    this.#controller.updateVehicle(dt, this.#kit.rapier.QueryFilterFlags.EXCLUDE_SENSORS);
    this.#rollWheels(chassis, dt);
  }

  /** Writes the wheels' poses. */
  afterStep(): void {
    const chassis = this.ref.body;
    if (chassis === undefined) return;
    const { at, rotation } = this.#poseOf(chassis);
    wheelOffsets().forEach((offset, index) => {
      const id = this.#wheels[index]?.id;
      if (id === undefined) return;
      const length = this.#controller.wheelSuspensionLength(index) ?? SUSPENSION.rest;
      const [x, y, z] = plus(at, turned(rotation, plus(offset, [0, -length, 0])));
      const steering = rotationAbout(Y, this.#steeringOf(index));
      const own = combine(steering, rotationAbout(X, this.#rolls[index]?.angle ?? 0));
      const [qx, qy, qz, qw] = combine(rotation, own);
      this.#kit.physics.bodies.setPose(id, x, y, z, qx, qy, qz, qw);
    });
  }

  save(): Json {
    const { throttle, steer, brake } = this.#input;
    return {
      input: [throttle, steer, brake],
      steering: this.#steering,
      helplessSeconds: this.#helplessSeconds,
      rolls: this.#rolls.map(({ angle, speed }) => [angle, speed] as const),
    } satisfies SavedCar;
  }

  restore(saved: Json): void {
    const { input, steering, helplessSeconds, rolls } = saved as SavedCar;
    const [throttle, steer, brake] = input;
    this.#input = { throttle, steer, brake };
    this.#steering = steering;
    this.#helplessSeconds = helplessSeconds;
    this.#rolls = rolls.map(([angle, speed]) => ({ angle, speed }));
    // The old controller belonged to the old world.
    const chassis = this.ref.body;
    if (chassis !== undefined) this.#controller = this.#createController(chassis);
  }

  #createController(chassis: RigidBody): DynamicRayCastVehicleController {
    const controller = this.#kit.physics.world.createVehicleController(chassis);
    controller.indexUpAxis = 1;
    controller.setIndexForwardAxis = 2;
    wheelOffsets().forEach(([x, y, z], index) => {
      const down = { x: 0, y: -1, z: 0 };
      controller.addWheel({ x, y, z }, down, { x: -1, y: 0, z: 0 }, SUSPENSION.rest, WHEEL.radius);
      controller.setWheelMaxSuspensionTravel(index, SUSPENSION.travel);
      controller.setWheelFrictionSlip(index, WHEEL_FRICTION);
    });
    return controller;
  }

  #adjustSuspension(dt: number): void {
    const max = STABLE.damping / dt;
    for (let index = 0; index < this.#wheels.length; index++) {
      const stiffness = Math.min(SUSPENSION.stiffness, STABLE.stiffness / dt ** 2);
      this.#controller.setWheelSuspensionStiffness(index, stiffness);
      this.#controller.setWheelSuspensionCompression(index, Math.min(SUSPENSION.compression, max));
      this.#controller.setWheelSuspensionRelaxation(index, Math.min(SUSPENSION.relaxation, max));
    }
  }

  #applyInput(chassis: RigidBody, dt: number): void {
    const { throttle, steer, brake } = this.#input;
    const { rotation } = this.#poseOf(chassis);
    const speed = along(turned(rotation, Z), chassis.linvel(this.#velocity));
    const share = Math.min(1, Math.abs(speed) / TOP_SPEED);
    const target = -steer * (STEERING.slow + (STEERING.fast - STEERING.slow) * share);
    const turn = STEERING.perSecond * dt;
    this.#steering += Math.min(turn, Math.max(-turn, target - this.#steering));
    const wheels = AXLES.length * 2;
    const mass = chassis.mass();
    // Full throttle at top speed only holds the speed.
    const force =
      (throttle * ACCELERATION * (throttle * speed > 0 ? 1 - share : 1) * mass) / wheels;
    const slowing = brake * BRAKING + (throttle === 0 ? COASTING : 0);
    for (let index = 0; index < wheels; index++) {
      this.#controller.setWheelSteering(index, this.#steeringOf(index));
      this.#controller.setWheelEngineForce(index, force);
      // A brake is an impulse for each step, an engine is a force.
      this.#controller.setWheelBrake(index, (slowing * mass * dt) / wheels);
    }
  }

  /** Wheels on the ground turn as it passes below them; others keep spinning and slow down. */
  #rollWheels(chassis: RigidBody, dt: number): void {
    const { at, rotation } = this.#poseOf(chassis);
    const forward = turned(rotation, Z);
    const offsets = wheelOffsets();
    this.#rolls = this.#rolls.map((roll, index): Roll => {
      const offset = plus(at, turned(rotation, offsets[index] ?? [0, 0, 0]));
      const speed = this.#controller.wheelIsInContact(index)
        ? along(forward, chassis.velocityAtPoint(xyz(offset), this.#velocity)) / WHEEL.radius
        : roll.speed / (1 + WHEEL_DAMPING * dt);
      return { angle: (roll.angle + speed * dt) % (2 * Math.PI), speed };
    });
  }

  /** The front wheels steer. */
  #steeringOf(wheel: number): number {
    return wheel < 2 ? 0 : this.#steering;
  }

  #poseOf(chassis: RigidBody): { readonly at: Vector; readonly rotation: Rotation } {
    const p = chassis.translation(this.#position);
    const q = chassis.rotation(this.#rotation);
    return { at: [p.x, p.y, p.z], rotation: [q.x, q.y, q.z, q.w] };
  }

  /**
   * Puts it back on its wheels when it lies on its side or roof for a while, and back into the
   * scene when it has left.
   */
  #rightIfHelpless(chassis: RigidBody, dt: number): void {
    const {
      at: [x, y, z],
      rotation,
    } = this.#poseOf(chassis);
    const isUpright = turned(rotation, Y)[1] > 0.3;
    this.#helplessSeconds = isUpright ? 0 : this.#helplessSeconds + dt;
    if (y < LOST_BELOW) this.#teleport(chassis, this.#start.position, this.#start.rotation);
    else if (this.#helplessSeconds > RIGHTED_AFTER_SECONDS) {
      const [fx, , fz] = turned(rotation, Z);
      this.#teleport(chassis, [x, y + 1.2, z], rotationAbout(Y, Math.atan2(fx, fz)));
    }
  }

  #teleport(chassis: RigidBody, [x, y, z]: Vector, [qx, qy, qz, qw]: Rotation): void {
    const { physics } = this.#kit;
    const id = physics.bodyIdOf(chassis);
    if (id === undefined) return;
    this.#helplessSeconds = 0;
    physics.teleport(id, { x, y, z, qx, qy, qz, qw });
    chassis.setLinvel({ x: 0, y: 0, z: 0 }, true);
    chassis.setAngvel({ x: 0, y: 0, z: 0 }, true);
    // The wheels move with it; the next step places them exactly.
    for (const { id: wheel } of this.#wheels) {
      if (wheel !== undefined) physics.bodies.teleport(wheel, { x, y, z, qx, qy, qz, qw });
    }
  }
}

const along = ([x, y, z]: Vector, v: Xyz): number => x * v.x + y * v.y + z * v.z;

/** Rear left, rear right, front left, front right: where the suspension begins. */
function wheelOffsets(): Vector[] {
  return AXLES.flatMap((z): Vector[] => [
    [-TRACK, SUSPENSION.height, z],
    [TRACK, SUSPENSION.height, z],
  ]);
}

function wheelParts() {
  const across = rotationAbout(Z, Math.PI / 2);
  return [
    cylinder(WHEEL.radius, WHEEL.width, COLOR.ink, { rotation: across }),
    box([WHEEL.width + 0.04, WHEEL.radius * 1.3, 0.12], COLOR.mist),
    box([WHEEL.width + 0.04, 0.12, WHEEL.radius * 1.3], COLOR.mist),
  ];
}
