/** Checks that several steppers' options share. Messages begin with the stepper's name. */
import { LIMITS } from '../util/limits.js';
import { requireInteger, requireNumber } from '../util/validate.js';

/** Most updates of one frame that may be asked for. */
const MAX_STEPS = 1_000_000;

/** A rate in Hz. */
export function requireRate(kind: string, name: string, value: unknown): number {
  const [low, high] = LIMITS.tickRateHz;
  return requireNumber(`${kind}: ${name}`, value, low, high);
}

/** A duration in ms. */
export function requireMs(
  kind: string,
  name: string,
  value: unknown,
  lowMs: number,
  highMs: number,
): number {
  return requireNumber(`${kind}: ${name}`, value, lowMs, highMs);
}

/** A bound on updates a frame: a whole number from 1, or Infinity for none. */
export function requireStepCap(kind: string, name: string, value: unknown): number {
  return value === Number.POSITIVE_INFINITY
    ? value
    : requireInteger(`${kind}: ${name}`, value, 1, MAX_STEPS);
}

/** @throws TypeError if it is neither true nor false. */
export function requireFlag(kind: string, name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') {
    throw new TypeError(`${kind}: ${name} must be true or false, but is ${String(value)}`);
  }
  return value;
}
