/** What the command prints and writes, and the watchdog thresholds that it accepts. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readArguments } from '../../../lab/cli/arguments.js';
import { runLab } from '../../../lab/cli/run.js';
import type { LabRow } from '../../../lab/engine/index.js';
import { STEPPER_KINDS } from '../../../lab/engine/loops/registry.js';

/** @param columns Width of the terminal; undefined for none. */
function labOn(columns: number | undefined, line: string) {
  const written = { stdout: '', stderr: '' };
  const code = runLab(line.split(' '), {
    stdout: {
      write: (text) => (written.stdout += text),
      ...(columns === undefined ? {} : { columns }),
    },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
}

/** The blocks of a table, by the line with its titles and those with its rows. */
function blocksOf(table: string): string[][] {
  return table
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n');
      const rule = lines.findIndex((line) => line.startsWith('─'));
      return [lines[rule - 1] ?? ''].concat(lines.slice(rule + 1));
    });
}

/** Its words by line; those of a block continue where the block before ended. */
function wordsOf(table: string): string[][] {
  const words: string[][] = [];
  for (const lines of blocksOf(table)) {
    for (const [index, text] of lines.entries()) {
      const [name = '', ...cells] = text.split(/ +/);
      words[index] = [...(words[index] ?? [name]), ...cells];
    }
  }
  return words;
}

const COMPARISON = '--seconds 1 --hitch 300:400';

describe('the table', () => {
  const whole = labOn(undefined, COMPARISON).stdout;
  const width = Math.max(...whole.split('\n').map((line) => line.length));

  test('is in one block if there is no terminal, or one that is as wide', () => {
    expect(whole).not.toContain('\n\n');
    expect(labOn(width, COMPARISON).stdout).toBe(whole);
    expect(labOn(400, COMPARISON).stdout).toBe(whole);
    // A terminal of unknown width.
    expect(labOn(0, COMPARISON).stdout).toBe(whole);
  });

  test.each([
    [80, 3],
    [100, 3],
    [132, 2],
    [width - 1, 2],
  ])('on a terminal of %d characters is in %d blocks that fit it', (columns, count) => {
    const { stdout } = labOn(columns, COMPARISON);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
    const blocks = blocksOf(stdout);
    expect(blocks).toHaveLength(count);
    for (const [, ...rows] of blocks) {
      expect(rows.map((row) => row.split(' ')[0])).toEqual(STEPPER_KINDS);
    }
    expect(wordsOf(stdout)).toEqual(wordsOf(whole));
    // These are one number's mean, p99 and max.
    expect(blocks.filter(([titles = '']) => /(?:mean|p99|max) ms/.test(titles))).toHaveLength(1);
  });

  test('on a very narrow terminal has a block per column', () => {
    expect(wordsOf(labOn(1, COMPARISON).stdout)).toEqual(wordsOf(whole));
  });

  test('shows when inputs show and how often a loop turns', () => {
    const line = '--stepper frame-skip,rate-groups --hitch 4000:500';
    const cells = (extra: string) => {
      const [titles = [], ...rows] = wordsOf(labOn(undefined, `${line}${extra}`).stdout);
      // From the right: a title may have two words.
      const at = titles.length - titles.lastIndexOf('nistic');
      return rows.map((row) => {
        const [turns, , , inputMs] = row.slice(-at - 7, -at - 3);
        return { turns: Number(turns), inputMs: Number(inputMs) };
      });
    };
    const rows = JSON.parse(labOn(undefined, `${line} --json`).stdout) as LabRow[];
    const sliced = cells('');
    const polled = cells(' --input polled');
    for (const [index, { passes, inputLatencyMs }] of rows.entries()) {
      expect(sliced[index]?.turns).toBe(Math.round(passes / 10));
      expect(sliced[index]?.inputMs).toBeCloseTo(inputLatencyMs, 1);
      expect(polled[index]?.inputMs).toBeLessThan(inputLatencyMs - 0.5);
    }
    expect(sliced[1]?.turns).toBeGreaterThan(5 * (sliced[0]?.turns ?? Infinity));
  });
});

