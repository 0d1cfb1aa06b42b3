/** Errors of wrong props name the component and the prop: the method of a handle that throws knows neither. */
import { useState } from 'react';
import { reportUncaught } from '../render-main/util/page-errors.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Names what has thrown an error. An invalid number within a prop is named as it was written, such as `position[1]`.
 *
 * @param where What the message begins with, such as `friction of <RigidBody>`.
 * @param values Props that may be the cause, by their names.
 * @returns An error of the same type.
 */
export function named(error: unknown, where: string, values: Values = {}): unknown {
  if (!(error instanceof Error)) return error;
  const wrong = Object.entries(values).flatMap(([name, value]) => wrongNumbers(name, value));
  const message = wrong.find((text) => /^\S*[.[-]/.test(text)) ?? error.message;
  const Type = error.constructor as ErrorConstructor;
  return new Type(`${where}: ${message}`, { cause: error });
}

/** @throws whatever `call` throws, as {@link named} names it. */
export function naming<T>(where: string, call: () => T, values?: Values): T {
  try {
    return call();
  } catch (error) {
    throw named(error, where, values);
  }
}

/** A component as an application writes it: `<RigidBody name="crate">`. @param name Undefined or empty: it has none. */
export const componentNamed = (component: string, name: string | undefined): string =>
  name ? `<${component} name=${JSON.stringify(name)}>` : `<${component}>`;

/** @returns What is wrong with each: `position[1] must be finite, but is NaN`. */
function wrongNumbers(path: string, value: unknown, depth = 0): string[] {
  if (typeof value === 'number') {
    return Number.isFinite(Math.fround(value)) ? [] : [`${path} must be finite, but is ${value}`];
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  // Axes of three.js may be getters.
  const axes = AXES.filter((axis) => axis in value);
  return (axes.length > 0 ? axes : Object.keys(value)).flatMap((key) =>
    wrongNumbers(path + (isList ? `[${key}]` : `.${key}`), Reflect.get(value, key), depth + 1),
  );
}

/** Enough for lists in objects in props. */
const MAX_DEPTH = 3;
const AXES = ['x', 'y', 'z', 'w'];

/** Work after a commit, whose errors no effect of a component could throw. */
export class LateWork {
  /** Default: errors are reported as uncaught. */
  onError: (error: Error) => void = reportUncaught;

  do(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.onError(error as Error);
    }
  }
}

/** Reports what goes wrong after a commit: the next render of the component throws it, for the nearest error boundary. */
export function useLateErrors(): (error: Error) => void {
  const [failure, setFailure] = useState<Error>();
  if (failure !== undefined) throw failure;
  return setFailure;
}
