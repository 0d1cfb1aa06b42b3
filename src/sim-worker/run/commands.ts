/** The commands of a simulation, and the batches of a world: how to run them. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { TickBatch, TickCommand } from '../../shared/input/tick-inputs.js';
import type { Simulation } from '../api/simulation.js';
import { unpackArguments } from '../../shared/util/command-arguments.js';
import { requireDone } from './require-done.js';

export type CommandOutcome = { readonly value: unknown } | { readonly error: unknown };

/** The simulation of a world that a page makes. */
export interface BatchSimulation {
  /** Applies what the page has changed. Undefined: it is another simulation. */
  readonly applyBatch: ((bytes: Uint8Array) => unknown) | undefined;
}

/** Applies a batch; undefined if the simulation is that of no world. */
export const batchesOf = (simulation: object | undefined): BatchSimulation['applyBatch'] =>
  (simulation as Partial<BatchSimulation> | undefined)?.applyBatch;

/** Undefined if there is no function with this name. */
export function functionNamed(
  functions: CommandMap = {},
  name: string,
): CommandMap[string] | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

/** Runs a command or applies a batch. It may be invalid: the run then continues, in the same way here and in a replay. */
export function runCommand(
  simulation: Simulation,
  command: TickCommand | TickBatch,
): CommandOutcome {
  try {
    if (command.kind === 'batch') {
      const apply = batchesOf(simulation);
      if (apply === undefined) throw new RangeError('this simulation has no world of a page');
      return { value: apply(command.bytes) };
    }
    const { name } = command;
    const run = functionNamed(simulation.commands, name);
    if (run === undefined) throw new RangeError(`there is no command "${name}"`);
    const value: unknown = run.apply(simulation.commands, unpackArguments(command) as never[]);
    requireDone(value, `the command "${name}"`);
    return { value };
  } catch (error) {
    return { error };
  }
}

/** @throws TypeError if a command and a query have the same name. */
export function requireDistinctNames({ commands = {}, queries = {} }: Simulation): void {
  const name = Object.keys(commands).find((command) => Object.hasOwn(queries, command));
  if (name === undefined) return;
  throw new TypeError(`the simulation has a command and a query with the name "${name}"`);
}
