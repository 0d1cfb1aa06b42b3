/**
 * The vehicles of a world, with ray-cast wheels on Rapier's controller. Wheels are bodies without colliders, which are put
 * where the rays end; those of a vehicle that the page updates, by Rapier's names, are numbers that it publishes. The
 * controller is no part of a saved world, and this reads nothing that it keeps from one step to the next: how wheels turn
 * is computed here, and a new controller continues like the old one.
 */
import type { Rapier, RapierWorldOf } from '../../rapier/rapier-builds.js';
import type { RapierTools } from '../../rapier/rapier-scene.js';
import type { InputState } from '../../shared/input/input-state.js';
import type { Json } from '../../shared/util/json.js';
import {
  cross,
  dot,
  plus,
  rotationAbout,
  rotated,
  scaled,
  unit,
  product,
  type Rotation,
  type Vector,
  ZERO,
} from '../../shared/util/vectors.js';
import { controlIn, type VehicleInputs } from '../shared/control-inputs.js';
import { settingsIn, type Setters } from '../shared/setting-types.js';
import {
  CONTROL_LAYOUT,
  WHEEL,
  WHEEL_VALUES,
  WHEEL_VALUE_COUNT,
  forwardOf,
  wheelsOfNumbers,
  type Wheel,
  publishedBy,
} from '../shared/vehicle-wheels.js';
import { NO_HANDLE, type Change } from '../shared/world-batch.js';
import type { VehicleFields, WheelRays } from '../shared/setting-tables.js';
import type { KindContents } from './kind-contents.js';
import type { OwnedValues, ValueOwners } from './value-owners.js';
import type { WorldBodies } from './world-bodies.js';
import type { WorldColliders } from './world-colliders.js';

type World = RapierWorldOf;
type Controller = ReturnType<World['createVehicleController']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;

const DEFAULT_MAX_STEERING = 0.5;
const DEFAULT_STEERING_SPEED = 2.5;
/** How quickly a wheel in the air stops turning, in 1/s. */
const WHEEL_DAMPING = 0.6;
/**
 * The engine takes the springs' force at the beginning of a step, so stiff ones oscillate in long steps. Stiffness times the
 * step squared, and damping times the step, stay below these.
 */
const STABLE = { stiffness: 0.11, damping: 0.15 } as const;

/** The state of a vehicle that the next tick depends on, as plain data. */
type VehicleState = {
  /** The steering of the player, in radians. */
  steering: number;
  /** How far each wheel has turned, and turns: radians, and radians per second. */
  rolls: (readonly [angle: number, speed: number])[];
  /** While the chassis sleeps: length of the spring and brake of each wheel. */
  rest: readonly number[] | null;
};

/** The pose of a wheel. */
interface PlacedWheel {
  readonly translation: Vector;
  readonly rotation: Rotation;
}

class WorkerVehicle {
  readonly #controller: Controller;
  readonly fields: VehicleFields = {};
  readonly state: VehicleState = { steering: 0, rolls: [], rest: null };
  #wheels: readonly Wheel[] = [];

  constructor(world: World, chassis: RigidBody) {
    this.#controller = world.createVehicleController(chassis);
  }

  get numWheels(): number {
    return this.#wheels.length;
  }

  set(fields: VehicleFields): void {
    const isUpdated = this.fields.rays !== null;
    Object.assign(this.fields, fields);
    const { indexUpAxis, indexForwardAxis, wheels } = fields;
    if (indexUpAxis !== undefined) this.#controller.indexUpAxis = indexUpAxis;
    if (indexForwardAxis !== undefined) this.#controller.setIndexForwardAxis = indexForwardAxis;
    if (wheels !== undefined) this.#setWheels(wheelsOfNumbers(wheels));
    // A chassis that lies on the ground is lifted.
    if (!isUpdated && this.fields.rays !== null) this.state.rest = [];
  }

