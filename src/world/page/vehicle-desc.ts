/** Descriptions of vehicles and their wheels. They load no engine. */
import { requireInteger } from '../../shared/util/validate.js';
import type { VehicleInputs } from '../shared/control-inputs.js';
import { wheelsAsNumbers, type Wheel } from '../shared/vehicle-wheels.js';
import type { VehicleFields } from '../shared/world-fields.js';
import { registerDesc } from './desc-parts.js';
import { makeVehicle } from './vehicle-handle.js';
import { checkedWheel, vehicleInputs, type WheelOptions } from './vehicle-options.js';

/** What a vehicle is like: a description, which may be used for any number of vehicles. */
export class VehicleDesc {
  readonly #fields: VehicleFields = {};
  readonly #wheels: Wheel[] = [];
  readonly #userData: unknown[] = [];

  static {
    registerDesc('VehicleDesc', (desc) =>
      desc instanceof VehicleDesc
        ? {
            fields: { ...desc.#fields, wheels: wheelsAsNumbers(desc.#wheels) },
            userData: [...desc.#userData],
            make: makeVehicle,
          }
        : undefined,
    );
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
   * Which axis of the chassis is forward.
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
    this.#fields.inputs = vehicleInputs(inputs);
    return this;
  }
}
