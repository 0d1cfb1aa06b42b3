/** A character of a world, as applications have it. */
import type { Vector } from '../../shared/util/vectors.js';
import type { CharacterSettings } from './character-settings.js';
import type { Collider } from './collider.js';
import type { RigidBody } from './rigid-body.js';

/**
 * A handle of a character, made by `World.createCharacter`. It walks in the worker, with every tick; what is set
 * here takes effect on a later one. On a character that was removed, methods do nothing, and say so once in the console.
 */
export interface Character extends CharacterSettings {
  /** Its number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** Whether it was on the ground after the newest tick that the page knows. */
  readonly isGrounded: boolean;
  /** The body that it was on then; undefined in the air, and on a collider without a body. */
  readonly ground: RigidBody | undefined;
  /** How it moved in that tick, in m/s. */
  readonly velocity: Vector;
  /** False after it was removed, or its collider was. */
  isValid(): boolean;
  /** What moves. */
  collider(): Collider;
  /**
   * Makes it walk from now on, until the next call: a late page does not stop it.
   *
   * @param velocity In m/s; gravity and jumps are added to it.
   * @throws TypeError, RangeError naming the invalid value.
   */
  move(velocity: Readonly<Vector>): void;
  /**
   * Makes it jump if it is on the ground, or lands there within a tenth of a second.
   *
   * @param speed Upwards, in m/s.
   * @throws TypeError, RangeError naming the invalid value.
   */
  jump(speed: number): void;
}
