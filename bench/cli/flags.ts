/** Arguments of commands: parsed, and read as numbers, lists and choices. */
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The arguments are wrong: the message is one line that says how. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** As Node's own. @throws ArgumentError with one line that says what is wrong. */
export function parseFlags<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>>['values'] {
  try {
    return parseArgs(config).values;
  } catch (error) {
    // Node's message may go on with advice about other kinds of arguments.
    const [line = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw new ArgumentError(line.replace(/(?:\. To specify .*|\.)$/, ''));
  }
}

/** Values between commas, each once. */
export function list<T>(flag: string, text: string, read: (item: string) => T): T[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) {
    throw new ArgumentError(`${flag} must be values between commas, and is "${text}"`);
  }
  return [...new Set(items.map(read))];
}

export function choice<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === text);
  if (found !== undefined) return found;
  throw new ArgumentError(`${flag} must be of ${choices.join(', ')}, and is "${text}"`);
}

export function number(flag: string, text: string, low: number, high: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new ArgumentError(`${flag} must be a number from ${low} to ${high}, and is "${text}"`);
}

export function integer(flag: string, text: string, low: number, high: number): number {
  const value = number(flag, text, low, high);
  if (Number.isInteger(value)) return value;
  throw new ArgumentError(`${flag} must be a whole number, and is "${text}"`);
}
