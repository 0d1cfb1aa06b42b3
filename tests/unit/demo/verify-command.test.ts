/** What the verify command reads and prints. The thread tests run it, with its threads. */
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { HELP, readArguments } from '../../../demo/cli/verify/arguments.js';
import { stoppedBy, VERDICTS, type FileResult } from '../../../demo/cli/verify/file-result.js';
import { findRecordings } from '../../../demo/cli/verify/find-recordings.js';
import {
  exitCodeOf,
  formatFile,
  formatProgress,
  formatSum,
  reportOf,
  verification,
  type Verification,
} from '../../../demo/cli/verify/report.js';
import { verifyFile } from '../../../demo/cli/verify/verify-file.js';
import { encodeRecording } from '../../../src/shared/index.js';
import { resealed } from '../../fixtures/recording-files.js';
import { changedRun, folderOf, hashlessRun, toyRun } from '../../fixtures/verify-files.js';
import { createSimulation } from '../../fixtures/verify-simulations.js';

const LIMITS = { maxTicks: 1000, maxBytes: 1_000_000 };
const NO_FILE = new Uint8Array(0);
const run = encodeRecording(toyRun());
/** Windows has no pipes in folders, and needs a permission for links. */
const isWindows = process.platform === 'win32';

const verify = (path: string, limits = LIMITS) =>
  verifyFile(path, createSimulation, limits, () => {});

const resultOf = async (contents: Uint8Array, limits = LIMITS): Promise<FileResult> => {
  const folder = await folderOf({ 'a.btwr': contents });
  return (await verify(join(folder, 'a.btwr'), limits)).result;
};

const reported = (results: readonly (FileResult | undefined)[], isInterrupted = false) =>
  reportOf({
    folder: 'uploads',
    threads: 2,
    isInterrupted,
    ticks: 1_234_567,
    seconds: 2.5,
    files: results.map((_, index) => `${index}.btwr`),
    results,
  });

describe('the arguments', () => {
  test('are a folder and options', () => {
    expect(readArguments(['a'])).toMatchObject({
      folder: 'a',
      simulation: undefined,
      maxTicks: 20_000_000,
      maxBytes: 68_157_440,
      maxHeapMiB: 2048,
      timeoutSeconds: 600,
      json: false,
    });
    expect(readArguments(['a'])?.threads).toBeGreaterThan(0);
    const given = '--simulation s.ts --threads 3 --max-ticks 4 --max-bytes 5 --max-heap 64';
    expect(readArguments([...given.split(' '), '--timeout', '0.5', 'a', '--json'])).toEqual({
      folder: 'a',
      simulation: 's.ts',
      threads: 3,
      maxTicks: 4,
      maxBytes: 5,
      maxHeapMiB: 64,
      timeoutSeconds: 0.5,
      json: true,
    });
    expect(readArguments(['-h'])).toBeUndefined();
    for (const [, flag = ''] of given.matchAll(/--([\w-]+)/g)) expect(HELP).toContain(flag);
  });

  test.each([
    [[], 'one folder is needed, and 0 are given'],
    [['a', 'b'], 'and 2 are given'],
    [['a', '--fast'], "Unknown option '--fast'"],
    [['a', '--threads', '0'], '--threads must be a number from 1 to 256, but is "0"'],
    [['a', '--threads', '1.5'], '--threads must be a whole number, but is "1.5"'],
    [['a', '--max-ticks', '4294967296'], '--max-ticks must be a number from 1 to 4294967295'],
    [['a', '--max-bytes', ''], 'but is ""'],
    [['a', '--max-heap', '1'], '--max-heap must be a number from 64'],
    [['a', '--timeout', 'soon'], '--timeout must be a number from 0.1 to 86400, but is "soon"'],
  ])('%j are refused', (args, message) => {
    expect(() => readArguments(args)).toThrow(message);
  });
});

