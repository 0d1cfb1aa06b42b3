/** A probe of a world, as the page has it. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import type { Collider } from '../bodies/collider.js';
import type { QueryFilter } from './query-filter.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import type { Shape } from '../shapes/shape-classes.js';

/**
 * A question that stays: a ray, or a moving shape, that the worker casts after every tick. The answer arrives with the state of
 * the tick and is read without waiting, as that of the newest state. What is set here takes effect on a later tick; until
 * a state has it, the answer is that of what was set before.
 *
 * Made by `World.createProbe`. All that change something throw TypeError or RangeError, naming the field, for a value of
 * another type, a number that is not finite in 32 bits, or one out of its range.
 */
export interface Probe {
  /** The probe's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** False after it was removed. */
  isValid(): boolean;
  /** What it is relative to; null if it has no body. */
  parent(): RigidBody | null;
  /** Whether the newest state has its answer: it is there, and enabled. */
  readonly isAnswered: boolean;
  /** Whether it hits something. */
  readonly hit: boolean;
  /** How many times its direction it goes until it hits; Infinity if it hits nothing. */
  readonly timeOfImpact: number;
  /** How far it goes until it hits, in m or the simulation's own unit; Infinity if it hits nothing. */
  readonly distance: number;
  /** Where it hits, in the world; undefined if it hits nothing. */
  readonly point: Vector | undefined;
  /** Of what it hits, in the world; undefined if it hits nothing. */
  readonly normal: Vector | undefined;
  /** What it hits; undefined if it hits nothing, or what was removed since. */
  readonly collider: Collider | undefined;
  /** Whether it is cast. */
  isEnabled(): boolean;
  /** Where it begins, relative to its body. */
  translation(): Vector;
  /** How its shape is turned, relative to its body. */
  rotation(): Rotation;
  /** Where it goes, relative to its body. */
  direction(): Vector;
  /** How many times its direction it goes. */
  maxToi(): number;
  /** Where it begins, relative to its body. */
  setTranslation(value: Readonly<Vector>): void;
  /** How its shape is turned, relative to its body. */
  setRotation(value: Readonly<Rotation>): void;
  /** Where it goes, relative to its body. */
  setDirection(value: Readonly<Vector>): void;
  /** @param maxToi How many times its direction it goes, from 0. */
  setMaxToi(maxToi: number): void;
  /** Whether a ray that begins inside of a shape hits it at once. */
  setSolid(solid: boolean): void;
  /**
   * Another shape.
   *
   * @throws Error if it is a ray.
   */
  setShape(shape: Shape): void;
  /** What it passes over, in the place of what was set before. */
  setFilter(filter: QueryFilter): void;
  /** Whether it is cast. */
  setEnabled(enabled: boolean): void;
}
