/** An input as the simulation sees it: what was pressed or moved, and when within the tick's input window. */

/** What can happen, in the order of the numbers that stand for it in a queue and in a file. Append only. */
export const INPUT_KINDS = [
  'keydown',
  'keyup',
  'pointerdown',
  'pointermove',
  'pointerup',
  'wheel',
  'gamepadbutton',
  'gamepadaxis',
  'custom',
] as const;
/** What can happen; `custom` is the application's own. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** One input. The values mean what its source says; those that a kind does not use are 0. */
export interface InputValues {
  /** What happened. */
  readonly kind: InputKind;
  /** Which key, button or axis, a whole number of 32 bits. */
  readonly code: number;
  /** Which pointer or gamepad, a whole number of 32 bits. */
  readonly device: number;
  /** First value, a floating point number of 32 bits: for pointers the place, for buttons and axes how far. */
  readonly x: number;
  /** Second value, of 32 bits: for pointers the place. */
  readonly y: number;
  /** Third value, of 32 bits: for pointers the pressure, 0 to 1. */
  readonly z: number;
  /** Fourth value, of 32 bits: for pointers the buttons that are down, as in `MouseEvent.buttons`. */
  readonly w: number;
}

/** An input that a tick was given. */
export interface TickInput extends InputValues {
  /**
   * Where in the tick's input window it happened, in (0, 1], as a 32-bit number: 1 is the tick's due time. 0
   * when it came late, from a window that was over, or when the tick was not due at any time (a step while paused).
   */
  readonly fraction: number;
}

/** Takes inputs on the page: the handle's `inputs`. */
export interface InputSink {
  /**
   * Queues an input for the tick whose input window covers its stamp.
   *
   * @param input What happened. Values must be finite.
   * @param stampMs When, on the page's clock: `event.timeStamp`.
   * @returns False when the queue is full or a recording is shown; the input is then refused and counted.
   * @throws TypeError, RangeError naming the value that is wrong.
   */
  push(input: InputValues, stampMs: number): boolean;
}
