/** Recovers what killed processes have left, when the first room of this process records into a folder. */
import { resolve } from 'node:path';
import { recoverRecordings } from './log-conversion.js';

const recovered = new Set<string>();

/** Does not wait for it: rooms begin at once. */
export function recoverOnce(folder: string, onError: (error: Error) => void): void {
  const path = resolve(folder);
  if (recovered.has(path)) return;
  recovered.add(path);
  recoverRecordings(path).then(
    (found) => {
      for (const { log, error } of found) {
        if (error !== undefined) onError(new Error(`${log} cannot be recovered`, { cause: error }));
      }
    },
    (cause: unknown) => onError(new Error(`${path} cannot be read`, { cause })),
  );
}
