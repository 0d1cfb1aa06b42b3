/** Checks shared by the options of several steppers. Messages begin with the stepper's name. */
import { LIMITS } from '../util/limits.js';
import { requireInteger, requireNumber } from '../util/validate.js';

/** Upper limit of the maximum updates per frame. */
const MAX_STEPS = 1_000_000;

/** A rate in Hz. */
export function requireRate(kind: string, name: string, value: unknown): number {
  const [low, high] = LIMITS.tickRateHz;
  return requireNumber(`${kind}: ${name}`, value, low, high);
}

export function requireMs(
  kind: string,
  name: string,
  value: unknown,
  lowMs: number,
  highMs: number,
): number {
  return requireNumber(`${kind}: ${name}`, value, lowMs, highMs);
}

/** A limit on updates per frame: a whole number from 1, or Infinity for none. */
export function requireStepCap(kind: string, name: string, value: unknown): number {
  return value === Number.POSITIVE_INFINITY
    ? value
    : requireInteger(`${kind}: ${name}`, value, 1, MAX_STEPS);
}

/** @throws TypeError if it is not a boolean. */
export function requireFlag(kind: string, name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${kind}: ${name} must be true or false, but is ${String(value)}`);
  }
  return value;
}
