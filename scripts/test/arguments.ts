import { integer } from '../cli/arguments.js';
import { RefusedError } from '../cli/errors.js';
import type { Part } from './parts.js';

export interface TestArguments {
  /** The parts to run, in their order. */
  readonly names: readonly string[];
  /** Whether these are the parts of `npm test`. */
  readonly isEveryday: boolean;
  /** No part begins after that many seconds. Default: no limit. */
  readonly beginWithinSeconds: number;
  /** Arguments for the runner of a single part. */
  readonly runnerArgs: readonly string[];
}

type Choice = Pick<Part, 'everyday' | 'isExtra'>;

const BEGIN_WITHIN = '--begin-within';

/**
 * @throws RefusedError if an argument is neither a choice nor a part, and no single part is there
 * to take it.
 */
export function parseArguments(
  args: readonly string[],
  parts: Readonly<Record<string, Choice>>,
): TestArguments {
  const index = args.indexOf(BEGIN_WITHIN);
  if (index !== -1) {
    const rest = parseArguments(args.toSpliced(index, 2), parts);
    const beginWithinSeconds = integer(BEGIN_WITHIN, args[index + 1] ?? '', 0, 86_400);
    return { ...rest, beginWithinSeconds };
  }
  const always = { beginWithinSeconds: Number.POSITIVE_INFINITY } as const;
  const chosen = (isWanted: (part: Choice) => boolean): TestArguments => ({
    ...always,
    names: Object.entries(parts)
      .filter(([, part]) => part.isExtra !== true && isWanted(part))
      .map(([name]) => name),
    isEveryday: args.length === 0,
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
    const unknown = runnerArgs.find((arg) => arg !== '--all' && arg !== '--rest');
    throw new RefusedError(
      `"${unknown ?? runnerArgs[0]}" is not a part of the tests. The parts are: ${Object.keys(parts).join(', ')}. ` +
        'Instead of parts there may be --all or --rest.',
    );
  }
  return { ...always, names, isEveryday: false, runnerArgs };
}
