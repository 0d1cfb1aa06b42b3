/** Errors on the page: thrown by a worker, or caught by nothing. */
import {
  CapacityExceededError,
  SnapshotFormatError,
  WorkerFailedError,
  type ThrownError,
  type WorkerFailureStage,
  RecordingFormatError,
} from '../../shared/util/errors.js';

/** The error for a simulation that threw. Its own stack would be the library's, so it gets the stack of the cause. */
export function failedBy(
  cause: unknown,
  stage: WorkerFailureStage,
  message: string,
): WorkerFailedError {
  const error = new WorkerFailedError(message, stage, cause);
  const { workerStack } = error;
  if (workerStack === undefined) return error;
  // Only V8 begins a stack with name and message.
  const frames = /^ +at [^]*/m.exec(workerStack)?.[0];
  error.stack = frames === undefined ? workerStack : `${error.name}: ${message}\n${frames}`;
  return error;
}

/** The errors that a worker throws and a page receives. Listed by name because a minifier renames classes. */
const THROWN_BY_WORKERS = { CapacityExceededError, RecordingFormatError, SnapshotFormatError };

/**
 * The error that a worker threw, with its name, message, stack and cause, and with its class if it is one
 * of the above, so that `instanceof` works. Any other thrown value becomes the cause of an error.
 *
 * @param thrown A {@link ThrownError}, or an error that Comlink transferred.
 */
export function revivedError(thrown: unknown): Error {
  const sent = (thrown ?? {}) as Partial<ThrownError>;
  const { name = 'Error', message = String(thrown), stack, cause } = sent;
  const error =
    cause instanceof Error
      ? cause
      : new Error(message, cause === undefined ? undefined : { cause });
  for (const [key, value] of Object.entries({ name, stack })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  }
  const isOwn = Object.hasOwn(THROWN_BY_WORKERS, name);
  const own = isOwn ? THROWN_BY_WORKERS[name as keyof typeof THROWN_BY_WORKERS] : undefined;
  return own === undefined ? error : (Object.setPrototypeOf(error, own.prototype) as Error);
}

/** Reports an error as if nothing had caught it: to the console and to `window.onerror`. */
export function reportUncaught(error: unknown): void {
  if (typeof globalThis.reportError === 'function') {
    globalThis.reportError(error);
    return;
  }
  // Node has no `reportError`.
  queueMicrotask(() => {
    throw error;
  });
}

/** Calls an application's function. An error that it throws is reported as uncaught and does not propagate. */
export function callReported<Value>(call: (value: Value) => unknown, value: Value): void {
  try {
    call(value);
  } catch (error) {
    reportUncaught(error);
  }
}