describe('the trace', () => {
  test.runIf(existsSync('/dev/full'))('that does not fit its disk is one line, and code 2', () => {
    const { code, stdout, stderr } = labOn(undefined, '--seconds 1 --trace /dev/full');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^lab: --trace cannot be written: ENOSPC[^\n]*\n$/);
  });

  test('that cannot be opened is the same', () => {
    const { code, stdout, stderr } = labOn(undefined, '--seconds 1 --trace /nowhere/at/all');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^lab: --trace cannot be written: ENOENT[^\n]*\n$/);
  });
});

/** The result of five lags of 300 ms, 1 s apart: 15 updates of 20 ms in a frame. */
function watchdogOf(flags: string): LabRow['watchdog'] | undefined {
  const hitches = [1, 2, 3, 4, 5].map((second) => `--hitch ${second}000:300`).join(' ');
  const line = `--stepper bounded-variable ${hitches} --json${flags}`;
  const [row] = JSON.parse(labOn(undefined, line).stdout) as LabRow[];
  return row?.watchdog;
}

describe('the watchdog', () => {
  test('has the given thresholds', () => {
    expect(watchdogOf('')).toMatchObject({ worst: 'slow', slowFrames: 5, criticalFrames: 0 });
    expect(watchdogOf(' --watchdog-slow-updates 17')).toMatchObject({ worst: 'ok' });
    const critical = ' --watchdog-critical-updates 10';
    expect(watchdogOf(critical)).toMatchObject({ worst: 'unresponsive', criticalFrames: 5 });
    expect(watchdogOf(`${critical} --watchdog-critical-frames 6`)).toMatchObject({
      worst: 'critical',
    });
    expect(watchdogOf(`${critical} --watchdog-window-ms 3000`)).toMatchObject({
      worst: 'critical',
    });
  });

  test('has flags with the library’s names', () => {
    const line =
      '--watchdog-slow-updates 4 --watchdog-critical-updates 9 --watchdog-critical-frames 3 ' +
      '--watchdog-window-ms 500';
    const { watchdog } = readArguments(line.split(' '));
    expect(watchdog).toEqual({
      slowUpdates: 4,
      criticalUpdates: 9,
      criticalFrames: 3,
      windowMs: 500,
    });
    const { stdout } = labOn(undefined, '--help');
    for (const flag of line.match(/--\S+/g) ?? []) expect(stdout).toContain(`${flag} `);
  });

  test.each([
    ['--watchdog-slow-updates many', '--watchdog-slow-updates must be a number, but is "many"'],
    ['--watchdog-slow-updates 1.5', '--watchdog-slow-updates must be a whole number from 0 to '],
    [
      '--watchdog-slow-updates 30',
      '--watchdog-critical-updates must be a whole number from 30 to 1000000, but is 20',
    ],
    ['--watchdog-critical-frames 0', '--watchdog-critical-frames must be a whole number from 1 to'],
    ['--watchdog-window-ms -1', '--watchdog-window-ms must be a number from 0 to '],
  ])('%s is refused', (line, message) => {
    const { code, stdout, stderr } = labOn(undefined, line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(message);
  });
});

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('lab:real names the required unit of its duration', { timeout: 20_000 }, async () => {
  const tsx = join(root, 'node_modules/.bin/tsx');
  const reported = await new Promise((resolve) => {
    execFile(tsx, ['lab/cli/real.ts', '0'], { cwd: root }, (error, _stdout, stderr) => {
      resolve({ code: error?.code, stderr });
    });
  });
  expect(reported).toEqual({
    code: 2,
    stderr: 'lab:real: seconds must be a number from 0.1 to 3600, but is "0"\n',
  });
});
