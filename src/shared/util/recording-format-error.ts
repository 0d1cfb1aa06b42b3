/** The error of a file or a saved state. Separate from the others, because most workers never read one. */

/**
 * A file is not a recording or saved state of this library, has another version, is truncated or damaged, or has
 * impossible contents. The message says which, and what the file was expected to be.
 */
export class RecordingFormatError extends Error {
  override readonly name = 'RecordingFormatError';
}
