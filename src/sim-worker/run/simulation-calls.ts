/** Calls of a simulation's functions: its commands, the batches of a world, its queries. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { TickBatch, TickCommand } from '../../shared/input/tick-inputs.js';
import { batchesOf, requireDone, type Simulation } from '../api/simulation.js';
import { unpackArguments } from '../../shared/util/command-arguments.js';
import type { BodyChange, BodyRegistry, SavedBodies } from '../bodies/body-registry.js';
import type { Random } from '../../shared/recording/random.js';

export type CommandOutcome = { readonly value: unknown } | { readonly error: unknown };

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

/** The part of a run that a query must not change. */
interface QueriedRun {
  readonly bodies: BodyRegistry;
  readonly random: Random;
  readonly restarts: number;
}

/** The words of an error for each change. */
const CHANGES: Readonly<Record<BodyChange, string>> = {
  spawn: 'spawned a body',
  despawn: 'removed a body',
  clear: 'removed all bodies',
  setPose: 'moved a body',
  setVelocity: 'set the velocity of a body',
  markInvalid: 'marked a body as invalid',
  setAsleep: 'put a body to sleep, or woken it',
};

/**
 * Runs a query between two ticks, and makes sure that it changes nothing.
 *
 *     query ─▶ returns its answer
 *       │ before its first change of a body: the bodies are saved
 *       ▼
 *     returns, and has changed a body or drawn from the random source ─▶ both are restored; the call rejects
 *                 └ has restarted the run: its changes are the beginning of another run
 *
 * A query that changes nothing costs two comparisons. The work of an async query after its first `await` is not checked:
 * ticks run in that time, and their changes could not be distinguished from the query's. Changes to the simulation's
 * own variables or to an engine are not checked either.
 *
 * @param queries Of the simulation.
 * @throws RangeError if there is no query with this name; Error if it has changed the run, which is then undone.
 */
export function runQuery(
  run: QueriedRun,
  queries: CommandMap | undefined,
  name: string,
  args: readonly unknown[],
): unknown {
  const ask = functionNamed(queries, name);
  if (ask === undefined) {
    const known = Object.keys(queries ?? {}).join(', ') || 'none';
    throw new RangeError(`the simulation has no query "${name}"; it has ${known}`);
  }
  const { bodies, random, restarts } = run;
  const randomState = random.state;
  let changed: { readonly error: Error; readonly before: SavedBodies } | undefined;
  bodies.beforeNextChange((change) => {
    // Created here, so that its stack shows the forbidden change.
    changed = { error: onlyAsks(name, CHANGES[change]), before: bodies.save() };
  });
  let answer: unknown;
  let thrown: { readonly error: unknown } | undefined;
  try {
    answer = ask.apply(queries, args as never[]);
  } catch (error) {
    thrown = { error };
  }
  bodies.beforeNextChange(undefined);
  const hasDrawn = random.state !== randomState;
  if ((changed !== undefined || hasDrawn) && run.restarts === restarts) {
    if (changed !== undefined) bodies.restore(changed.before);
    random.state = randomState;
    // Nothing awaits the answer of an async query, which may reject as well.
    void Promise.resolve(answer).catch(() => {});
    throw changed?.error ?? onlyAsks(name, 'drawn from context.random');
  }
  if (thrown !== undefined) throw thrown.error;
  return answer;
}

function onlyAsks(name: string, what: string): Error {
  return new Error(
    `the query "${name}" has ${what}: queries may only read, because replays do not repeat them. Make it a command`,
  );
}
