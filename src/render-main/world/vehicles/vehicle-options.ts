/** Wheels and inputs of vehicles, as applications give them: checks. */
import { requireKnownKeys } from '../../../shared/util/known-keys.js';
import type { VehicleInputs } from '../../../shared/world/control-inputs.js';
import type { Vector } from '../../../shared/world/fields.js';
import { WHEEL_NUMBERS, type Wheel } from '../../../shared/world/vehicle-wheels.js';
import type { VehicleFields } from '../../../shared/world/world-fields.js';
import { checkedInputs } from '../checks/checked-inputs.js';
import { requireFlag, notNegative, positive, vector } from '../checks/checked-values.js';

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

/** Rapier's. */
export const WHEEL_DEFAULTS = {
  directionCs: { x: 0, y: -1, z: 0 },
  axleCs: { x: -1, y: 0, z: 0 },
  maxSuspensionTravel: 5,
  suspensionStiffness: 5.88,
  suspensionCompression: 0.83,
  suspensionRelaxation: 0.88,
  maxSuspensionForce: 6000,
  frictionSlip: 10.5,
  sideFrictionStiffness: 1,
  isDriven: true,
  isSteered: false,
} as const;
const NAMES = [
  'chassisConnectionPointCs',
  'radius',
  'suspensionRestLength',
  ...Object.keys(WHEEL_DEFAULTS),
  'userData',
];

export function checkedWheel(options: Omit<Required<WheelOptions>, 'userData'>): Wheel {
  requireKnownKeys('a wheel', options, NAMES);
  const numbers = WHEEL_NUMBERS.map((name) => {
    const check = name === 'radius' || name === 'suspensionRestLength' ? positive : notNegative;
    return [name, check(name, options[name])];
  });
  return {
    ...(Object.fromEntries(numbers) as Record<(typeof WHEEL_NUMBERS)[number], number>),
    chassisConnectionPointCs: vector('chassisConnectionPointCs', options.chassisConnectionPointCs),
    directionCs: vector('directionCs', options.directionCs),
    axleCs: vector('axleCs', options.axleCs),
    isDriven: requireFlag('isDriven', options.isDriven),
    isSteered: requireFlag('isSteered', options.isSteered),
  };
}

const INPUT_NUMBERS = ['engineForce', 'brakeForce', 'maxSteering', 'steeringSpeed'];

export const vehicleInputs = (inputs: VehicleInputs | null) =>
  (inputs && checkedInputs(inputs, INPUT_NUMBERS, 'engineForce')) as NonNullable<
    VehicleFields['inputs']
  >;
