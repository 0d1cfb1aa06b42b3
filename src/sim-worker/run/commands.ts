/** The commands of a simulation: by their names, and how one ends. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { TickCommand } from '../../shared/input/tick-inputs.js';
import type { Simulation } from '../api/simulation.js';
import { requireDone } from './require-done.js';

/** How a command ended. */
export type CommandOutcome = { readonly value: unknown } | { readonly error: unknown };

/** Undefined where there is none of that name. */
export function commandNamed(
  { commands }: Simulation,
  name: string,
): CommandMap[string] | undefined {
  return commands !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
}

/** Runs a command. What the page asked for may be wrong; the run goes on, here and in a replay alike. */
export function runCommand(simulation: Simulation, { name, args }: TickCommand): CommandOutcome {
  try {
    const run = commandNamed(simulation, name);
    if (run === undefined) throw new RangeError(`there is no command "${name}"`);
    const value: unknown = run.apply(simulation.commands, JSON.parse(args) as never[]);
    requireDone(value, `the command "${name}"`);
    return { value };
  } catch (error) {
    return { error };
  }
}

/** @throws TypeError if a name is one of a command and of a query. */
export function requireDistinctNames({ commands = {}, queries = {} }: Simulation): void {
  const name = Object.keys(commands).find((command) => Object.hasOwn(queries, command));
  if (name === undefined) return;
  throw new TypeError(
    `the simulation has "${name}" among its commands and among its queries: it can be only one of them`,
  );
}
