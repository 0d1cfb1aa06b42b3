/** Vehicles of a world, as applications have them: wheels, descriptions and handles. */
import { requireKnownKeys, requireBoolean, requireInteger } from '../../shared/util/validate.js';
import type { SampledFrame } from '../../render-main/frame/frame.js';
import { checkOptions, group, optional } from '../../shared/util/options.js';
import type { Vector } from '../../shared/util/vectors.js';
import type { VehicleInputs } from '../shared/control-inputs.js';
import { settingsIn } from '../shared/setting-types.js';
import {
  WHEEL,
  type Wheel,
  wheelsAsNumbers,
  CONTROL_LAYOUT,
  publishedBy,
  wheelCount,
  wheelsOfNumbers,
} from '../shared/vehicle-wheels.js';
import type { VehicleFields, Kind } from '../shared/setting-tables.js';
import {
  CONTROL_INPUTS,
  amount,
  finite,
  inputsAsJson,
  notNegative,
  requireDesc,
  settingValue,
} from './checked-values.js';
import { ItemHandle, type NewItem } from './item-handle.js';
import type { BodyHandle } from './body-handle.js';
import type { RigidBody } from './body-and-collider.js';
import type { WorldLink } from './world-link.js';

/** A wheel of a vehicle. The names are those of Rapier's setters, such as `setWheelFrictionSlip`. */
export interface WheelOptions {
  /** Where its suspension begins: relative to the chassis, in m or the simulation's own unit. */
  readonly chassisConnectionPointCs: Readonly<Vector>;
  /** Greater than 0, in m or the simulation's own unit. */
  readonly radius: number;
  /** Length of its suspension without a load, from 0, in m or the simulation's own unit. */
  readonly suspensionRestLength: number;
  /** Where it hangs, relative to the chassis: a direction. Default −y. */
  readonly directionCs?: Readonly<Vector>;
  /** About what it turns, relative to the chassis: a direction. Default −x. */
  readonly axleCs?: Readonly<Vector>;
  /** How far the suspension gives, from 0, in m or the simulation's own unit. Default 5. */
  readonly maxSuspensionTravel?: number;
  /**
   * From 0, in N/m for each kg of the chassis: at rest, n wheels give by 9.81 / (n · this) m. Softened in long steps, in which
   * it would oscillate. Default 5.88, with which a car on four wheels sags by 0.42 m; 30 suits a car.
   */
  readonly suspensionStiffness?: number;
  /** Damping while it is compressed, from 0, in 1/s. Less in long steps. Default 0.83. */
  readonly suspensionCompression?: number;
  /** Damping while it is released, from 0, in 1/s. Less in long steps. Default 0.88. */
  readonly suspensionRelaxation?: number;
  /** The most that it carries, from 0, in N. Default 6000. */
  readonly maxSuspensionForce?: number;
  /** How little it slips, from 0. Default 10.5. */
  readonly frictionSlip?: number;
  /** How much of that there is sideways, from 0. Default 1. */
  readonly sideFrictionStiffness?: number;
  /** Whether the engine drives it. Default true. */
  readonly isDriven?: boolean;
  /** Whether it steers. Default false. */
  readonly isSteered?: boolean;
  /** Kept on the page, as the `userData` of its body. Default: nothing. */
  readonly userData?: unknown;
}

/** @throws TypeError, RangeError naming the option. */
export function checkedWheel(options: Omit<WheelOptions, 'userData'>): Wheel {
  const settings = settingsIn(WHEEL);
  requireKnownKeys('a wheel', options, [...settings.map(({ name }) => name), 'userData']);
  const entries = settings.map(({ name, row }) => {
    const value = (name in options ? options[name as keyof typeof options] : row.default) as never;
    const isFlag = row.kind === 'flag';
    return [name, isFlag ? requireBoolean(name, value) : settingValue(row, name, [value])];
  });
  return Object.fromEntries(entries) as Wheel;
}

const INPUTS = group('inputs', {
  engineForce: amount,
  brakeForce: optional(amount),
  maxSteering: optional(amount),
  steeringSpeed: optional(amount),
  ...CONTROL_INPUTS,
});

const DRIVING = {
  engine: (name: string, value: unknown) => finite(name, (value ?? 0) as number),
  steering: (name: string, value: unknown) => finite(name, (value ?? 0) as number),
  brake: (name: string, value: unknown) => notNegative(name, (value ?? 0) as number),
};

/** The actions of a driver. */
export interface Driving {
  /** Force of each driven wheel, in N; negative is backwards. Default 0. */
  readonly engine?: number;
  /** Angle of each steered wheel, in radians; positive is to the left. Default 0. */
  readonly steering?: number;
  /** Braking force of each wheel, in N, from 0. Default 0. */
  readonly brake?: number;
}

