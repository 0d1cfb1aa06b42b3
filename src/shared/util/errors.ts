/**
 * Errors that a caller may want to catch. Wrong arguments throw the standard TypeError and RangeError instead. Each
 * message says what is wrong and what to do.
 */

/** The page cannot share memory with a worker because it is not cross-origin isolated. */
export class NotIsolatedError extends Error {
  override readonly name = 'NotIsolatedError';
}

/** A buffer was created by another version of the layout or for other sizes, or is not one of this library's. */
export class SnapshotFormatError extends Error {
  override readonly name = 'SnapshotFormatError';
}

/**
 * A file is not a recording or saved state of this library, has another version, is truncated or damaged, or has
 * impossible contents. The message says which, and what the file was expected to be.
 */
export class RecordingFormatError extends Error {
  override readonly name = 'RecordingFormatError';
}

/** More bodies were requested than the snapshot has room for. Existing bodies are not affected. */
export class CapacityExceededError extends Error {
  override readonly name = 'CapacityExceededError';
}

/** A command was refused because the queue was full. It had no effect. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** A command was refused because a recording is being shown. */
export class ReplayShownError extends Error {
  override readonly name = 'ReplayShownError';
}

/** A call's `timeoutMs` elapsed before the worker began it. The call was withdrawn and has no effect. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';
}

/**
 * When a worker failed: while its script or its part of the library loaded, in `init`, in a tick that threw, in a tick
 * that does not end, or because one side posted an invalid message or wrote invalid data into the memory between them.
 */
export type WorkerFailureStage = 'load' | 'init' | 'tick' | 'hang' | 'protocol';

/**
 * A worker could not be loaded, threw at start or in a tick, or hangs. Calls that a failed worker leaves unfinished
 * reject with it. A hang that may still end is only reported with it.
 */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
  /** The stage at which it failed. */
  readonly stage: WorkerFailureStage;
  /** The stack of the error in the worker, if the worker could still send it. */
  readonly workerStack: string | undefined;

  /** Constructed by the library. */
  constructor(message: string, stage: WorkerFailureStage, workerStack?: string) {
    super(message);
    this.stage = stage;
    this.workerStack = workerStack;
  }
}

/** For corrupt memory between page and worker. @param wrong What is corrupt. */
export const wrongMemory = (wrong: string): WorkerFailedError =>
  new WorkerFailedError(`the memory between page and worker is corrupt: ${wrong}`, 'protocol');

/** The simulation was disposed while a call was pending, or is used after `dispose()`. */
export class SimulationDisposedError extends Error {
  override readonly name = 'SimulationDisposedError';
}

/** The errors that a worker throws and a page receives. Listed by name because a minifier renames classes. */
const THROWN_BY_WORKERS = { CapacityExceededError, RecordingFormatError, SnapshotFormatError };

/**
 * Restores the class of an error that came from a worker, so that `instanceof` works: only name, message and stack
 * are transferred. Other errors are returned unchanged.
 */
export function withItsClass(error: Error): Error {
  if (!Object.hasOwn(THROWN_BY_WORKERS, error.name)) return error;
  const ErrorClass = THROWN_BY_WORKERS[error.name as keyof typeof THROWN_BY_WORKERS];
  const revived = new ErrorClass(error.message);
  if (error.stack !== undefined) revived.stack = error.stack;
  return revived;
}
