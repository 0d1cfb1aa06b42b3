/** Ctrl-C: once to end after the current repeat, twice to end immediately. */
import type { Stop } from './runtime.js';

/** A terminal, npm and tsx may each deliver the same Ctrl-C. */
const SAME_MS = 500;

export function listenForStop(): Stop {
  const controller = new AbortController();
  let firstMs: number | undefined;
  const onSignal = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      process.stderr.write('\nEnds after this repeat; press Ctrl-C again to end immediately.\n');
    } else if (performance.now() - firstMs > SAME_MS) {
      controller.abort(new Error('the measurement was cancelled'));
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  return {
    get isRequested() {
      return firstMs !== undefined;
    },
    now: controller.signal,
  };
}
