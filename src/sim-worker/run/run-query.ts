/**
 * Runs a query between two ticks, and makes sure that it changes nothing.
 *
 *     query ─▶ returns its answer
 *       │ before its first change of a body: the bodies are saved
 *       ▼
 *     returns, and has changed a body or drawn from the random source ─▶ both are restored; the call rejects
 *                 └ has restarted the run: its changes are the beginning of another run
 *
 * A query that changes nothing costs two comparisons. What an async query does after its first `await` is not checked:
 * ticks run in that time, and their changes could not be distinguished from the query's. Changes to the simulation's
 * own variables or to an engine are not checked either.
 */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { BodyChange } from '../bodies/body-registry.js';
import type { SavedBodies } from '../bodies/saved-bodies.js';
import { functionNamed } from './commands.js';
import type { SimulationRun } from './simulation-run.js';

/** What the query has done, in the words of an error. */
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
 * @param queries Of the simulation.
 * @throws RangeError if there is no query with this name; Error if it has changed the run, which is then undone.
 */
export function runQuery(
  run: SimulationRun,
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
