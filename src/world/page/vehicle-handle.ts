/** Vehicles of a world, as the page has them. */
import { requireKnownKeys, requireInteger } from '../../shared/util/validate.js';
import type { VehicleInputs } from '../shared/control-inputs.js';
import {
  CONTROLS,
  publishedBy,
  wheelsAsNumbers,
  wheelsOfNumbers,
  type Wheel,
} from '../shared/vehicle-wheels.js';
import type { Kind, VehicleFields } from '../shared/world-fields.js';
import { finite, isSameSetting, notNegative } from './checked-values.js';
import type { Maker } from './make-handle.js';
import type { Thing } from './page-contents.js';
import type { RigidBody } from './rigid-body.js';
import type { Driving, Vehicle } from './vehicle.js';
import { checkedWheel, vehicleInputs, type WheelOptions } from './vehicle-options.js';
import type { WorldLink } from './world-link.js';

/** A vehicle, until it is removed and after. */
export class VehicleHandle implements Vehicle {
  static readonly kind: Kind = 'vehicle';
  readonly handle: number;
  readonly wheels: readonly RigidBody[];
  readonly valueCount: number;
  readonly #link: WorldLink;
  readonly #chassis: RigidBody;
  #fields: VehicleFields;

  constructor(
    link: WorldLink,
    handle: number,
    fields: VehicleFields,
    [chassis, ...wheels]: readonly RigidBody[],
  ) {
    this.#link = link;
    this.handle = handle;
    this.#fields = fields;
    this.#chassis = chassis as RigidBody;
    this.wheels = wheels;
    this.valueCount = publishedBy(wheels.length);
  }

  adopt(fields: VehicleFields): void {
    this.#fields = { ...fields };
  }

  isValid(): boolean {
    return this.#link.has('vehicle', this);
  }

  chassis(): RigidBody {
    return this.#chassis;
  }

  numWheels(): number {
    return this.wheels.length;
  }

  drive(driving: Driving): void {
    requireKnownKeys('drive', driving, ['engine', 'steering', 'brake']);
    const engine = finite('engine', driving.engine ?? 0);
    const steering = finite('steering', driving.steering ?? 0);
    const brake = notNegative('brake', driving.brake ?? 0);
    const controls = this.#wheels().flatMap(({ isDriven, isSteered }) => [
      isDriven ? engine : 0,
      isSteered ? steering : 0,
      brake,
    ]);
    this.#set('controls', controls);
  }

  setWheelEngineForce(wheel: number, force: number): void {
    this.#setControl(wheel, 0, finite('force', force));
  }

  setWheelSteering(wheel: number, angle: number): void {
    this.#setControl(wheel, 1, finite('angle', angle));
  }

  setWheelBrake(wheel: number, force: number): void {
    this.#setControl(wheel, 2, notNegative('force', force));
  }

  setWheel(wheel: number, options: Partial<Omit<WheelOptions, 'userData'>>): void {
    const wheels = this.#wheels();
    const index = this.#indexOf(wheel);
    wheels[index] = checkedWheel({ ...(wheels[index] as Wheel), ...options });
    this.#set('wheels', wheelsAsNumbers(wheels));
  }

  setInputs(inputs: VehicleInputs | null): void {
    this.#set('inputs', vehicleInputs(inputs));
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
    const { values, at } = this.#link.valuesOf(this.handle);
    return at < 0 ? otherwise : (values[at + index] ?? otherwise);
  }

  #wheels(): Wheel[] {
    return wheelsOfNumbers(this.#fields.wheels ?? []);
  }

  #indexOf(wheel: number): number {
    return requireInteger('wheel', wheel, 0, this.wheels.length - 1);
  }

  #setControl(wheel: number, which: number, value: number): void {
    const index = this.#indexOf(wheel);
    const { controls = Array.from({ length: CONTROLS * this.wheels.length }, () => 0) } =
      this.#fields;
    this.#set(
      'controls',
      Array.from(controls, (before, at) => (at === CONTROLS * index + which ? value : before)),
    );
  }

  #set<Name extends keyof VehicleFields>(
    name: Name,
    value: NonNullable<VehicleFields[Name]>,
  ): void {
    if (this.isValid() && isSameSetting(this.#fields[name], value)) return;
    const open = this.#link.change('vehicle', this);
    if (open === undefined) return;
    this.#fields[name] = value;
    open[name] = value;
  }
}

export const makeVehicle: Maker<'vehicle'> = (link, handle, bodies, fields) =>
  new VehicleHandle(link, handle, fields, bodies as readonly Thing[] as readonly RigidBody[]);
