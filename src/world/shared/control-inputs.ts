/** Keys and gamepads that control a character or a vehicle: the options, and the controls that follow from the inputs of a tick. */
import type { InputState } from '../../shared/input/input-state.js';
import type { KeyName } from '../../shared/input/key-codes.js';

/** Keys for each direction, by `KeyboardEvent.code`. */
export interface ControlKeys {
  /** Default W and the up arrow. */
  readonly forward?: readonly KeyName[];
  /** Default S and the down arrow. */
  readonly back?: readonly KeyName[];
  /** Default A and the left arrow. */
  readonly left?: readonly KeyName[];
  /** Default D and the right arrow. */
  readonly right?: readonly KeyName[];
  /** To jump or to brake. Default the space bar. */
  readonly action?: readonly KeyName[];
}

/** Which inputs control something. */
export interface ControlInputs {
  /** The keys. */
  readonly keys?: ControlKeys;
  /**
   * Indices of the gamepads, 0 to 255, in their standard layout. The left stick moves, and the lowest of the four buttons
   * on the right is for action; vehicles are driven by the triggers. Default the first one.
   */
  readonly gamepads?: readonly number[];
}

export const DEFAULT_KEYS: Required<ControlKeys> = {
  forward: ['KeyW', 'ArrowUp'],
  back: ['KeyS', 'ArrowDown'],
  left: ['KeyA', 'ArrowLeft'],
  right: ['KeyD', 'ArrowRight'],
  action: ['Space'],
};

/** A character's inputs. A type, so that it counts as plain data. */
export type CharacterInputs = ControlInputs & {
  /** In m/s, from 0, at full deflection. */
  readonly speed: number;
  /** In m/s, from 0: with which it leaves the ground. Default 0: it does not jump. */
  readonly jumpSpeed?: number;
};

/** A vehicle's inputs. A type, so that it counts as plain data. */
export type VehicleInputs = ControlInputs & {
  /** Force of each driven wheel, in N, from 0. */
  readonly engineForce: number;
  /** Braking force of each wheel, in N, from 0. Default 0. */
  readonly brakeForce?: number;
  /** The most that steered wheels turn to each side, in radians, 0 to π/2. Default 0.5. */
  readonly maxSteering?: number;
  /** How fast they turn, in radians per second, from 0. Default 2.5. */
  readonly steeringSpeed?: number;
};

/** Indices of a gamepad's standard layout. */
const PAD = { stickX: 0, stickY: 1, action: 0, back: 6, forward: 7 } as const;

/** The controls in a tick. */
export interface Control {
  /** −1 to 1. */
  readonly forward: number;
  /** −1 to 1. */
  readonly right: number;
  /** Whether the key for it went down in the tick. */
  readonly isActionNew: boolean;
  /** How far it is held, 0 to 1. */
  readonly action: number;
}

/** @param drives Whether a gamepad's triggers move it, and not its stick. */
export function controlIn(
  input: InputState,
  { keys, gamepads = [0] }: ControlInputs,
  drives: boolean,
): Control {
  const { forward, back, left, right, action } = { ...DEFAULT_KEYS, ...keys };
  const held = (names: readonly KeyName[]): number =>
    names.some((name) => input.isDown(name)) ? 1 : 0;
  const pads = (value: (device: number) => number): number =>
    gamepads.reduce((sum, device) => sum + value(device), 0);
  const button = (index: number): number => pads((device) => input.button(device, index));
  const ahead = drives
    ? button(PAD.forward) - button(PAD.back)
    : -pads((device) => input.axis(device, PAD.stickY));
  return {
    forward: within(held(forward) - held(back) + ahead),
    right: within(held(right) - held(left) + pads((device) => input.axis(device, PAD.stickX))),
    isActionNew:
      action.some((name) => input.wasPressed(name)) ||
      gamepads.some((device) => input.wasButtonPressed(device, PAD.action)),
    action: within(held(action) + button(PAD.action)),
  };
}

const within = (value: number): number => Math.min(1, Math.max(-1, value));
