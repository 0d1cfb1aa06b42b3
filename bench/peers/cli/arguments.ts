/** The command's arguments, checked. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CONTESTANT_NAMES, type ContestantName } from '../engine/contestants.js';
import type { PeersOptions } from '../engine/result.js';

/** The arguments are wrong: the message is one line that says how. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

export interface PeersArguments {
  readonly options: PeersOptions;
  /** Files to write. */
  readonly json: string | undefined;
  readonly html: string | undefined;
  readonly help: boolean;
}

type Usual = Omit<PeersOptions, 'contestants' | 'isQuick' | 'seed'>;

export const USUAL: Usual = {
  bodies: [0, 200, 400, 1000, 2000],
  displayHz: [60, 144],
  seconds: 5,
  warmUpSeconds: 1,
  repeats: 3,
};
/** Rough: what the claims are about, once over. Three repeats: of two, the interval has next to no end. */
export const QUICK: Usual = {
  bodies: [400, 1000],
  displayHz: [144],
  seconds: 2,
  warmUpSeconds: 0.5,
  repeats: 3,
};

/** What the heap's pit is built for. */
const MAX_BODIES = 10_000;

const OPTIONS = {
  bodies: { type: 'string' },
  hz: { type: 'string' },
  repeats: { type: 'string' },
  seconds: { type: 'string' },
  'warm-up': { type: 'string' },
  contestants: { type: 'string' },
  seed: { type: 'string' },
  json: { type: 'string' },
  html: { type: 'string' },
  quick: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** @throws ArgumentError with one line that says what is wrong. */
export function readArguments(args: readonly string[]): PeersArguments {
  const values = parse(args);
  const isQuick = values.quick ?? false;
  const usual = isQuick ? QUICK : USUAL;
  const names = values.contestants ?? CONTESTANT_NAMES.join(',');
  return {
    options: {
      contestants: list('--contestants', names, contestant),
      bodies: list('--bodies', values.bodies ?? usual.bodies.join(','), (text) =>
        integer('--bodies', text, 0, MAX_BODIES),
      ),
      displayHz: list('--hz', values.hz ?? usual.displayHz.join(','), (text) =>
        number('--hz', text, 10, 1000),
      ),
      repeats: integer('--repeats', values.repeats ?? String(usual.repeats), 1, 100),
      seconds: number('--seconds', values.seconds ?? String(usual.seconds), 0.5, 60),
      warmUpSeconds: number('--warm-up', values['warm-up'] ?? String(usual.warmUpSeconds), 0, 60),
      seed: integer('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
      isQuick,
    },
    json: values.json,
    html: values.html,
    help: values.help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true }).values;
  } catch (error) {
    // Node's message may go on with advice about other kinds of arguments.
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new ArgumentError(line.replace(/(?:\. To specify .*|\.)$/, ''));
  }
}

function contestant(text: string): ContestantName {
  const found = CONTESTANT_NAMES.find((name) => name === text);
  if (found !== undefined) return found;
  throw new ArgumentError(
    `--contestants must be of ${CONTESTANT_NAMES.join(', ')}, and is "${text}"`,
  );
}

/** Values between commas, each once. */
function list<T>(flag: string, text: string, read: (item: string) => T): T[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) {
    throw new ArgumentError(`${flag} must be values between commas, and is "${text}"`);
  }
  return [...new Set(items.map(read))];
}

function number(flag: string, text: string, low: number, high: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new ArgumentError(`${flag} must be a number from ${low} to ${high}, and is "${text}"`);
}

function integer(flag: string, text: string, low: number, high: number): number {
  const value = number(flag, text, low, high);
  if (Number.isInteger(value)) return value;
  throw new ArgumentError(`${flag} must be a whole number, and is "${text}"`);
}
