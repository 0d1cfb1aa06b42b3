/** A table of what a command takes, for its help and for its arguments. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { firstLineOf, RefusedError } from './errors.js';

/** An option, such as `--seed N`. */
export interface Flag {
  /** The name of its value in the help. Undefined: it takes none, and `--no-` before its name denies it. */
  readonly value?: string;
  /** Whether it may be given several times. Default false. */
  readonly isRepeatable?: boolean;
  readonly about: string;
  /** A line above it in the help: what it and those after it are about. */
  readonly heading?: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Command<Given extends Flags = Flags> {
  /** As after `npm run`. */
  readonly name: string;
  /** How it is used. Default: `npm run`, its name, its operands and its options. */
  readonly usage?: string;
  /** The name in the help of the arguments that are no flags. Undefined: there are none. */
  readonly operands?: string;
  readonly about: string;
  readonly flags: Given;
  /** The end of the help, after the flags. */
  readonly more?: string;
}

export type Values<Given extends Flags> = {
  readonly [Name in keyof Given]: Given[Name] extends { readonly value: string }
    ? Given[Name] extends { readonly isRepeatable: true }
      ? readonly string[] | undefined
      : string | undefined
    : boolean | undefined;
};

const HELP: Flag = { about: 'prints this' };
const WIDTH = 120;

/** @param flags Types the values of the command. */
export const defineCommand = <const Given extends Flags>(command: Command<Given>): Command<Given> =>
  command;

export function helpOf({ name, operands = '', flags, more, ...command }: Command): string {
  const all = Object.entries({ ...flags, help: HELP });
  const width = Math.max(...all.map(([flag, { value }]) => labelOf(flag, value).length)) + 2;
  const lines = all.flatMap(([flag, { value, about, heading }]) => {
    const explained = wrapped(about, WIDTH - width).map(
      (line, index) => (index === 0 ? labelOf(flag, value) : '').padEnd(width) + line,
    );
    return heading === undefined ? explained : ['', `${heading}:`].concat(explained);
  });
  const usage = command.usage ?? `npm run ${name} -- ${operands} [options]`.replace('  ', ' ');
  const end = more === undefined ? [] : ['', more];
  return `${[`usage: ${usage}`, '', command.about, '', ...lines, ...end].join('\n')}\n`;
}

const labelOf = (flag: string, value = ''): string =>
  `  ${flag === 'help' ? '-h, ' : ''}--${flag} ${value}`.trimEnd();

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The rest of Node's messages: advice about other kinds of arguments, or a full stop. */
const ADVICE = /(?:\. To specify .*|\.)$/;

/** @throws RefusedError with one line that says what is wrong. */
export function parseCommand<Given extends Flags>(
  { flags, operands }: Command<Given>,
  args: readonly string[],
): { readonly values: Values<Given>; readonly operands: readonly string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [flag, { value, isRepeatable = false }] of Object.entries(flags)) {
    options[flag] = { type: value === undefined ? 'boolean' : 'string', multiple: isRepeatable };
  }
  try {
    const { values, positionals, tokens } = parseArgs({
      args: joinNegativeValues(args),
      options,
      allowPositionals: operands !== undefined,
      allowNegative: true,
      tokens: true,
    });
    refuseTwice(
      tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])),
      flags,
    );
    return { values: values as Values<Given>, operands: positionals };
  } catch (error) {
    throw new RefusedError(`${firstLineOf(error).replace(ADVICE, '')}: --help lists what there is`);
  }
}

/** `--seed -3` becomes `--seed=-3`: Node takes a value that begins with a dash for an option. */
function joinNegativeValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1);
    const isValue = /^-[\d.]/.test(arg) && last !== undefined && /^--[^=]+$/.test(last);
    if (isValue) joined.splice(-1, 1, `${last}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

/** Node silently takes the last of several values. */
function refuseTwice(given: readonly string[], flags: Flags): void {
  const names = given.map((name) => (Object.hasOwn(flags, name) ? name : name.replace(/^no-/, '')));
  const twice = names.find(
    (name, index) => names.indexOf(name) < index && flags[name]?.isRepeatable !== true,
  );
  if (twice !== undefined) throw new RefusedError(`--${twice} is given more than once`);
}
