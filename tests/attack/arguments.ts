/** The attack command's arguments, checked. */
import { closeSync, openSync } from 'node:fs';
import { integer, number, parseFlags } from '../../scripts/cli/arguments.js';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import type { AttackPart } from './part.js';

export interface AttackArguments {
  readonly parts: readonly AttackPart[];
  readonly minutes: number;
  readonly seed: number;
  readonly jsonFile: string | undefined;
}

export const helpOf = (
  parts: readonly AttackPart[],
): string => `usage: npm run attack -- [PART…] [--minutes N] [--seed N] [--json FILE]

Tries to break what the library promises, for as long as it is given, and shows the smallest case that does.

${parts.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}

  --minutes N  for all parts together, 0.01 to 10000. Default 1
  --seed N     decides what is tried, 0 to 4294967295. Default: another each time, which is printed
  --json FILE  writes the results there as well
  --help, -h   prints this

Exit codes: 0 nothing was broken; 1 something was; 2 wrong arguments; 130 ended by Ctrl-C, after
which the results so far are printed and written.
`;

/** @returns Undefined when help is requested. @throws RefusedError. */
export function readArguments(
  args: readonly string[],
  parts: readonly AttackPart[],
): AttackArguments | undefined {
  const { values, positionals } = parseFlags(
    {
      args: [...args],
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
      strict: true,
    },
    'npm run attack -- --help says how it is used',
  );
  if (values.help === true) return undefined;
  const names = parts.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new RefusedError(`there is no part "${unknown}": there are ${names.join(', ')}`);
  }
  return {
    parts: parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    minutes: number('--minutes', values.minutes ?? '1', 0.01, 10_000),
    seed: readSeed(values.seed),
    jsonFile: requireWritable(values.json),
  };
}

/** Checked first, so that hours of an attack are not lost. @throws RefusedError. */
function requireWritable(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    closeSync(openSync(file, 'a'));
    return file;
  } catch (error) {
    throw new RefusedError(`--json cannot be written: ${firstLineOf(error)}`);
  }
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * 2 ** 32);
  return integer('--seed', text, 0, 2 ** 32 - 1);
}