/**
 * A handle of a vehicle, made by `World.createVehicle`. It drives in the worker, with every tick; what is set here
 * takes effect on a later one. On a vehicle that was removed, methods do nothing, and say so once in the console. All throw
 * TypeError or RangeError, naming the field, for a value of another type or out of its range.
 */
export interface Vehicle {
  /** The vehicle's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /**
   * The bodies of its wheels, in their order: to be drawn. They have the axes of the chassis, and roll about up × forward:
   * lay a drawn wheel along it, by default along x. They have no colliders and go with the vehicle.
   */
  readonly wheels: readonly RigidBody[];
  /** Along its forward axis after the newest tick that the page knows, in m/s; negative is backwards. */
  readonly speed: number;
  /** False after it was removed, or a body of it was. */
  isValid(): boolean;
  /** The body that it drives. */
  chassis(): RigidBody;
  /** Number of its wheels. */
  numWheels(): number;
  /** Drives it from now on, until the next call: a late page does not stop it. */
  drive(driving: Driving): void;
  /**
   * Sets the engine of one wheel, until it is set again or {@link drive} is called.
   *
   * @param wheel Its index, from 0.
   * @param force In newtons, any number: negative is backwards.
   */
  setWheelEngineForce(wheel: number, force: number): void;
  /**
   * Like {@link setWheelEngineForce}.
   *
   * @param wheel Its index, from 0.
   * @param angle In radians; positive is to the left.
   */
  setWheelSteering(wheel: number, angle: number): void;
  /**
   * Like {@link setWheelEngineForce}.
   *
   * @param wheel Its index, from 0.
   * @param force In newtons, from 0: Rapier's own number is this, times the seconds of a step.
   */
  setWheelBrake(wheel: number, force: number): void;
  /**
   * Changes a wheel, such as its friction: `setWheel(0, { frictionSlip: 2 })`.
   *
   * @param wheel Its index, from 0.
   */
  setWheel(wheel: number, options: Partial<Omit<WheelOptions, 'userData'>>): void;
  /**
   * Lets the player drive it, in addition to {@link drive}: each tick takes its own inputs of keys and gamepads, from the
   * sources of `betwixt/inputs` that feed `(await world.ready).inputs`. So a late page delays nothing, and recordings have
   * it.
   *
   * @param inputs What they do, and which; null: none.
   */
  setInputs(inputs: VehicleInputs | null): void;
  /**
   * Whether a wheel touched something in the newest tick that the page knows.
   *
   * @param wheel Its index, from 0.
   */
  wheelIsInContact(wheel: number): boolean;
  /**
   * The length of a wheel's suspension then, in m or the simulation's own unit; null if it touched nothing.
   *
   * @param wheel Its index, from 0.
   */
  wheelSuspensionLength(wheel: number): number | null;
}

/** For the world that makes a vehicle of a description: a copy of what was set, and the `userData` of each wheel. */
export let fieldsOfVehicle: (desc: VehicleDesc) => {
  readonly fields: VehicleFields;
  readonly userData: readonly unknown[];
};

/**
 * The description of a vehicle, which may be used for any number of vehicles. The forces of an engine suit its mass: with the
 * default density, a chassis of 2 × 0.5 × 4 m weighs 4 kg.
 *
 *     world.createCollider(ColliderDesc.cuboid(1, 0.25, 2).setMass(400), chassis);
 *     const desc = new VehicleDesc().setInputs({ engineForce: 600, brakeForce: 2500 });
 *     for (const [x, z] of [[-1, 1.3], [1, 1.3], [-1, -1.3], [1, -1.3]] as const) {
 *       const at = { x, y: 0, z };
 *       desc.addWheel({ chassisConnectionPointCs: at, radius: 0.4, suspensionRestLength: 0.5, suspensionStiffness: 30, isSteered: z > 0 });
 *     }
 *     const vehicle = world.createVehicle(chassis, desc);
 */
export class VehicleDesc {
  readonly #fields: VehicleFields = {};
  readonly #wheels: Wheel[] = [];
  readonly #userData: unknown[] = [];

