/** Colliders that hold things from one side. */
import type { Vector } from '../../../shared/world/fields.js';
import type { OneWayFields } from '../../../shared/world/one-way.js';
import { requireKnownKeys } from '../../../shared/util/known-keys.js';
import { direction, notNegative, requireObject } from './checked-values.js';

/** From which side a collider holds things: see `ColliderDesc.setOneWay`. */
export interface OneWay {
  /** Where its front is: a direction in the collider's own space, of any length. Default y. */
  readonly axis?: Readonly<Vector> | undefined;
  /**
   * Something that is found in it at first is held if it is at most this deep in its front, and passes otherwise. From 0, in m or the
   * simulation's own unit. Default 0.05.
   */
  readonly margin?: number | undefined;
}

const UP = { x: 0, y: 1, z: 0 } as const;

/** @param options Null: from all sides. */
export function oneWayFields(options: OneWay | null): OneWayFields | null {
  if (options === null) return null;
  requireObject('oneWay', options, '{ axis, margin }');
  requireKnownKeys('oneWay', options, ['axis', 'margin']);
  const { axis = UP, margin = 0.05 } = options;
  return { axis: direction('oneWay.axis', axis), margin: notNegative('oneWay.margin', margin) };
}
