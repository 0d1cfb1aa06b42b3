/** The wheels of a vehicle: their settings, and how these are sent as numbers; and the numbers that a vehicle publishes. */
import type { Vector } from '../../shared/util/vectors.js';
import type { VehicleFields } from './setting-tables.js';
import { type FieldsOf, settingsIn, type KindsOf, type SettingTable } from './setting-types.js';

/** The settings of a wheel, with the names of Rapier's setters, such as `setWheelRadius`, and its defaults. The order is part of the format of recordings. */
export const WHEEL = {
  chassisConnectionPointCs: { kind: 'vector' },
  directionCs: { kind: 'vector', default: { x: 0, y: -1, z: 0 } },
  axleCs: { kind: 'vector', default: { x: -1, y: 0, z: 0 } },
  suspensionRestLength: { kind: 'float', check: 'notNegative' },
  radius: { kind: 'float', check: 'positive' },
  maxSuspensionTravel: { kind: 'float', check: 'notNegative', default: 5 },
  suspensionStiffness: { kind: 'float', check: 'notNegative', default: 5.88 },
  suspensionCompression: { kind: 'float', check: 'notNegative', default: 0.83 },
  suspensionRelaxation: { kind: 'float', check: 'notNegative', default: 0.88 },
  maxSuspensionForce: { kind: 'float', check: 'notNegative', default: 6000 },
  frictionSlip: { kind: 'float', check: 'notNegative', default: 10.5 },
  sideFrictionStiffness: { kind: 'float', check: 'notNegative', default: 1 },
  isDriven: { kind: 'flag', default: true, set: null },
  isSteered: { kind: 'flag', default: false, set: null },
} as const satisfies SettingTable;
export type Wheel = Readonly<Required<FieldsOf<KindsOf<typeof WHEEL>>>>;

/** The controls of a wheel. The order is part of the format of recordings, too. */
export const CONTROL = {
  engineForce: { kind: 'float' },
  steering: { kind: 'float' },
  brake: { kind: 'float', check: 'notNegative' },
} as const satisfies SettingTable;

/** Where each setting of a wheel begins among its numbers, and how many these are. */
function numberLayout<T extends SettingTable>(table: T) {
  let length = 0;
  const entries = settingsIn(table).map(({ name, row }) => {
    const offset = length;
    length += row.kind === 'vector' ? 3 : 1;
    return [name, offset];
  });
  return { offsets: Object.fromEntries(entries) as Readonly<Record<keyof T, number>>, length };
}
export const WHEEL_LAYOUT = numberLayout(WHEEL);
export const CONTROL_LAYOUT = numberLayout(CONTROL);

/** The numbers that a wheel publishes if the page updates its vehicle, by their offsets. A vector takes three, a handle two. */
export const WHEEL_VALUES = {
  /** In radians. */
  rotation: 0,
  /** 1 + how many times its direction the ground is away; 0: it touches nothing. */
  contact: 1,
  normal: 2,
  forwardImpulse: 5,
  sideImpulse: 6,
  suspensionForce: 7,
  ground: 8,
} as const;
export const WHEEL_VALUE_COUNT = 10;

const AXES = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
] as const;
/** Where forward is, relative to the chassis. Rapier's default is the axis x. */
export const forwardOf = ({ rays, indexForwardAxis }: VehicleFields): Readonly<Vector> =>
  AXES[indexForwardAxis ?? (rays === undefined ? 2 : 0)] ?? AXES[2];

export const wheelCount = ({ wheels = [] }: VehicleFields): number =>
  wheels.length / WHEEL_LAYOUT.length;

/**
 * How many numbers a vehicle publishes: its speed, and of each wheel how long its suspension is, negative in the air; or
 * {@link WHEEL_VALUES} of each wheel, if the page updates it.
 */
export const publishedBy = (fields: VehicleFields): number =>
  fields.rays === undefined ? 1 + wheelCount(fields) : WHEEL_VALUE_COUNT * wheelCount(fields);

export const wheelsAsNumbers = (wheels: readonly Wheel[]): number[] =>
  wheels.flatMap((wheel) =>
    settingsIn(WHEEL).flatMap(({ name }) => {
      const value = wheel[name as keyof Wheel];
      return typeof value === 'object' ? [value.x, value.y, value.z] : Number(value);
    }),
  );

export function wheelsOfNumbers(numbers: ArrayLike<number>): Wheel[] {
  const wheels: Wheel[] = [];
  for (let at = 0; at + WHEEL_LAYOUT.length <= numbers.length;) {
    const next = (): number => numbers[at++] ?? 0;
    const entries = settingsIn(WHEEL).map(({ name, row: { kind } }) => {
      if (kind === 'vector') return [name, { x: next(), y: next(), z: next() }];
      return [name, kind === 'flag' ? next() !== 0 : next()];
    });
    wheels.push(Object.fromEntries(entries) as Wheel);
  }
  return wheels;
}