  static {
    fieldsOfVehicle = (desc) => {
      requireDesc('desc', 'VehicleDesc', desc, desc instanceof VehicleDesc);
      const fields = { ...desc.#fields, wheels: wheelsAsNumbers(desc.#wheels) };
      return { fields, userData: [...desc.#userData] };
    };
  }

  /**
   * Adds a wheel.
   *
   * @throws TypeError or RangeError naming the option, for a value of another type or out of its range.
   */
  addWheel(options: WheelOptions): this {
    this.#wheels.push(checkedWheel({ ...options }));
    this.#userData.push(options.userData);
    return this;
  }

  /**
   * Which axis of the chassis is up.
   *
   * @param axis An index: 0 for x, 1 for y, 2 for z. Default 1.
   * @throws TypeError, RangeError for any other.
   */
  setIndexUpAxis(axis: number): this {
    this.#fields.indexUpAxis = requireInteger('axis', axis, 0, 2);
    return this;
  }

  /**
   * Which axis of the chassis is forward: by default, a car drives towards +z.
   *
   * @param axis An index: 0 for x, 1 for y, 2 for z. Default 2.
   * @throws TypeError, RangeError for any other.
   */
  setIndexForwardAxis(axis: number): this {
    this.#fields.indexForwardAxis = requireInteger('axis', axis, 0, 2);
    return this;
  }

  /**
   * As `Vehicle.setInputs`.
   *
   * @throws TypeError or RangeError, naming the field.
   */
  setInputs(inputs: VehicleInputs | null): this {
    this.#fields.inputs = inputsAsJson(inputs, INPUTS);
    return this;
  }
}

/** A vehicle of a description, or one that the page updates: until it is removed and after. */
export class VehicleItem extends ItemHandle<'vehicle'> {
  static override readonly kind: Kind = 'vehicle';

  get valueCount(): number {
    return publishedBy(this.fields);
  }

  chassis(): BodyHandle {
    return this.parts[0] as BodyHandle;
  }

  numWheels(): number {
    return wheelCount(this.fields);
  }

  /** Called with each frame. */
  noteFrame(_frame: SampledFrame): void {}

  /** Sets some numbers of all wheels, as the engine has them, unless they are the same: applications do that in each frame. */
  protected setNumbers(name: 'wheels' | 'controls', at: number, numbers: readonly number[]): void {
    const before = this.fields[name] ?? [];
    const isSame = numbers.every((value, index) => Math.fround(value) === before[at + index]);
    if (isSame && this.isValid()) return;
    const length = Math.max(before.length, at + numbers.length);
    const all = Array.from({ length }, (_, index) => before[index] ?? 0);
    all.splice(at, numbers.length, ...numbers.map(Math.fround));
    this.setField(name, all);
  }
}

/** A vehicle of a description. */
export class VehicleHandle extends VehicleItem implements Vehicle {
  readonly wheels: readonly RigidBody[];

  constructor(link: WorldLink, item: NewItem<'vehicle'>) {
    super(link, item);
    this.wheels = this.parts.slice(1) as RigidBody[];
  }

  drive(driving: Driving): void {
    const { engine, steering, brake } = checkOptions('drive', driving, DRIVING);
    const controls = this.#wheels().flatMap(({ isDriven, isSteered }) => [
      isDriven ? engine : 0,
      isSteered ? steering : 0,
      brake,
    ]);
    this.setField('controls', controls);
  }

  setWheelEngineForce(wheel: number, force: number): void {
    this.#setControl(wheel, 'engineForce', finite('force', force));
  }

  setWheelSteering(wheel: number, angle: number): void {
    this.#setControl(wheel, 'steering', finite('angle', angle));
  }

  setWheelBrake(wheel: number, force: number): void {
    this.#setControl(wheel, 'brake', notNegative('force', force));
  }

  setWheel(wheel: number, options: Partial<Omit<WheelOptions, 'userData'>>): void {
    const wheels = this.#wheels();
    const index = this.#indexOf(wheel);
    wheels[index] = checkedWheel({ ...(wheels[index] as Wheel), ...options });
    this.setField('wheels', wheelsAsNumbers(wheels));
  }

  setInputs(inputs: VehicleInputs | null): void {
    this.setField('inputs', inputsAsJson(inputs, INPUTS) as NonNullable<VehicleFields['inputs']>);
  }

  get speed(): number {
    return this.#published(0);
  }

  wheelIsInContact(wheel: number): boolean {
    return this.isValid() && this.#published(1 + this.#indexOf(wheel), -1) >= 0;
  }

  wheelSuspensionLength(wheel: number): number | null {
    const length = this.#published(1 + this.#indexOf(wheel), -1);
    return length < 0 ? null : length;
  }

  #published(index: number, otherwise = 0): number {
    const { values, at } = this.link.valuesOf(this.handle);
    return at < 0 ? otherwise : (values[at + index] ?? otherwise);
  }

  #wheels(): Wheel[] {
    return wheelsOfNumbers(this.fields.wheels ?? []);
  }

  #setControl(wheel: number, name: keyof typeof CONTROL_LAYOUT.offsets, value: number): void {
    const { offsets, length } = CONTROL_LAYOUT;
    this.setNumbers('controls', length * this.#indexOf(wheel) + offsets[name], [value]);
  }

  #indexOf(wheel: number): number {
    return requireInteger('wheel', wheel, 0, this.numWheels() - 1);
  }
}
