import { describe, expect, test } from 'vitest';
import { choice, integer, list, number, parseFlags } from '../../../scripts/cli/arguments.js';
import { firstLineOf, RefusedError } from '../../../scripts/cli/errors.js';
import { ProgressLine } from '../../../scripts/cli/progress-line.js';
import { StatusLine, type TerminalOutput } from '../../../scripts/cli/status-line.js';

const tens = (text: string) => integer('--tens', text, 10, 90);

describe('arguments', () => {
  const options = { from: { type: 'string' }, fast: { type: 'boolean' } } as const;
  const parse = (args: string[], seeHelp?: string) =>
    parseFlags({ args, options, strict: true }, seeHelp);

  test('are parsed as Node parses them', () => {
    expect(parse(['--from', '3', '--fast']).values).toEqual({ from: '3', fast: true });
  });

  test.each([
    [['--slow'], "Unknown option '--slow'"],
    [['--from'], "Option '--from <value>' argument missing"],
    [['3'], "Unexpected argument '3'. This command does not take positional arguments"],
  ])('%j is refused in one line without advice', (args, message) => {
    expect(() => parse(args)).toThrow(new RefusedError(message));
    expect(() => parse(args, 'see --help')).toThrow(new RefusedError(`${message}: see --help`));
  });

  test('values are read, or refused with the flag and its rule', () => {
    expect(list('--tens', '10, 20,10', tens)).toEqual([10, 20]);
    expect(number('--size', '1e1', 0, 10)).toBe(10);
    expect(choice('--kind', 'b', ['a', 'b'])).toBe('b');
    for (const [read, message] of [
      [
        () => list('--tens', '10,,20', tens),
        '--tens must be values between commas, but is "10,,20"',
      ],
      [() => tens('10.5'), '--tens must be a whole number, but is "10.5"'],
      [() => tens(' '), '--tens must be a number from 10 to 90, but is " "'],
      [() => number('--size', '11', 0, 10), '--size must be a number from 0 to 10, but is "11"'],
      [() => choice('--kind', 'c', ['a', 'b']), '--kind must be of a, b, but is "c"'],
    ] as const) {
      expect(read).toThrow(new RefusedError(message));
    }
  });
});

test('an error of several lines is reported by its first line', () => {
  expect(firstLineOf(new Error('no such file\n  at a.ts'))).toBe('no such file');
  expect(firstLineOf('gone')).toBe('gone');
});

/** The output on a terminal of that many columns, or in a file. */
function outputOf(columns?: number) {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  return { written, output: columns === undefined ? { write } : { isTTY: true, columns, write } };
}

const progressOn = (output: TerminalOutput) =>
  new ProgressLine(
    output,
    (seconds) => `${seconds} s`,
    () => 0,
  );

describe('progress', () => {
  const step = { done: 0, all: 4, work: 'heap', secondsLeft: 90 };

  test('a file gets a line for each piece of work', () => {
    const { written, output } = outputOf();
    const progress = progressOn(output);
    progress.report(step);
    progress.report({ ...step, secondsLeft: 80 });
    progress.report({ ...step, done: 1, work: 'rain', secondsLeft: 60 });
    progress.end();
    expect(written).toEqual(['[1/4] heap, 90 s left\n', '[2/4] rain, 60 s left\n']);
  });

  test('a terminal gets one line that is overwritten, no wider than the terminal, and cleared', () => {
    const { written, output } = outputOf(40);
    const progress = progressOn(output);
    progress.report({ ...step, done: 2 });
    progress.end();
    progress.end();
    expect(written).toEqual([
      `\r\u001b[2K${'█'.repeat(10)}${'░'.repeat(10)} 2/4, 90 s left: he`,
      '\r\u001b[2K',
    ]);
  });

  test('a status line that was never shown is not cleared', () => {
    const { written, output } = outputOf(40);
    new StatusLine(output).clear();
    expect(written).toEqual([]);
  });
});
