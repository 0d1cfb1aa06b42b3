/**
 * The errors that a caller may want to catch. Wrong arguments throw the language's own TypeError and
 * RangeError instead; each message says what was wrong and what to do.
 */

/** The page cannot share memory with a worker because it is not cross-origin isolated. */
export class NotIsolatedError extends Error {
  override readonly name = 'NotIsolatedError';
}

/** A buffer was made by another version of the layout, for other sizes, or is not one of ours. */
export class SnapshotFormatError extends Error {
  override readonly name = 'SnapshotFormatError';
}

/**
 * A file is no recording or saved state of ours, is of another version, cut off or damaged, or holds what cannot
 * be. The message says which, and what the file was expected to be.
 */
export class RecordingFormatError extends Error {
  override readonly name = 'RecordingFormatError';
}

/** More bodies were asked for than the snapshot has room for. What already runs goes on. */
export class CapacityExceededError extends Error {
  override readonly name = 'CapacityExceededError';
}

/** A command was refused: the queue was full. Nothing of it was done. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** A command was refused because a recording is shown. */
export class ReplayShownError extends Error {
  override readonly name = 'ReplayShownError';
}

/** A call's `timeoutMs` was over before the worker had begun it: it was withdrawn, and nothing of it is done. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';
}

/**
 * When a worker failed: as its script loaded, in `init`, in a tick that threw, in one that does not end, or because what one side
 * posted, or wrote into their memory, cannot be.
 */
export type WorkerFailureStage = 'load' | 'init' | 'tick' | 'hang' | 'protocol';

/**
 * A worker could not be loaded, threw at start or in a tick, or hangs. Calls that its end leaves undone reject with it; one
 * that hangs and may come back only tells it.
 */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
  /** When it failed: see {@link WorkerFailureStage}. */
  readonly stage: WorkerFailureStage;
  /** The stack of the error in the worker, where the worker could still tell it. */
  readonly workerStack: string | undefined;

  /** Made by the library. */
  constructor(message: string, stage: WorkerFailureStage, workerStack?: string) {
    super(message);
    this.stage = stage;
    this.workerStack = workerStack;
  }
}

/** What the memory between page and worker holds cannot be. @param wrong What. */
export const wrongMemory = (wrong: string): WorkerFailedError =>
  new WorkerFailedError(`the memory between page and worker is corrupt: ${wrong}`, 'protocol');

/** The simulation was disposed while a call was pending, or is used after `dispose()`. */
export class SimulationDisposedError extends Error {
  override readonly name = 'SimulationDisposedError';
}

/** The errors that a worker throws at the page. By name: a minifier changes that of the class. */
const THROWN_BY_WORKERS = { CapacityExceededError, RecordingFormatError, SnapshotFormatError };

/**
 * Gives an error that came from a worker its class back, so that `instanceof` knows it: name, message and
 * stack are all that gets across. Other errors are returned as they are.
 */
export function withItsClass(error: Error): Error {
  if (!Object.hasOwn(THROWN_BY_WORKERS, error.name)) return error;
  const ErrorClass = THROWN_BY_WORKERS[error.name as keyof typeof THROWN_BY_WORKERS];
  const revived = new ErrorClass(error.message);
  if (error.stack !== undefined) revived.stack = error.stack;
  return revived;
}
