/** Errors of wrong props name the component and the prop: what throws, such as a method of a handle, knows neither. */
import { useState } from 'react';
import { describe } from '../../../shared/util/validate.js';

/** @param where What the message begins with, such as `friction of <RigidBody>`. @returns An error of the same type. */
export function named(error: unknown, where: string): unknown {
  if (!(error instanceof Error)) return error;
  const Type = error.constructor as ErrorConstructor;
  return new Type(`${where}: ${error.message}`, { cause: error });
}

/** @throws What `call` throws, {@link named}. */
export function naming<T>(where: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw named(error, where);
  }
}

/** @throws TypeError naming it. */
export function requireArray(name: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new TypeError(`${name} must be an array, but is ${describe(value)}`);
}

/** Reports what goes wrong after a commit: the next render of the component throws it, for the nearest error boundary. */
export function useLateErrors(): (error: Error) => void {
  const [failure, setFailure] = useState<Error>();
  if (failure !== undefined) throw failure;
  return setFailure;
}
