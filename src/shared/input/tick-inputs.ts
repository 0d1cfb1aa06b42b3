/** What a tick processes besides its step. */
import type { CommandArguments } from '../util/command-arguments.js';
import type { TickInput } from './input-event.js';

/** A command that a tick applies. */
export interface TickCommand extends CommandArguments {
  readonly kind: 'command';
  readonly name: string;
  /** Number of the call that waits for the result; 0: none. */
  readonly call: number;
}

/** What the page has changed in a world in one turn, which a tick applies; see `world-batch.ts`. */
export interface TickBatch {
  readonly kind: 'batch';
  readonly bytes: Uint8Array;
  /** As that of a command. */
  readonly call: number;
}

export interface TickInputs {
  readonly inputs: readonly TickInput[];
  /** Applied before the step, in this order. */
  readonly commands: readonly (TickCommand | TickBatch)[];
}

export const NO_TICK_INPUTS: TickInputs = Object.freeze({ inputs: [], commands: [] });
