/** The inputs, commands and batches of a world that a tick receives besides its time step. */
import type { CommandArguments } from '../util/command-arguments.js';
import { requireChoice, requireInteger, requireNumber } from '../util/validate.js';

/** Kinds of inputs, in the order of the numbers that represent them in a queue and in a file. Append only. */
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
/** The kind of an input; `custom` is the application's own. */
export type InputKind = (typeof INPUT_KINDS)[number];

/** One input. Its source defines what the values mean; those that a kind does not use are 0. */
export interface InputValues {
  /** The kind of change. */
  readonly kind: InputKind;
  /** Which key, button or axis, a 32-bit integer. */
  readonly code: number;
  /** Which pointer or gamepad, a 32-bit integer. */
  readonly device: number;
  /** First value, a 32-bit floating-point number: for pointers the position, for buttons and axes how far. */
  readonly x: number;
  /** Second value, also 32-bit: for pointers the position. */
  readonly y: number;
  /** Third value, also 32-bit: for pointers the pressure, 0 to 1. */
  readonly z: number;
  /** Fourth value, also 32-bit: for pointers the buttons that are down, as in `MouseEvent.buttons`. */
  readonly w: number;
}

/** An input as a tick receives it. */
export interface TickInput extends InputValues {
  /**
   * When it happened within the tick's input window, in (0, 1], as a 32-bit number: 1 is the tick's due time. 0 if it
   * came late, from a window that was over, or if the tick had no due time (a step while paused).
   */
  readonly fraction: number;
}

/** Accepts inputs on the page: the handle's `inputs`. */
export interface InputSink {
  /**
   * Queues an input for the tick whose input window covers its stamp.
   *
   * @param input What happened. Values must be finite.
   * @param stampMs When, on the page's clock: `event.timeStamp`.
   * @returns False if the queue is full or a recording is shown; the input is then refused and counted.
   * @throws TypeError, RangeError naming the invalid value.
   */
  push(input: InputValues, stampMs: number): boolean;
}

/** @returns The name of a code, for errors, with what makes a code of the name of a key. */
export const nameOfCode = (name: string, code: unknown): string =>
  typeof code === 'string' ? `${name}, such as keyCode('ArrowRight') of betwixt/shared,` : name;

/** @throws TypeError, RangeError naming the invalid value. */
export function requireInput(input: InputValues, stampMs: number): void {
  requireChoice('kind', input.kind, INPUT_KINDS);
  requireInteger(nameOfCode('code', input.code), input.code, -(2 ** 31), 2 ** 31 - 1);
  requireInteger('device', input.device, -(2 ** 31), 2 ** 31 - 1);
  for (const name of ['x', 'y', 'z', 'w'] as const) {
    requireNumber(name, input[name], -Number.MAX_VALUE, Number.MAX_VALUE);
  }
  requireNumber('stampMs', stampMs, -Number.MAX_VALUE, Number.MAX_VALUE);
}

/** A command that a tick applies. */
export interface TickCommand extends CommandArguments {
  readonly kind: 'command';
  readonly name: string;
  /** Number of the call that waits for the result; 0: none. */
  readonly call: number;
}

/** The changes that a page has made to a world in one task, which a tick applies; see `world-batch.ts`. */
export interface TickBatch {
  readonly kind: 'batch';
  readonly bytes: Uint8Array;
  /** As in {@link TickCommand}. */
  readonly call: number;
}

export interface TickInputs {
  readonly inputs: readonly TickInput[];
  /** Applied before the step, in this order. */
  readonly commands: readonly (TickCommand | TickBatch)[];
  /** Whether they come from a recording, which also has the changes that hooks of the page made within the tick. */
  readonly isReplayed?: boolean;
}

export const NO_TICK_INPUTS: TickInputs = Object.freeze({ inputs: [], commands: [] });
