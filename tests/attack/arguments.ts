/** The attack command's arguments, checked. */
import { parseArgs } from 'node:util';
import type { AttackPart } from './part.js';

/** What was asked for cannot be done; the message says what to do. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

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

Exit codes: 0 nothing was broken; 1 something was; 2 wrong arguments.
`;

/** @returns Undefined when help is asked for. @throws RefusedError. */
export function readArguments(
  args: readonly string[],
  parts: readonly AttackPart[],
): AttackArguments | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  const names = parts.map(({ name }) => name);
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new RefusedError(`there is no part "${unknown}": there are ${names.join(', ')}`);
  }
  return {
    parts: parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
    minutes: readNumber('--minutes', values.minutes ?? '1', 0.01, 10_000),
    seed: readSeed(values.seed),
    jsonFile: values.json,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new RefusedError(`${line} npm run attack -- --help says how it is used`);
  }
}

function readNumber(name: string, text: string, low: number, high: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new RefusedError(`${name} must be a number from ${low} to ${high}, and is "${text}"`);
}

function readSeed(text: string | undefined): number {
  if (text === undefined) return Math.floor(Math.random() * 2 ** 32);
  const seed = readNumber('--seed', text, 0, 2 ** 32 - 1);
  if (Number.isInteger(seed)) return seed;
  throw new RefusedError(`--seed must be a whole number, and is "${text}"`);
}
