/** What was asked for cannot be done: the message is one line that says what is wrong and what to do. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
