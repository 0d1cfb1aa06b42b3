/**
 * Checks of what an application passes to a world: it throws at the call, before anything is sent. What Rapier's own
 * JavaScript takes is taken, as WebAssembly converts it: applications leave arguments out, and pass texts of inputs. What
 * would become NaN is an error.
 */
import { keyCode } from '../../shared/input/key-codes.js';
import type { Json } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import { group, number as numberFrom, optional } from '../../shared/util/options.js';
import {
  describe,
  requireInteger,
  requireNumber,
  requireObject,
  requireList,
} from '../../shared/util/validate.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { DEFAULT_KEYS, type ControlInputs } from '../shared/control-inputs.js';
import type { MassProperties, SettingRow } from '../shared/setting-types.js';

const isFinite32 = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(Math.fround(value));

/** A number that 32 bits can hold, or what becomes one. */
export function finite(name: string, value: number): number {
  const number = Number(value);
  if (isFinite32(number)) return number;
  if (typeof value === 'number') {
    throw new RangeError(`${name} must be finite in 32 bits, but is ${value}`);
  }
  throw new TypeError(`${name} must be a number, but is ${describe(value)}`);
}

/** Like {@link finite}, and not negative. */
export function notNegative(name: string, value: number): number {
  const number = finite(name, value);
  if (number >= 0) return number;
  throw new RangeError(`${name} must not be negative, but is ${value}`);
}

/** Like {@link finite}, and greater than 0 in 32 bits. */
export function positive(name: string, value: number): number {
  const number = finite(name, value);
  if (Math.fround(number) > 0) return number;
  throw new RangeError(`${name} must be greater than 0, but is ${value}`);
}

/** How far something goes; Infinity is as far as 32 bits can say. */
export const reach = (name: string, value: number): number =>
  finite(name, value > LIMITS.float32 ? LIMITS.float32 : value);

/** A whole number in a range: what follows the point is cut off. */
export const integer = (name: string, value: number, low: number, high: number): number =>
  requireInteger(name, Math.trunc(finite(name, value)), low, high);

/** The lowest 32 bits of a number. */
export const bits = (name: string, value: number): number => finite(name, value) >>> 0;

/** A value as a whole number, of which only 0 is false. So what is missing is false, and the text "x", too. */
export const flag = (value: unknown): boolean => Number(value) >>> 0 !== 0;

/** A copy, because applications reuse their vectors. */
export function vector(name: string, value: Readonly<Vector>): Vector {
  requireObject(name, value, ' { x, y, z }');
  const { x, y, z } = value;
  // Names of fields are made only for errors: there may be thousands of vectors in a frame.
  if (isFinite32(x) && isFinite32(y) && isFinite32(z)) return { x, y, z };
  return { x: finite(`${name}.x`, x), y: finite(`${name}.y`, y), z: finite(`${name}.z`, z) };
}

/** A copy. */
export function direction(name: string, value: Readonly<Vector>): Vector {
  const checked = vector(name, value);
  if (checked.x !== 0 || checked.y !== 0 || checked.z !== 0) return checked;
  throw new RangeError(`${name} must be a direction, but has a length of 0`);
}

/** A copy. */
export function rotation(name: string, value: Readonly<Rotation>): Rotation {
  requireObject(name, value, ' { x, y, z, w }');
  const { x, y, z } = vector(name, value);
  const { w } = value;
  const copy = { x, y, z, w: isFinite32(w) ? w : finite(`${name}.w`, w) };
  if (Math.hypot(copy.x, copy.y, copy.z, copy.w) > 0) return copy;
  throw new RangeError(`${name} must be a rotation, but has a length of 0`);
}

/** The force and the torque at which a joint breaks; Infinity is never. */
export const breakForces = (force: number, torque = Infinity): readonly [number, number] => {
  requireNumber('breakForce', force, 0, Infinity);
  requireNumber('the torque of breakForce', torque, 0, Infinity);
  return [force, torque];
};