  remove(world: World): void {
    world.removeVehicleController(this.#controller);
  }

  save(): Json {
    return this.state;
  }

  restore(saved: Json): void {
    Object.assign(this.state, saved);
  }

  /** Along its forward axis, in m/s. */
  #speed(chassis: RigidBody): number {
    return dot(rotated(chassis.rotation(), this.#forward), chassis.linvel());
  }

  /** How long it is, in m; −1 while the wheel touches nothing. */
  contactLength(wheel: number): number {
    const controller = this.#controller;
    return controller.wheelIsInContact(wheel) ? (controller.wheelSuspensionLength(wheel) ?? 0) : -1;
  }

  /** Drives it in the coming step. */
  step(
    chassis: RigidBody,
    { rapier, input, dt }: { rapier: Rapier; input: InputState; dt: number },
  ) {
    const rays = this.fields.rays as WheelRays | null | undefined;
    if (rays === null) {
      // The vehicle slept on its wheels.
      if (this.state.rest !== null) chassis.wakeUp();
      this.state.rest = null;
      return;
    }
    if (rays === undefined) this.#keepStable(dt);
    this.#control(input, dt);
    // The wheels of a description do not drive on sensors.
    const { flags, groups } = rays ?? { flags: rapier.QueryFilterFlags.EXCLUDE_SENSORS };
    this.#controller.updateVehicle(dt, flags, groups);
    this.#wake(chassis);
    this.#roll(chassis, dt);
  }

  /** @param handleOf Gives the page's handle of a collider. */
  publish(
    values: OwnedValues,
    chassis: RigidBody,
    handleOf: (collider: Collider) => number | undefined,
  ): void {
    if (this.fields.rays === undefined) {
      values.set(0, this.#speed(chassis));
      for (let wheel = 0; wheel < this.numWheels; wheel++) {
        values.set(1 + wheel, this.contactLength(wheel));
      }
      // A vehicle that is not updated keeps the last ones.
    } else if (this.fields.rays !== null) {
      for (let wheel = 0; wheel < this.numWheels; wheel++) {
        this.#publishWheel(values, wheel, handleOf);
      }
    }
  }

  #publishWheel(
    values: OwnedValues,
    wheel: number,
    handleOf: (collider: Collider) => number | undefined,
  ): void {
    const controller = this.#controller;
    const at = WHEEL_VALUE_COUNT * wheel;
    const { rotation, contact, normal, forwardImpulse, sideImpulse } = WHEEL_VALUES;
    const { suspensionForce, ground } = WHEEL_VALUES;
    const isTouching = controller.wheelIsInContact(wheel);
    const hardPoint = controller.wheelHardPoint(wheel) ?? ZERO;
    const toGround = plus(controller.wheelContactPoint(wheel) ?? ZERO, hardPoint, -1);
    const { directionCs } = this.#wheels[wheel] as Wheel;
    const distance = Math.sqrt(dot(toGround, toGround) / dot(directionCs, directionCs));
    const { x, y, z } = controller.wheelContactNormal(wheel) ?? ZERO;
    // The engine names some collider for a wheel in the air.
    const collider = isTouching ? controller.wheelGroundObject(wheel) : null;
    values.set(at + rotation, this.state.rolls[wheel]?.[0] ?? 0);
    values.set(at + contact, isTouching ? 1 + distance : 0);
    values.set(at + normal, x);
    values.set(at + normal + 1, y);
    values.set(at + normal + 2, z);
    values.set(at + forwardImpulse, controller.wheelForwardImpulse(wheel) ?? 0);
    values.set(at + sideImpulse, controller.wheelSideImpulse(wheel) ?? 0);
    values.set(at + suspensionForce, controller.wheelSuspensionForce(wheel) ?? 0);
    values.setHandle(at + ground, (collider && handleOf(collider)) ?? NO_HANDLE);
  }

  /** Where a wheel is after the step. */
  place(chassis: RigidBody, index: number): PlacedWheel {
    const wheel = this.#wheels[index] as Wheel;
    const length = this.#controller.wheelSuspensionLength(index) ?? wheel.suspensionRestLength;
    const [at, rotation] = [chassis.translation(), chassis.rotation()];
    const offset = plus(wheel.chassisConnectionPointCs, wheel.directionCs, length);
    const up = unit(scaled(wheel.directionCs, -1));
    const steered = rotationAbout(up, this.#controller.wheelSteering(index) ?? 0);
    const [angle] = this.state.rolls[index] ?? [0, 0];
    const rolled = rotationAbout(unit(cross(up, this.#forward)), angle % (2 * Math.PI));
    return {
      translation: plus(at, rotated(rotation, offset)),
      rotation: product(rotation, product(steered, rolled)),
    };
  }

  get #forward(): Readonly<Vector> {
    return forwardOf(this.fields);
  }

  #setWheels(wheels: readonly Wheel[]): void {
    wheels.forEach((wheel, index) => {
      const { chassisConnectionPointCs: start, directionCs, axleCs } = wheel;
      const { suspensionRestLength, radius } = wheel;
      if (index >= this.#controller.numWheels()) {
        this.#controller.addWheel(start, directionCs, axleCs, suspensionRestLength, radius);
      }
      setWheel(this.#controller, index, wheel);
    });
    this.#wheels = wheels;
    if (this.state.rest !== null) this.state.rest = [];
    this.state.rolls = wheels.map((_, index) => this.state.rolls[index] ?? [0, 0]);
  }

  #keepStable(dt: number): void {
    const [stiffness, damping] = [STABLE.stiffness / dt ** 2, STABLE.damping / dt];
    this.#wheels.forEach((wheel, index) => {
      const { suspensionStiffness, suspensionCompression, suspensionRelaxation } = wheel;
      const controller = this.#controller;
      controller.setWheelSuspensionStiffness(index, Math.min(suspensionStiffness, stiffness));
      controller.setWheelSuspensionCompression(index, Math.min(suspensionCompression, damping));
      controller.setWheelSuspensionRelaxation(index, Math.min(suspensionRelaxation, damping));
    });
  }

  #control(input: InputState, dt: number): void {
    const { controls = [] } = this.fields;
    const { engine, steering, brake } = this.#player(input, dt);
    // The engine takes a force, and an impulse of each step to brake.
    const brakeSeconds = this.fields.rays === undefined ? dt : 1;
    this.#wheels.forEach(({ isDriven, isSteered }, index) => {
      const controller = this.#controller;
      const start = index * CONTROL_LAYOUT.length;
      const { engineForce, steering: angle, brake: force } = CONTROL_LAYOUT.offsets;
      const control = (offset: number): number => controls[start + offset] ?? 0;
      controller.setWheelEngineForce(index, control(engineForce) + (isDriven ? engine : 0));
      controller.setWheelSteering(index, control(angle) + (isSteered ? steering : 0));
      controller.setWheelBrake(index, (control(force) + brake) * brakeSeconds);
    });
  }

  /** The controls that follow from the player's inputs. */
  #player(input: InputState, dt: number) {
    const { inputs } = this.fields;
    if (inputs === undefined || inputs === null) return { engine: 0, steering: 0, brake: 0 };
    const { engineForce, brakeForce = 0, ...rest } = inputs as unknown as VehicleInputs;
    const { maxSteering = DEFAULT_MAX_STEERING, steeringSpeed = DEFAULT_STEERING_SPEED } = rest;
    const control = controlIn(input, rest, true);
    const turn = steeringSpeed * dt;
    const target = -control.right * maxSteering;
    const { steering: before } = this.state;
    const steering = before + Math.min(turn, Math.max(-turn, target - before));
    this.state.steering = steering;
    return {
      engine: control.forward * engineForce,
      steering,
      brake: control.action * brakeForce,
    };
  }

  /** The engine wakes it only to drive forward, and wheels have no contacts with the ground. */
  #wake(chassis: RigidBody): void {
    const controller = this.#controller;
    const before = this.state.rest;
    this.state.rest = null;
    if (!chassis.isSleeping()) return;
    const rest = this.#wheels.flatMap((_, index) => [
      this.contactLength(index),
      controller.wheelBrake(index) ?? 0,
    ]);
    this.state.rest = rest;
    const isDriven = this.#wheels.some((_, index) => controller.wheelEngineForce(index) !== 0);
    const hasChanged = before !== null && rest.some((value, at) => value !== before[at]);
    if (isDriven || hasChanged) chassis.wakeUp();
    // The springs push a chassis that sleeps, and gravity does not: it would jump when it wakes, as by Rapier's own methods.
    else if (this.fields.rays === undefined) chassis.sleep();
  }

  /** Where a positive engine force drives a wheel on the ground, as Rapier counts its turns. */
  #drivenTo(index: number, chassis: Rotation): Vector {
    const { directionCs, axleCs } = this.#wheels[index] as Wheel;
    const up = rotated(chassis, unit(scaled(directionCs, -1)));
    const steered = rotationAbout(up, this.#controller.wheelSteering(index) ?? 0);
    const axle = rotated(steered, rotated(chassis, axleCs));
    return unit(cross(this.#controller.wheelContactNormal(index) ?? up, axle));
  }

  /** Wheels on the ground turn as it passes below them; others keep spinning and slow down. */
  #roll(chassis: RigidBody, dt: number): void {
    const [at, rotation] = [chassis.translation(), chassis.rotation()];
    const forward = rotated(rotation, this.#forward);
    const isUpdated = this.fields.rays !== undefined;
    this.state.rolls = this.#wheels.map((wheel, index) => {
      const [angle, before] = this.state.rolls[index] ?? [0, 0];
      const point = plus(at, rotated(rotation, wheel.chassisConnectionPointCs));
      const speed = this.#controller.wheelIsInContact(index)
        ? dot(
            isUpdated ? this.#drivenTo(index, rotation) : forward,
            chassis.velocityAtPoint(point),
          ) / wheel.radius
        : before / (1 + WHEEL_DAMPING * dt);
      return [angle + speed * dt, speed] as const;
    });
  }
}

