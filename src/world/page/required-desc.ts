/** Checks that a description is one of this library: those of Rapier have the same names. */
import { describe } from '../../shared/util/validate.js';

/**
 * @param isOne Whether it is: classes tell their own.
 * @throws TypeError unless it is, saying what it is instead.
 */
export function requireDesc(name: string, className: string, desc: unknown, isOne: boolean): void {
  if (isOne) return;
  throw new TypeError(`${name} must be a ${className} of betwixt/world, but is ${whatIs(desc)}`);
}

/** Without the name of a class, which builds shorten. */
export const whatIs = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? 'an object of another class or package'
    : describe(value);
