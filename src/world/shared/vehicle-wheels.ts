/** The wheels of a vehicle: their settings, and how these are sent as numbers. */
import { type FieldsOf, settingsIn, type KindsOf, type SettingTable } from './setting-types.js';

/** The settings of a wheel, with the names of Rapier's setters, such as `setWheelRadius`, and its defaults. The order is part of the format of recordings. */
export const WHEEL = {
  chassisConnectionPointCs: { kind: 'vector' },
  directionCs: { kind: 'vector', standard: { x: 0, y: -1, z: 0 } },
  axleCs: { kind: 'vector', standard: { x: -1, y: 0, z: 0 } },
  suspensionRestLength: { kind: 'float', check: 'positive' },
  radius: { kind: 'float', check: 'positive' },
  maxSuspensionTravel: { kind: 'float', check: 'notNegative', standard: 5 },
  suspensionStiffness: { kind: 'float', check: 'notNegative', standard: 5.88 },
  suspensionCompression: { kind: 'float', check: 'notNegative', standard: 0.83 },
  suspensionRelaxation: { kind: 'float', check: 'notNegative', standard: 0.88 },
  maxSuspensionForce: { kind: 'float', check: 'notNegative', standard: 6000 },
  frictionSlip: { kind: 'float', check: 'notNegative', standard: 10.5 },
  sideFrictionStiffness: { kind: 'float', check: 'notNegative', standard: 1 },
  isDriven: { kind: 'flag', standard: true, set: null },
  isSteered: { kind: 'flag', standard: false, set: null },
} as const satisfies SettingTable;
export type Wheel = Readonly<Required<FieldsOf<KindsOf<typeof WHEEL>>>>;

const LENGTH = settingsIn(WHEEL).reduce((sum, { row }) => sum + (row.kind === 'vector' ? 3 : 1), 0);

/** How many numbers the controls of a wheel are. */
export const CONTROLS = 3;

/** Numbers that a vehicle publishes: its speed, and of each wheel how long its suspension is; negative: in the air. */
export const publishedBy = (wheels: number): number => 1 + wheels;

export const wheelsAsNumbers = (wheels: readonly Wheel[]): number[] =>
  wheels.flatMap((wheel) =>
    settingsIn(WHEEL).flatMap(({ name }) => {
      const value = wheel[name as keyof Wheel];
      return typeof value === 'object' ? [value.x, value.y, value.z] : Number(value);
    }),
  );

export function wheelsOfNumbers(numbers: ArrayLike<number>): Wheel[] {
  const wheels: Wheel[] = [];
  for (let at = 0; at + LENGTH <= numbers.length;) {
    const next = (): number => numbers[at++] ?? 0;
    const entries = settingsIn(WHEEL).map(({ name, row: { kind } }) => {
      if (kind === 'vector') return [name, { x: next(), y: next(), z: next() }];
      return [name, kind === 'flag' ? next() !== 0 : next()];
    });
    wheels.push(Object.fromEntries(entries) as Wheel);
  }
  return wheels;
}
