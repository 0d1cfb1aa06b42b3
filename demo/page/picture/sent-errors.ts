/** Errors that go from one thread to another: structured cloning keeps neither their class nor its fields. */
import {
  NotIsolatedError,
  SimulationDisposedError,
  WorkerFailedError,
} from '../../../src/render-main/index.js';

/** An error as it is sent. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly stage: WorkerFailedError['stage'] | undefined;
  readonly cause: SentError | undefined;
}

export function sendableError(error: unknown): SentError {
  const { name, message, stack, cause } = error instanceof Error ? error : new Error(String(error));
  const stage = error instanceof WorkerFailedError ? error.stage : undefined;
  return {
    name,
    message,
    stack,
    stage,
    cause: cause instanceof Error ? sendableError(cause) : undefined,
  };
}

/** The error again, of a class that the page asks for. */
export function receivedError({ name, message, stack, stage, cause }: SentError): Error {
  const because = cause === undefined ? undefined : receivedError(cause);
  if (stage !== undefined) return new WorkerFailedError(message, stage, because);
  if (name === 'SimulationDisposedError') return new SimulationDisposedError(message);
  if (name === 'NotIsolatedError') return new NotIsolatedError(message);
  const error = new Error(message, { cause: because });
  return Object.assign(error, { name, stack });
}
