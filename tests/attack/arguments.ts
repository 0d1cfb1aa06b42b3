/** The attack command's arguments, checked. */
import { closeSync, openSync } from 'node:fs';
import { integer, number } from '../../scripts/cli/arguments.js';
import { defineCommand, parseCommand } from '../../scripts/cli/command.js';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import type { AttackPart } from './part.js';

export interface AttackArguments {
  readonly parts: readonly AttackPart[];
  readonly minutes: number;
  readonly seed: number;
  readonly jsonFile: string | undefined;
}

export const attackOf = (parts: readonly AttackPart[]) =>
  defineCommand({
    name: 'attack',
    operands: '[PART…]',
    about: `Tries to break what the library promises, for as long as it is given, and shows the smallest case that does.

${parts.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join('\n')}`,
    flags: {
      minutes: { value: 'N', about: 'for all parts together, 0.01 to 10000 (default 1)' },
      seed: {
        value: 'N',
        about:
          'decides what is tried, 0 to 4294967295 (default: another each time, which is printed)',
      },
      json: { value: 'FILE', about: 'writes the results there as well' },
    },
    more: `Exit codes: 0 nothing was broken; 1 something was; 2 wrong arguments; 130 ended by Ctrl-C, after
which the results so far are printed and written.`,
  });

/** @throws RefusedError. */
export function readArguments(
  args: readonly string[],
  parts: readonly AttackPart[],
): AttackArguments {
  const { values, operands } = parseCommand(attackOf(parts), args);
  const names = parts.map(({ name }) => name);
  const unknown = operands.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new RefusedError(`there is no part "${unknown}": there are ${names.join(', ')}`);
  }
  return {
    parts: parts.filter(({ name }) => operands.length === 0 || operands.includes(name)),
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
