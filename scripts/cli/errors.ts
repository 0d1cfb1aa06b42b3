/** Error handling of commands. */

/**
 * The request cannot be fulfilled: wrong arguments, or an unusable file. The message is one line
 * that says what is wrong and what to do.
 */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The first line of an error's message: a refusal has only one. */
export function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}
