/** The file for a command's result. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';

/**
 * Checked before anything is measured, so that minutes of work are not lost.
 *
 * @throws RefusedError when the file cannot be written.
 */
export function requireWritable({ json }: { readonly json: string | undefined }): void {
  if (json === undefined) return;
  try {
    accessSync(existsSync(json) ? json : dirname(json), constants.W_OK);
  } catch (error) {
    throw new RefusedError(`--json cannot be written: ${firstLineOf(error)}`);
  }
}
