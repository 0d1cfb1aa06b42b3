/** The command's arguments, checked. */
import type { ParseArgsConfig } from 'node:util';
import { choice, integer, list, number, parseFlags } from '../../../scripts/cli/arguments.js';
import { CONTESTANT_NAMES } from '../engine/contestants.js';
import type { PeersOptions } from '../engine/result.js';

export interface PeersArguments {
  readonly options: PeersOptions;
  /** A file to write. */
  readonly json: string | undefined;
  readonly help: boolean;
}

type Defaults = Omit<PeersOptions, 'contestants' | 'isQuick' | 'seed'>;

export const DEFAULTS: Defaults = {
  bodies: [0, 200, 400, 1000, 2000],
  displayHz: [60, 144],
  seconds: 5,
  warmUpSeconds: 1,
  repeats: 3,
};
/**
 * Rough figures. Three repeats: with two, the interval is practically
 * infinite.
 */
export const QUICK: Defaults = {
  bodies: [400, 1000],
  displayHz: [144],
  seconds: 2,
  warmUpSeconds: 0.5,
  repeats: 3,
};

/** The number of bodies that the heap's pit is built for. */
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
  quick: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

/** @throws RefusedError with one line that says what is wrong. */
export function readArguments(args: readonly string[]): PeersArguments {
  const { values } = parseFlags({ args: [...args], options: OPTIONS, strict: true });
  const isQuick = values.quick ?? false;
  const defaults = isQuick ? QUICK : DEFAULTS;
  const names = values.contestants ?? CONTESTANT_NAMES.join(',');
  return {
    options: {
      contestants: list('--contestants', names, (text) =>
        choice('--contestants', text, CONTESTANT_NAMES),
      ),
      bodies: list('--bodies', values.bodies ?? defaults.bodies.join(','), (text) =>
        integer('--bodies', text, 0, MAX_BODIES),
      ),
      displayHz: list('--hz', values.hz ?? defaults.displayHz.join(','), (text) =>
        number('--hz', text, 10, 1000),
      ),
      repeats: integer('--repeats', values.repeats ?? String(defaults.repeats), 1, 100),
      seconds: number('--seconds', values.seconds ?? String(defaults.seconds), 0.5, 60),
      warmUpSeconds: number(
        '--warm-up',
        values['warm-up'] ?? String(defaults.warmUpSeconds),
        0,
        60,
      ),
      seed: integer('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
      isQuick,
    },
    json: values.json,
    help: values.help ?? false,
  };
}
