/** The error of a part of the library that is loaded on demand and does not load. */

const NAME = 'PartNotLoadedError';

class PartNotLoadedError extends Error {
  override readonly name = NAME;
}

/**
 * Waits for a part of the library. What `import()` rejects with differs between browsers, may be a TypeError, and does
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

/** Whether it is the error of {@link loadedPart}. An error from a worker keeps its name, but not its class. */
export const isPartNotLoaded = (error: unknown): error is Error =>
  error instanceof Error && error.name === NAME;
