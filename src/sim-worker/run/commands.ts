/** The commands of a simulation, and how to run them. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { TickCommand } from '../../shared/input/tick-inputs.js';
import type { Simulation } from '../api/simulation.js';
import { unpackArguments } from '../../shared/util/command-arguments.js';
import { requireDone } from './require-done.js';

export type CommandOutcome = { readonly value: unknown } | { readonly error: unknown };

/** Undefined if there is no function with this name. */
export function functionNamed(
  functions: CommandMap = {},
  name: string,
): CommandMap[string] | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

/** Runs a command. The page's call may be invalid: the run then continues, in the same way here and in a replay. */
export function runCommand(simulation: Simulation, command: TickCommand): CommandOutcome {
  const { name } = command;
  try {
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