type WheelMethod<Setter> = Setter extends `set${infer Name}` ? `setWheel${Name}` : never;

/** The compiler says which method the engine lacks. */
function setWheel(
  controller: Readonly<Record<WheelMethod<Setters<typeof WHEEL>>, unknown>>,
  index: number,
  wheel: Wheel,
): void {
  const methods = controller as unknown as Record<string, (at: number, value: unknown) => void>;
  for (const { name, set } of settingsIn(WHEEL)) {
    if (set !== undefined)
      methods[set.replace('set', 'setWheel')]?.(index, wheel[name as keyof Wheel]);
  }
}

interface VehicleEntry {
  /** Handles of the chassis and the wheels. */
  readonly parts: readonly number[];
  readonly vehicle: WorkerVehicle;
  /** Others when it gets a wheel. */
  values: OwnedValues | undefined;
  /** Where the chassis was after the last step; undefined: not known. */
  last: Vector | undefined;
}

export class WorldVehicles implements KindContents<'vehicle'> {
  readonly #tools: RapierTools;
  readonly #colliders: WorldColliders;
  readonly #owners: ValueOwners;
  readonly #entries = new Map<number, VehicleEntry>();

  constructor(tools: RapierTools, colliders: WorldColliders, owners: ValueOwners) {
    this.#tools = tools;
    this.#colliders = colliders;
    this.#owners = owners;
  }

