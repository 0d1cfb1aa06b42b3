/**
 * How a scene is driven: by inputs, from the keyboard, a gamepad and a pad for thumbs, added up.
 *
 * A gamepad has the standard mapping: axis 0 steers, button 7 accelerates, 6 goes backwards, 0 brakes.
 */
import type { KeyName } from '../../src/shared/index.js';

/** The driver's actions. Throttle and steer from −1 to 1, to the right is positive; brake from 0 to 1. */
export interface DriveInput {
  readonly throttle: number;
  readonly steer: number;
  readonly brake: number;
}

/** Codes of the pad's inputs, of the kind `custom`: x is the value, as in a DriveInput, until the next one. */
export const DRIVE_AXES = { throttle: 1, steer: 2, brake: 3 } as const;

/** By the keys' places, so that they lie together on every keyboard. Not space, which pauses. */
export const DRIVE_KEYS = {
  forwards: ['KeyW', 'ArrowUp'],
  backwards: ['KeyS', 'ArrowDown'],
  left: ['KeyA', 'ArrowLeft'],
  right: ['KeyD', 'ArrowRight'],
  brake: ['ShiftLeft', 'ShiftRight'],
} as const satisfies Readonly<Record<string, readonly KeyName[]>>;