/** A copy. */
export const massProperties = (
  mass: number,
  centerOfMass: Readonly<Vector>,
  principalAngularInertia: Readonly<Vector>,
  angularInertiaLocalFrame: Readonly<Rotation>,
): MassProperties => ({
  mass: notNegative('mass', mass),
  centerOfMass: vector('centerOfMass', centerOfMass),
  principalAngularInertia: vector('principalAngularInertia', principalAngularInertia),
  angularInertiaLocalFrame: rotation('angularInertiaLocalFrame', angularInertiaLocalFrame),
});

const CHECKS = { notNegative, positive, direction };

/** The value of a setting that a method is given. @param name For errors. */
export function settingValue(row: SettingRow, name: string, args: readonly unknown[]): unknown {
  const { kind, check, range } = row;
  const value = args[0] as never;
  if (check !== undefined) return CHECKS[check](name, value);
  switch (kind) {
    case 'flag':
      return flag(value);
    case 'flags':
      return [flag(value), flag(args[1]), flag(args[2])];
    case 'vector':
      return vector(name, value);
    case 'rotation':
      return rotation(name, value);
    case 'mass':
      return massProperties(...(args as Parameters<typeof massProperties>));
    case 'float':
      return range === undefined ? finite(name, value) : requireNumber(name, value, ...range);
    default:
      return range === undefined ? bits(name, value) : integer(name, value, ...range);
  }
}

/** Whether a setting stays as it is: it is not sent then. */
export const isSame = (before: unknown, value: unknown): boolean =>
  before === value ||
  // Only objects can be equal without being the same.
  (typeof before === 'object' &&
    typeof value === 'object' &&
    JSON.stringify(before) === JSON.stringify(value));

/** Whether a setting stays as it is for the engine, which has 32 bits of each number: so has the page after a jump of the run. */
export function isSameSetting(before: unknown, value: unknown): boolean {
  if (before === value) return true;
  if (!isObject(before) || !isObject(value)) return Object.is(as32Bits(before), as32Bits(value));
  const names = Object.keys(value);
  return (
    names.length === Object.keys(before).length &&
    names.every((name) => isSameSetting(before[name], value[name]))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whole numbers may have 32 bits themselves. */
const as32Bits = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Math.fround(value) : value;

/**
 * Checks that a description is one of this library: those of Rapier have the same names.
 *
 * @param isOne Whether it is: classes tell their own.
 * @throws TypeError unless it is, saying what it is instead.
 */
export function requireDesc(name: string, className: string, desc: unknown, isOne: boolean): void {
  if (isOne) return;
  throw new TypeError(`${name} must be a ${className} of betwixt/world, but is ${whatIs(desc)}`);
}

/** A value in words, without the name of a class, which builds shorten. */
export const whatIs = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? 'an object of another class or package'
    : describe(value);

/** A number from 0 among inputs. */
export const amount = numberFrom(0, Number.MAX_VALUE);

const keyNames = (name: string, value: unknown): readonly string[] => {
  const wrong = requireList<string>(name, value).find((key) => keyCode(String(key)) < 0);
  if (wrong === undefined) return value as readonly string[];
  throw new RangeError(
    `${name} must have names of keys such as "KeyW", and has "${String(wrong)}"`,
  );
};

const gamepads = (name: string, value: unknown): readonly number[] =>
  requireList(name, value).map((index) => requireInteger(name, index, 0, 255));

/** The options that all inputs have. */
export const CONTROL_INPUTS = {
  keys: optional(
    group(
      'inputs.keys',
      Object.fromEntries(Object.keys(DEFAULT_KEYS).map((key) => [key, optional(keyNames)])),
    ),
  ),
  gamepads: optional(gamepads),
};

/** A copy, as plain data. */
export const inputsAsJson = (
  inputs: ControlInputs | null,
  check: (name: string, value: unknown) => object,
): Json => inputs && (JSON.parse(JSON.stringify(check('inputs', inputs))) as Json);
