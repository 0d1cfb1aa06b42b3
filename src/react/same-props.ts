/** Compares props: what is equal needs no work. */
import { isEqual } from './settings.js';

/** Whether two objects have equal values under the same names: arrays by their items, others by identity. */
export function isSameProps(a: object, b: object): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every(
      (name) =>
        name in b &&
        isEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
    )
  );
}
