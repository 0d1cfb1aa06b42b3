/** Wheels and inputs of vehicles, as applications give them: checks. */
import type { Vector } from '../../shared/util/vectors.js';
import { requireKnownKeys, requireBoolean } from '../../shared/util/validate.js';
import type { VehicleInputs } from '../shared/control-inputs.js';
import { settingsIn } from '../shared/settings.js';
import { WHEEL, type Wheel } from '../shared/vehicle-wheels.js';
import type { VehicleFields } from '../shared/world-fields.js';
import { checkedInputs } from './checked-inputs.js';
import { settingValue } from './checked-values.js';

/** A wheel of a vehicle. The names are those of Rapier's setters, such as `setWheelFrictionSlip`. */
export interface WheelOptions {
  /** Where its suspension begins: relative to the chassis, in m or the simulation's own unit. */
  readonly chassisConnectionPointCs: Readonly<Vector>;
  /** Greater than 0, in m or the simulation's own unit. */
  readonly radius: number;
  /** Length of its suspension without a load, greater than 0, in m or the simulation's own unit. */
  readonly suspensionRestLength: number;
  /** Where it hangs, relative to the chassis: a direction. Default −y. */
  readonly directionCs?: Readonly<Vector>;
  /** About what it turns, relative to the chassis: a direction. Default −x. */
  readonly axleCs?: Readonly<Vector>;
  /** How far the suspension gives, from 0, in m or the simulation's own unit. Default 5. */
  readonly maxSuspensionTravel?: number;
  /** From 0, in N/m for each kg of the chassis. Softened in long steps, in which it would oscillate. Default 5.88. */
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
    const value = (name in options ? options[name as keyof typeof options] : row.standard) as never;
    const isFlag = row.kind === 'flag';
    return [name, isFlag ? requireBoolean(name, value) : settingValue(row, name, [value])];
  });
  return Object.fromEntries(entries) as Wheel;
}

const INPUT_NUMBERS = ['engineForce', 'brakeForce', 'maxSteering', 'steeringSpeed'];

export const vehicleInputs = (inputs: VehicleInputs | null) =>
  (inputs && checkedInputs(inputs, INPUT_NUMBERS, 'engineForce')) as NonNullable<
    VehicleFields['inputs']
  >;
