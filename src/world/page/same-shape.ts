/** Whether two colliders have the same shape, for the engine, which has 32 bits of each number: so has the page after a jump. */
import { isSameSetting } from './checked-values.js';
import type { Collider } from './collider.js';
import { settingsOf } from './collider-handle.js';

type Numbers = Float32Array | Uint32Array;

/** Of a compound shape, only if it is identical. */
export function isSameShape(a: Collider, b: Collider): boolean {
  const [one, two] = [settingsOf(a)?.shape, settingsOf(b)?.shape];
  return (
    one === two ||
    (isAlikeShape(a, b) &&
      isSameSetting(one?.scale, two?.scale) &&
      areSame(one?.vertices, two?.vertices) &&
      areSame(one?.indices, two?.indices) &&
      (one?.parts ?? two?.parts) === undefined)
  );
}

/** Of the points, which are not known of a collider that another page has made, nothing is asked. */
export const isAlikeShape = (a: Collider, b: Collider): boolean =>
  a.shapeType() === b.shapeType() && isSameSetting(a.shapeSizes(), b.shapeSizes());

const areSame = (a: Numbers | undefined, b: Numbers | undefined): boolean =>
  a === b || (a?.length === b?.length && a?.every((number, at) => number === b?.[at]) === true);
