/** The files for a command's result. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';

export interface ResultFiles {
  readonly json: string | undefined;
  readonly html?: string | undefined;
}

/**
 * Checked before anything is measured, so that minutes of work are not lost.
 *
 * @throws RefusedError naming the flag whose file cannot be written.
 */
export function requireWritable({ json, html }: ResultFiles): void {
  for (const [flag, file] of [
    ['--json', json],
    ['--html', html],
  ] as const) {
    if (file === undefined) continue;
    try {
      accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
    } catch (error) {
      throw new RefusedError(`${flag} cannot be written: ${firstLineOf(error)}`);
    }
  }
}
