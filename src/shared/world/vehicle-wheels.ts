/** The wheels of a vehicle as numbers. */
import type { Vector } from './fields.js';

/** A wheel, with the names of Rapier's setters. */
export interface Wheel {
  readonly chassisConnectionPointCs: Vector;
  readonly directionCs: Vector;
  readonly axleCs: Vector;
  readonly suspensionRestLength: number;
  readonly radius: number;
  readonly maxSuspensionTravel: number;
  readonly suspensionStiffness: number;
  readonly suspensionCompression: number;
  readonly suspensionRelaxation: number;
  readonly maxSuspensionForce: number;
  readonly frictionSlip: number;
  readonly sideFrictionStiffness: number;
  readonly isDriven: boolean;
  readonly isSteered: boolean;
}

const VECTORS = ['chassisConnectionPointCs', 'directionCs', 'axleCs'] as const;
/** In the order of the format of recordings. */
export const WHEEL_NUMBERS = [
  'suspensionRestLength',
  'radius',
  'maxSuspensionTravel',
  'suspensionStiffness',
  'suspensionCompression',
  'suspensionRelaxation',
  'maxSuspensionForce',
  'frictionSlip',
  'sideFrictionStiffness',
] as const;
const FLAGS = ['isDriven', 'isSteered'] as const;
const LENGTH = 3 * VECTORS.length + WHEEL_NUMBERS.length + FLAGS.length;

/** Of each wheel's controls. */
export const CONTROLS = 3;

/** Numbers that a vehicle publishes: its speed, and of each wheel how long its suspension is; negative: in the air. */
export const publishedBy = (wheels: number): number => 1 + wheels;

export const wheelsAsNumbers = (wheels: readonly Wheel[]): number[] =>
  wheels.flatMap((wheel) => [
    ...VECTORS.flatMap((name) => [wheel[name].x, wheel[name].y, wheel[name].z]),
    ...WHEEL_NUMBERS.map((name) => wheel[name]),
    ...FLAGS.map((name) => Number(wheel[name])),
  ]);

export function wheelsOfNumbers(numbers: ArrayLike<number>): Wheel[] {
  const count = Math.floor(numbers.length / LENGTH);
  return Array.from({ length: count }, (_, index): Wheel => {
    let at = index * LENGTH;
    const next = (): number => numbers[at++] ?? 0;
    const entries = [
      ...VECTORS.map((name) => [name, { x: next(), y: next(), z: next() }] as const),
      ...WHEEL_NUMBERS.map((name) => [name, next()] as const),
      ...FLAGS.map((name) => [name, next() !== 0] as const),
    ];
    return Object.fromEntries(entries) as unknown as Wheel;
  });
}
