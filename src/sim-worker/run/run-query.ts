/**
 * Runs a query between two ticks, and holds it to what a query is: it only asks.
 *
 *     query ─▶ returns its answer
 *       │ before its first change of a body: the bodies are saved
 *       ▼
 *     returns, and has changed a body or drawn from the random source ─▶ both are put back; the call rejects
 *                 └ has started the run over: what it did is the beginning of another run
 *
 * A query that changes nothing costs two comparisons. What an async query does after its first `await` is not looked at:
 * ticks run then, and nobody could tell its changes from theirs. Nor is what it does to the simulation's own variables or
 * to an engine.
 */
import type { Random } from '../../shared/recording/random.js';
import type { BodyRegistry } from '../bodies/body-registry.js';
import type { SavedBodies } from '../bodies/saved-bodies.js';

/** What of a run a query must leave as it is. */
export interface QueriedRun {
  readonly bodies: BodyRegistry;
  readonly random: Random;
  /** How often it has been started over. */
  readonly restarts: number;
}

/**
 * @param name Of the query, for the error.
 * @param ask Runs it.
 * @returns What it returns.
 * @throws Error if it has changed the run, which is as before then. @throws What the query throws.
 */
export function runQuery(run: QueriedRun, name: string, ask: () => unknown): unknown {
  const { bodies, random, restarts } = run;
  const randomState = random.state;
  let changed: { readonly error: Error; readonly before: SavedBodies } | undefined;
  bodies.beforeNextChange((what) => {
    // Made here, so that its stack leads to what has to be done elsewhere.
    changed = { error: onlyAsks(name, what), before: bodies.save() };
  });
  let answer: unknown;
  let thrown: { readonly error: unknown } | undefined;
  try {
    answer = ask();
  } catch (error) {
    thrown = { error };
  }
  bodies.beforeNextChange(undefined);
  const hasDrawn = random.state !== randomState;
  if ((changed !== undefined || hasDrawn) && run.restarts === restarts) {
    if (changed !== undefined) bodies.restore(changed.before);
    random.state = randomState;
    // Nobody waits for the answer of an async one, which may be another error.
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
