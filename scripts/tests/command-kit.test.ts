/** What all commands share: their arguments, and the line that shows their progress. */
import { expect, test } from 'vitest';
import { choice, integer, list, number, parseFlags } from '../cli/arguments.js';
import { firstLineOf, RefusedError } from '../cli/errors.js';
import { ProgressLine } from '../cli/progress-line.js';

const options = { from: { type: 'string' }, fast: { type: 'boolean' } } as const;

test.each([
  [['--slow'], "Unknown option '--slow'"],
  [['--from'], "Option '--from <value>' argument missing"],
  [['3'], "Unexpected argument '3'. This command does not take positional arguments"],
])('the arguments %j are refused in one line', (args, message) => {
  const parse = () => parseFlags({ args, options, strict: true }, 'see --help');
  expect(parse).toThrow(new RefusedError(`${message}: see --help`));
});

const tens = (text: string) => integer('--tens', text, 10, 90);

test('values of arguments are read, or refused with the flag and its rule', () => {
  expect(list('--tens', '10, 20,10', tens)).toEqual([10, 20]);
  expect(number('--size', '1e1', 0, 10)).toBe(10);
  expect(choice('--kind', 'b', ['a', 'b'])).toBe('b');
  for (const [read, message] of [
    [() => list('--tens', '10,,20', tens), '--tens must be values between commas'],
    [() => tens('10.5'), '--tens must be a whole number, but is "10.5"'],
    [() => tens(' '), '--tens must be a number from 10 to 90, but is " "'],
    [() => number('--size', '11', 0, 10), '--size must be a number from 0 to 10, but is "11"'],
    [() => choice('--kind', 'c', ['a', 'b']), '--kind must be of a, b, but is "c"'],
  ] as const) {
    expect(read).toThrow(message);
  }
  expect(firstLineOf(new Error('no such file\n  at a.ts'))).toBe('no such file');
});

const lineOn = (output: ConstructorParameters<typeof ProgressLine>[0]) =>
  new ProgressLine(
    output,
    (seconds) => `${seconds} s`,
    () => 0,
  );

test('progress is a line for each piece of work in a file, and one line on a terminal', () => {
  const step = { done: 0, all: 4, work: 'heap', secondsLeft: 90 };
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const inFile = lineOn({ write });
  inFile.report(step);
  inFile.report({ ...step, secondsLeft: 80 });
  inFile.report({ ...step, done: 1, work: 'rain', secondsLeft: 60 });
  inFile.end();
  expect(written.splice(0)).toEqual(['[1/4] heap, 90 s left\n', '[2/4] rain, 60 s left\n']);
  const onTerminal = lineOn({ isTTY: true, columns: 40, write });
  onTerminal.report({ ...step, done: 2 });
  onTerminal.end();
  expect(written).toEqual([
    `\r\u001b[2K${'█'.repeat(10)}${'░'.repeat(10)} 2/4, 90 s left: he`,
    '\r\u001b[2K',
  ]);
});