  get #bodies(): WorldBodies {
    return this.#colliders.bodies;
  }

  remove(handle: number): void {
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    entry.vehicle.remove(this.#tools.physics.world);
    // The chassis falls, even if it slept on its wheels.
    this.#chassisOf(entry)?.wakeUp();
    this.#entries.delete(handle);
    this.#owners.release(handle);
  }

  forgetGone(): void {
    for (const [handle, { parts }] of this.#entries) {
      if (parts.some((part) => this.#bodies.get(part) === undefined)) this.remove(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'vehicle'>): void {
    if (parts !== undefined) this.#create(handle, parts);
    const entry = this.#entries.get(handle);
    if (entry === undefined) return;
    entry.vehicle.set(fields);
    const count = publishedBy(entry.vehicle.fields);
    if (count === entry.values?.count) return;
    this.#owners.release(handle);
    entry.values = this.#owners.claim(handle, count);
  }

  describe(): Change<'vehicle'>[] {
    return Array.from(this.#entries, ([handle, { parts, vehicle }]) => ({
      handle,
      parts,
      fields: vehicle.fields,
    }));
  }

  beforeStep(dt: number): void {
    const { rapier, input } = this.#tools;
    for (const entry of this.#entries.values()) {
      const chassis = this.#chassisOf(entry);
      if (chassis === undefined) continue;
      const since = plus(chassis.translation(), entry.last ?? chassis.translation(), -1);
      // The vehicle was put there, and its wheels jump with it, when they are placed.
      if (dot(since, since) > this.#bodies.snapOver ** 2) entry.last = undefined;
      entry.vehicle.step(chassis, { rapier, input, dt });
    }
  }

  /** Puts the wheels where the step has brought them, before anything is published. */
  afterStep(): void {
    for (const entry of this.#entries.values()) {
      const chassis = this.#chassisOf(entry);
      if (chassis === undefined) continue;
      this.#place(entry, chassis, entry.last === undefined ? 'teleport' : 'motion');
      entry.last = chassis.translation();
      const { vehicle, values } = entry;
      if (values !== undefined) vehicle.publish(values, chassis, this.#handleOf);
    }
  }

  save(): Json {
    return Array.from(this.#entries, ([handle, { vehicle, values }]) => [
      handle,
      vehicle.save(),
      values?.toArray() ?? [],
    ]);
  }

  restore(changes: readonly Change<'vehicle'>[], saved: Json): void {
    for (const handle of this.#entries.keys()) this.#owners.release(handle);
    this.#entries.clear();
    for (const change of changes) this.apply(change);
    for (const [handle, state, published = []] of saved as [number, Json, number[]?][]) {
      const entry = this.#entries.get(handle);
      if (entry === undefined) continue;
      entry.vehicle.restore(state);
      entry.last = this.#chassisOf(entry)?.translation();
      entry.values?.fill(published);
    }
  }

  /** Made once: a function made in each step would be garbage. */
  readonly #handleOf = (collider: Collider): number | undefined =>
    this.#colliders.handleOf(collider);

  #create(handle: number, parts: readonly number[]): void {
    const chassis = this.#bodies.get(parts[0] ?? NO_HANDLE);
    // The vehicle was removed since, or it or a wheel was not made.
    const isWhole = parts.every((part) => this.#bodies.get(part) !== undefined);
    if (chassis === undefined || !isWhole) return;
    const vehicle = new WorkerVehicle(this.#tools.physics.world, chassis);
    this.#entries.set(handle, { parts, vehicle, values: undefined, last: undefined });
  }

  #chassisOf({ parts }: VehicleEntry): RigidBody | undefined {
    return this.#bodies.get(parts[0] ?? NO_HANDLE);
  }

  #place({ parts, vehicle }: VehicleEntry, chassis: RigidBody, how: 'motion' | 'teleport'): void {
    const { physics, rapier } = this.#tools;
    // The methods of the class: in development, those of the object warn of jumps, and a wheel may go far in a step.
    const { setTranslation, setRotation } = rapier.RigidBody.prototype;
    for (let index = 0; index < parts.length - 1; index++) {
      const body = this.#bodies.get(parts[index + 1] ?? NO_HANDLE);
      const id = body && physics.bodyIdOf(body);
      if (body === undefined || id === undefined) continue;
      const { translation, rotation } = vehicle.place(chassis, index);
      setTranslation.call(body, translation, false);
      setRotation.call(body, rotation, false);
      physics.publish(id, how);
    }
  }
}
