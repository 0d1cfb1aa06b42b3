/**
 * Runs the steppers in sequence, off the main thread, and posts each result as soon as it is ready.
 */
import { compare, Trace } from '../engine/index.js';
import type { RunRequest, RunResult } from './run-messages.js';

addEventListener('message', (event: MessageEvent<RunRequest>) => {
  for (const kind of event.data.kinds) postMessage(run(kind, event.data));
});

function run(kind: RunResult['kind'], request: RunRequest): RunResult {
  const { traced, scenario, steppers } = request;
  const trace = traced.includes(kind) ? new Trace() : undefined;
  try {
    const extras = trace === undefined ? {} : { trace };
    const [row] = compare([kind], steppers, scenario, () => extras);
    if (row === undefined) throw new Error(`${kind} gave no row`);
    return { kind, row, spans: trace?.spans ?? [], omitted: trace?.omitted ?? 0 };
  } catch (error) {
    return { kind, error: error instanceof Error ? error.message : String(error) };
  }
}