describe('the folder', () => {
  test('has recordings in its subfolders, too, which are sorted by their paths', async () => {
    const names = ['b.btwr', 'a/z.btwr', 'a.btwr', 'a/b/c.BTWR', 'a/readme.txt', 'btwr'];
    const folder = await folderOf(Object.fromEntries(names.map((name) => [name, NO_FILE])));
    // A folder of that name is a folder.
    await mkdir(join(folder, 'd.btwr'));
    await writeFile(join(folder, 'd.btwr', 'e.btwr'), NO_FILE);
    expect(await findRecordings(folder)).toEqual(
      ['a.btwr', 'a/b/c.BTWR', 'a/z.btwr', 'b.btwr', 'd.btwr/e.btwr'].map((file) => ({ file })),
    );
  });

  test('is refused if it is none', async () => {
    const folder = await folderOf({ 'a.btwr': NO_FILE });
    await expect(findRecordings(join(folder, 'missing'))).rejects.toThrow('cannot be read: ENOENT');
    await expect(findRecordings(join(folder, 'a.btwr'))).rejects.toThrow('cannot be read: ENOTDIR');
  });

  test.skipIf(isWindows)('has links and pipes, which are refused and not opened', async () => {
    const outside = await folderOf({ 'a.btwr': toyRun() });
    const folder = await folderOf({ 'a.btwr': toyRun() });
    await symlink(outside, join(folder, 'folder'));
    await symlink(join(outside, 'a.btwr'), join(folder, 'file.btwr'));
    await symlink(join(outside, 'missing'), join(folder, 'nowhere.btwr'));
    await symlink(join(outside, 'a.btwr'), join(folder, 'other'));
    execFileSync('mkfifo', [join(folder, 'pipe.btwr')]);
    const link = 'is a symbolic link, which is not followed';
    expect(await findRecordings(folder)).toEqual([
      { file: 'a.btwr' },
      { file: 'file.btwr', refused: link },
      { file: 'folder', refused: link },
      { file: 'nowhere.btwr', refused: link },
      { file: 'pipe.btwr', refused: 'is not a file' },
    ]);
    // As if they had taken the place of a file that was found.
    for (const name of ['file.btwr', 'pipe.btwr', 'folder']) {
      const { result } = await verify(join(folder, name));
      expect(result.verdict).toBe('refused');
    }
  });
});

describe('a file', () => {
  test('is replayed and compared', async () => {
    expect(await resultOf(run)).toEqual({
      verdict: 'identical',
      engine: 'toy 1',
      seed: 5,
      fromTick: 0,
      tick: 40,
      isComplete: true,
      hash: expect.stringMatching(/^[\da-f]{16}$/),
      hashes: 4,
      equalUpTo: 40,
      differsAt: null,
    });
    expect(await resultOf(encodeRecording(changedRun))).toMatchObject({
      verdict: 'differs',
      equalUpTo: 10,
      differsAt: 20,
    });
    expect(await resultOf(encodeRecording(hashlessRun))).toMatchObject({
      verdict: 'nothing to compare',
      hashes: 0,
    });
  });

  test('has the hash of the run that was computed, and not the one that it claims', async () => {
    const last = toyRun().entries.findLast(({ kind }) => kind === 'hash');
    const claims = { ...changedRun, lastTick: 20 };
    const honest = await resultOf(encodeRecording({ ...toyRun(), lastTick: 20 }));
    expect(await resultOf(encodeRecording(claims))).toMatchObject({
      hash: 'hash' in honest ? honest.hash : '',
    });
    expect(await resultOf(run)).toMatchObject({ hash: last?.kind === 'hash' ? last.hash : '' });
  });

  test('is refused by its size before it is read, and by its ticks before they are run', async () => {
    const { length } = run;
    expect(await resultOf(run, { ...LIMITS, maxBytes: length })).toMatchObject({ hashes: 4 });
    expect(await resultOf(run, { ...LIMITS, maxBytes: length - 1 })).toEqual({
      verdict: 'refused',
      reason: `has ${length} bytes, and at most ${length - 1} are read: --max-bytes allows more`,
    });
    expect(await resultOf(run, { ...LIMITS, maxTicks: 39 })).toEqual({
      verdict: 'refused',
      reason: 'has 40 ticks to be run, and at most 39 are: --max-ticks allows more',
    });
  });

  test('is refused by the module, or because its run cannot continue', async () => {
    const folder = await folderOf({ a: toyRun('refuse'), b: toyRun('throw') });
    expect(await verify(join(folder, 'a'))).toEqual({
      result: { verdict: 'refused', reason: 'is of a level that does not exist' },
      isSpent: false,
    });
    expect(await verify(join(folder, 'b'))).toEqual({
      result: { verdict: 'refused', reason: 'cannot be replayed beyond tick 4: out of' },
      isSpent: true,
    });
    const { result } = await verify(join(folder, 'missing'));
    expect(result).toMatchObject({ reason: expect.stringMatching(/^cannot be read: ENOENT/) });
  });

  const flips = fc.array(fc.tuple(fc.nat({ max: run.length - 1 }), fc.nat({ max: 7 })), {
    minLength: 1,
    maxLength: 4,
  });
  const flipped = (bits: readonly (readonly [at: number, bit: number])[]): Uint8Array => {
    const bytes = run.slice();
    for (const [at, bit] of bits) bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    return bytes;
  };

  test('that is none, is cut off or damaged is refused, whatever it contains', async () => {
    const path = join(await folderOf({}), 'a.btwr');
    const contents = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .uint8Array({ maxLength: 200 })
        .map((rest) => Uint8Array.of(...run.subarray(0, 20), ...rest)),
      fc.nat({ max: run.length - 1 }).map((length) => run.subarray(0, length)),
      flips.map(flipped).filter((bytes) => !Buffer.from(bytes).equals(run)),
    );
    await fc.assert(
      fc.asyncProperty(contents, async (bytes) => {
        await writeFile(path, bytes);
        const { result, isSpent } = await verify(path);
        expect({ verdict: result.verdict, isSpent }).toEqual({
          verdict: 'refused',
          isSpent: false,
        });
      }),
    );
  });

  test('that is forged has some result', async () => {
    const path = join(await folderOf({}), 'a.btwr');
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(flips, async (bits) => {
        await writeFile(path, resealed(flipped(bits)));
        const { result } = await verify(path);
        seen.add(result.verdict);
      }),
    );
    expect(VERDICTS).toEqual(expect.arrayContaining([...seen]));
    // The checksum alone does not refuse them.
    expect(seen.size).toBeGreaterThan(1);
  });
});

