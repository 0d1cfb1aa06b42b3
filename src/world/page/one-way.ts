/** Colliders that hold things from one side. */
import type { Vector } from '../../shared/util/vectors.js';
import type { OneWayFields } from '../shared/world-fields.js';
import { group } from '../../shared/util/options.js';
import { requireObject } from '../../shared/util/validate.js';
import { direction, notNegative } from './checked-values.js';

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
const OPTIONS = group('a collider', {
  axis: (name: string, value: unknown = UP) => direction(name, value as Vector),
  margin: (name: string, value: unknown = 0.05) => notNegative(name, value as number),
});

/** @param options Null: from all sides. */
export const oneWayFields = (options: OneWay | null): OneWayFields | null =>
  options === null
    ? null
    : OPTIONS('oneWay', requireObject('oneWay', options, ' { axis, margin }'));
