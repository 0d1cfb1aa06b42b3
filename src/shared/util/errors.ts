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

/**
 * When a worker failed: while its script or its part of the library loaded, in `init`, in a tick that threw, when it no
 * longer answered or its step did not end, or by the library: one side posted an invalid message or wrote invalid data into
 * the memory between them, or its code in the worker threw.
 */
export type WorkerFailureStage = 'load' | 'init' | 'tick' | 'hang' | 'protocol';

/**
 * A worker could not be loaded, threw at start or in a tick, or hangs. Calls that a failed worker leaves unfinished
 * reject with it. A hang that may still end is only reported with it.
 *
 * If the simulation threw, `cause` is a copy of its error, and `stack` shows where in the worker it was thrown.
 */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
  /** The stage at which it failed. */
  readonly stage: WorkerFailureStage;

  /** Constructed by the library. */
  constructor(message: string, stage: WorkerFailureStage, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.stage = stage;
  }

  /** The stack of the error in the worker, if the worker could still send it. */
  get workerStack(): string | undefined {
    return this.cause instanceof Error ? this.cause.stack : undefined;
  }
}

/** The message of an error for corrupt memory between page and worker. @param wrong What is corrupt. */
export const memoryIsCorrupt = (wrong: string): string =>
  `the memory between page and worker is corrupt: ${wrong}`;

/** The message for an error of the library's own code in a worker, which is no error of the simulation. */
export const libraryThrew = (error: unknown): string =>
  `betwixt threw, and not the simulation. Please report it: ${error instanceof Error ? error.message : String(error)}`;

/** The simulation was disposed while a call was pending, or is used after `dispose()`. */
export class SimulationDisposedError extends Error {
  override readonly name = 'SimulationDisposedError';
}

/** A thrown value as it is sent: a clone of an error loses its class and its name. */
export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** A clone of what was thrown; undefined: it cannot be cloned. */
  readonly cause?: unknown;
}

/** In every realm, but not in the type library of the language. */
declare const structuredClone: <T>(value: T) => T;

/** Converts a thrown value for sending. */
export function thrownError(thrown: unknown): ThrownError {
  const isError = thrown instanceof Error;
  const { name, message, stack } = isError
    ? thrown
    : { name: 'Error', message: String(thrown), stack: undefined };
  try {
    return { name, message, stack, cause: structuredClone(thrown) };
  } catch {
    return { name, message, stack };
  }
}

const PART_NOT_LOADED = 'PartNotLoadedError';

/** A part of the library that is loaded on demand did not load. */
class PartNotLoadedError extends Error {
  override readonly name = PART_NOT_LOADED;
}

/**
 * Waits for a part of the library. The error of `import()` differs between browsers, may be a TypeError, and does
 * not name the library.
 *
 * @param part The result of `import()`, or of several.
 * @throws Error, by the promise, that says what has happened. Its message and its cause say why.
 */
export async function loadedPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new PartNotLoadedError(
      `a part of betwixt did not load: ${why}. Check the connection, and the files on the server`,
      { cause },
    );
  }
}

/** Whether {@link loadedPart} threw the error. An error from a worker keeps its name, but not its class. */
export const isPartNotLoaded = (error: unknown): error is Error =>
  error instanceof Error && error.name === PART_NOT_LOADED;
