/** What a tick processes besides its step. */
import type { CommandArguments } from '../util/command-arguments.js';
import type { TickInput } from './input-event.js';

/** A command that a tick applies. */
export interface TickCommand extends CommandArguments {
  readonly name: string;
  /** Number of the call that waits for the result; 0: none. */
  readonly call: number;
}

export interface TickInputs {
  readonly inputs: readonly TickInput[];
  /** Applied before the step, in this order. */
  readonly commands: readonly TickCommand[];
}

export const NO_TICK_INPUTS: TickInputs = Object.freeze({ inputs: [], commands: [] });