describe('the report', () => {
  const IDENTICAL: FileResult = {
    verdict: 'identical',
    engine: 'toy 1',
    seed: 5,
    fromTick: 0,
    tick: 40,
    isComplete: true,
    hash: '0123456789abcdef',
    hashes: 4,
    equalUpTo: 40,
    differsAt: null,
  };
  const DIFFERS: FileResult = { ...IDENTICAL, verdict: 'differs', equalUpTo: 10, differsAt: 20 };
  const NOTHING: FileResult = { ...IDENTICAL, verdict: 'nothing to compare', hashes: 0 };
  const REFUSED = stoppedBy('refused', new Error('is not a file\nat all'));
  const SLOW = stoppedBy('timed out', 'took longer');
  const CRASHED = stoppedBy('crashed', 'ended its thread');

  test('has a line for each file', () => {
    expect(formatFile('a.btwr', IDENTICAL)).toBe(
      'a.btwr  tick 40  hash 0123456789abcdef  identical: 4 hashes equal',
    );
    expect(formatFile('a.btwr', { ...DIFFERS, fromTick: 5 })).toBe(
      'a.btwr  tick 40, from the saved state of tick 5  hash 0123456789abcdef  ' +
        'DIFFERS at tick 20 (equal up to tick 10)',
    );
    expect(formatFile('a.btwr', { ...NOTHING, hash: null })).toBe(
      'a.btwr  tick 40  nothing to compare',
    );
    expect(formatFile('a.btwr', REFUSED)).toBe('a.btwr  refused: is not a file');
  });

  test('has no characters that a terminal obeys, and no long reasons', () => {
    const name = 'a\n\u001b[2J\u009b\u202e.btwr';
    expect(formatFile(name, REFUSED)).toBe(
      String.raw`a\u{a}\u{1b}[2J\u{9b}\u{202e}.btwr  refused: is not a file`,
    );
    const long = stoppedBy('refused', 'x'.repeat(10_000));
    expect(formatFile('a', long)).toHaveLength('a  refused: '.length + 300);
  });

  test('ends with the sum', () => {
    expect(formatSum(reported([IDENTICAL, DIFFERS, REFUSED, undefined, SLOW, IDENTICAL]))).toBe(
      '6 recordings: 2 identical, 1 differs, 1 refused, 1 timed out, 1 not verified; ' +
        '1,234,567 ticks in 2.5 s on 2 threads, 493,827 ticks/s',
    );
    const one: Verification = { ...reported([IDENTICAL]), threads: 1, ticks: 0, seconds: 0 };
    expect(formatSum(one)).toBe(
      '1 recording: 1 identical; 0 ticks in 0.0 s on 1 thread, 0 ticks/s',
    );
  });

  test('shows the progress', () => {
    expect(formatProgress(3, 10, 1_234_567, 2.5)).toBe(
      '3 of 10 files, 1,234,567 ticks, 493,827 ticks/s',
    );
  });

  test('is one object as JSON, of a known schema', () => {
    const report = reported([IDENTICAL, undefined, DIFFERS, NOTHING, REFUSED, SLOW, CRASHED], true);
    const read = v.parse(verification, JSON.parse(JSON.stringify(report)));
    expect(read).toEqual(report);
    expect(read).toMatchObject({ recordings: 7, isInterrupted: true, ticks: 1_234_567 });
    expect(read.counts).toEqual(Object.fromEntries(VERDICTS.map((verdict) => [verdict, 1])));
    expect(read.files.map(({ file }) => file)).toEqual(
      [0, 2, 3, 4, 5, 6].map((index) => `${index}.btwr`),
    );
  });

  test.each([
    [[IDENTICAL, IDENTICAL], 0],
    [[IDENTICAL, DIFFERS, REFUSED], 1],
    [[IDENTICAL, REFUSED], 2],
    [[IDENTICAL, NOTHING], 2],
    [[IDENTICAL, SLOW], 2],
    [[IDENTICAL, CRASHED], 2],
  ])('is the exit code', (results, code) => {
    expect(exitCodeOf(reported(results))).toBe(code);
    expect(exitCodeOf(reported(results, true))).toBe(130);
  });
});
