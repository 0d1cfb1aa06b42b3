/** The commands of package.json explain themselves, and refuse an option that they do not know, before they do anything. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { repositoryRoot } from '../child-process.js';
import { defineCommand, helpOf, parseCommand } from '../cli/command.js';

const { scripts } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** The commands that are files of this repository. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, file, args = ''] = /(?:^|import )tsx (\S+\.ts) ?(.*)$/.exec(line) ?? [];
  return file === undefined ? [] : [{ name, file, args: args.split(' ').filter(Boolean) }];
});

/** Runs a command in this process: another one for each would take half a minute. */
async function run(name: string, file: string, args: readonly string[]) {
  const path = join(repositoryRoot, file);
  const before = { argv: process.argv, exitCode: process.exitCode };
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'on').mockReturnThis();
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream] += String(text);
      return true;
    });
  }
  const ended = new Error('the command ended');
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    process.exitCode = code ?? undefined;
    throw ended;
  });
  process.argv = [process.execPath, path, ...args];
  try {
    // Each time another module, with the same dependencies.
    await import(`${path}?${name} ${args.at(-1)}`).catch((error: unknown) => {
      if (error !== ended) throw error;
    });
    return { ...printed, code: process.exitCode };
  } finally {
    Object.assign(process, before);
    vi.restoreAllMocks();
  }
}

/** Ends a command that has begun its work. Loading all that one needs takes seconds on a busy machine. */
const LIMIT_MS = 300_000;

test.each(commands)(
  '$name has help, and refuses unknown options',
  { timeout: LIMIT_MS },
  async ({ name, file, args }) => {
    const help = await run(name, file, [...args, '--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/^usage: npm .*\n[^]*--help +prints this/);
    const refused = await run(name, file, [...args, '--bogus']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^[a-z:-]+: .*--bogus.*\n$/);
  },
);

const SAMPLE = defineCommand({
  name: 'sample',
  operands: '[FILE…]',
  about: 'Is an example.',
  flags: {
    seed: { value: 'N', about: 'a number' },
    hitch: { value: 'AT', isRepeatable: true, about: `${'very '.repeat(40)}long` },
    json: { heading: 'Output', about: 'prints JSON' },
  },
});

test('the help of a command lists its options with their values, in lines that fit', () => {
  const lines = helpOf(SAMPLE).split('\n');
  expect(lines[0]).toBe('usage: npm run sample -- [FILE…] [options]');
  expect(lines).toContain('  --seed N    a number');
  expect(lines.slice(lines.indexOf('Output:'))).toEqual([
    'Output:',
    '  --json      prints JSON',
    '  -h, --help  prints this',
    '',
  ]);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
});

test('a command gets its operands and options, and each option once unless it is repeatable', () => {
  const line = 'a --seed -3 b --hitch 1 --hitch 2 --no-json';
  expect(parseCommand(SAMPLE, line.split(' '))).toEqual({
    operands: ['a', 'b'],
    values: { seed: '-3', hitch: ['1', '2'], json: false },
  });
  const refused = (args: string) => () => parseCommand(SAMPLE, args.split(' '));
  expect(refused('--seed 1 --seed 2')).toThrow('--seed is given more than once');
  expect(refused('--seed')).toThrow(/^Option '--seed <value>' argument missing: --help lists/);
  const { operands: _, ...withoutOperands } = SAMPLE;
  expect(() => parseCommand(withoutOperands, ['a'])).toThrow("argument 'a'");
});
