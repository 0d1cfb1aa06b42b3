/** Reads a file that may be hostile. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { recordingOf, unreadable } from '../recording-file.js';
import type { Recording } from '../../../src/shared/index.js';

/**
 * What is opened may no longer be what was found: links are not followed, and opening a pipe must not wait for a writer.
 * Windows has neither flag.
 */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a recording of a limited size.
 *
 * @throws RefusedError if it is larger, not a regular file, or not a complete recording.
 */
export async function readUpload(path: string, maxBytes: number): Promise<Recording> {
  return recordingOf(await readBytes(path, maxBytes));
}

async function readBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  let file;
  try {
    file = await open(path, FLAGS);
    const stats = await file.stat();
    if (!stats.isFile()) throw new RefusedError('is not a file');
    const { size } = stats;
    if (size > maxBytes) {
      throw new RefusedError(
        `has ${size} bytes, and at most ${maxBytes} are read: --max-bytes allows more`,
      );
    }
    // No more than that, even if it grows: a file that is still being written is refused as cut off or too long.
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const { bytesRead } = await file.read(bytes, at, size - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } catch (error) {
    throw error instanceof RefusedError ? error : unreadable(error);
  } finally {
    await file?.close();
  }
}
