import { RefusedError } from '../cli/errors.js';
import type { Part } from './parts.js';

export interface TestArguments {
  /** The parts to run, in their order. */
  readonly names: readonly string[];
  /** Arguments for the runner of a single part. */
  readonly runnerArgs: readonly string[];
}

/**
 * @throws RefusedError if an argument is neither a choice nor a part, and no single part is there
 * to take it.
 */
export function parseArguments(
  args: readonly string[],
  parts: Readonly<Record<string, Pick<Part, 'everyday'>>>,
): TestArguments {
  const all = Object.keys(parts);
  const chosen = (isWanted: (part: Pick<Part, 'everyday'>) => boolean): TestArguments => ({
    names: Object.entries(parts)
      .filter(([, part]) => isWanted(part))
      .map(([name]) => name),
    runnerArgs: [],
  });
  const [first] = args;
  if (first === undefined) return chosen(({ everyday }) => everyday);
  if (args.length === 1 && first === '--all') return chosen(() => true);
  if (args.length === 1 && first === '--rest') return chosen(({ everyday }) => !everyday);
  const firstOther = args.findIndex((arg) => !Object.hasOwn(parts, arg));
  const partCount = firstOther === -1 ? args.length : firstOther;
  const names = args.slice(0, partCount);
  const runnerArgs = args.slice(partCount);
  if (runnerArgs.length > 0 && names.length !== 1) {
    throw new RefusedError(
      `"${runnerArgs[0]}" is not a part of the tests. The parts are: ${all.join(', ')}. ` +
        'Instead of parts there may be --all or --rest.',
    );
  }
  return { names, runnerArgs };
}
