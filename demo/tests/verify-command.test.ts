/** What the verify command reads and prints. tests/threads runs it, with its threads. */
import { execFileSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readArguments } from '../cli/verify/arguments.js';
import { stoppedBy, VERDICTS, type FileResult } from '../cli/verify/file-result.js';
import { findRecordings } from '../cli/verify/find-recordings.js';
import { exitCodeOf, formatFile, formatSum, reportOf } from '../cli/verify/report.js';
import { verifyFile } from '../cli/verify/verify-file.js';
import { encodeRecording } from '../../src/shared/index.js';
import { resealed } from '../../tests/fixtures/recording-files.js';
import { changedRun, folderOf, hashlessRun, toyRun } from '../../tests/fixtures/verify-files.js';
import { createSimulation } from '../../tests/fixtures/verify-simulations.js';

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

test('the arguments of verify are a folder and options, and wrong ones are refused', () => {
  const line =
    '--simulation s.ts --threads 3 --max-ticks 4 --max-bytes 5 --max-heap 64 --timeout 0.5';
  expect(readArguments([...line.split(' '), 'a', '--json'])).toEqual({
    folder: 'a',
    simulation: 's.ts',
    threads: 3,
    maxTicks: 4,
    maxBytes: 5,
    maxHeapMiB: 64,
    timeoutSeconds: 0.5,
    json: true,
  });
  for (const [args, message] of [
    [['a', 'b'], 'and 2 are given'],
    [['a', '--threads', '1.5'], '--threads must be a whole number, but is "1.5"'],
    [['a', '--timeout', 'soon'], '--timeout must be a number from 0.1 to 86400, but is "soon"'],
  ] as const) {
    expect(() => readArguments([...args])).toThrow(message);
  }
});

test('recordings are found in subfolders, too, sorted by their paths', async () => {
  const names = ['b.btwr', 'a/z.btwr', 'a.btwr', 'a/b/c.BTWR', 'a/readme.txt', 'btwr'];
  const folder = await folderOf(Object.fromEntries(names.map((name) => [name, NO_FILE])));
  // A folder of that name is a folder.
  await mkdir(join(folder, 'd.btwr'));
  await writeFile(join(folder, 'd.btwr', 'e.btwr'), NO_FILE);
  expect(await findRecordings(folder)).toEqual(
    ['a.btwr', 'a/b/c.BTWR', 'a/z.btwr', 'b.btwr', 'd.btwr/e.btwr'].map((file) => ({ file })),
  );
  await expect(findRecordings(join(folder, 'a.btwr'))).rejects.toThrow('cannot be read: ENOTDIR');
});

test.skipIf(isWindows)('links and pipes in a folder are refused, and not opened', async () => {
  const outside = await folderOf({ 'a.btwr': toyRun() });
  const folder = await folderOf({ 'a.btwr': toyRun() });
  await symlink(outside, join(folder, 'folder'));
  await symlink(join(outside, 'a.btwr'), join(folder, 'file.btwr'));
  execFileSync('mkfifo', [join(folder, 'pipe.btwr')]);
  const link = 'is a symbolic link, which is not followed';
  expect(await findRecordings(folder)).toEqual([
    { file: 'a.btwr' },
    { file: 'file.btwr', refused: link },
    { file: 'folder', refused: link },
    { file: 'pipe.btwr', refused: 'is not a file' },
  ]);
  // As if they had taken the place of a file that was found.
  for (const name of ['file.btwr', 'pipe.btwr', 'folder']) {
    expect((await verify(join(folder, name))).result.verdict).toBe('refused');
  }
});

test('a file is replayed and compared, and has the hash of the run that was computed', async () => {
  const last = toyRun().entries.findLast(({ kind }) => kind === 'hash');
  expect(await resultOf(run)).toEqual({
    verdict: 'identical',
    engine: 'toy 1',
    seed: 5,
    fromTick: 0,
    tick: 40,
    isComplete: true,
    hash: last?.kind === 'hash' ? last.hash : '',
    hashes: 4,
    equalUpTo: 40,
    differsAt: null,
  });
  const differs = { verdict: 'differs', equalUpTo: 10, differsAt: 20 };
  expect(await resultOf(encodeRecording(changedRun))).toMatchObject(differs);
  const nothing = { verdict: 'nothing to compare', hashes: 0 };
  expect(await resultOf(encodeRecording(hashlessRun))).toMatchObject(nothing);
  // Not the hash that the file claims.
  const honest = await resultOf(encodeRecording({ ...toyRun(), lastTick: 20 }));
  const claims = await resultOf(encodeRecording({ ...changedRun, lastTick: 20 }));
  expect(claims).toMatchObject({ hash: 'hash' in honest ? honest.hash : '' });
});

test('a file is refused by its size, its ticks, the module, or when its run cannot continue', async () => {
  const { length } = run;
  expect(await resultOf(run, { ...LIMITS, maxBytes: length })).toMatchObject({ hashes: 4 });
  expect(await resultOf(run, { ...LIMITS, maxBytes: length - 1 })).toMatchObject({
    reason: `has ${length} bytes, and at most ${length - 1} are read: --max-bytes allows more`,
  });
  expect(await resultOf(run, { ...LIMITS, maxTicks: 39 })).toMatchObject({
    reason: 'has 40 ticks to be run, and at most 39 are: --max-ticks allows more',
  });
  const folder = await folderOf({ a: toyRun('refuse'), b: toyRun('throw') });
  expect(await verify(join(folder, 'a'))).toEqual({
    result: { verdict: 'refused', reason: 'is of a level that does not exist' },
    isSpent: false,
  });
  expect(await verify(join(folder, 'b'))).toEqual({
    result: { verdict: 'refused', reason: 'cannot be replayed beyond tick 4: out of' },
    isSpent: true,
  });
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

test('a file that is none, is cut off or damaged is refused, and a forged one has some result', async () => {
  const path = join(await folderOf({}), 'a.btwr');
  const contents = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }).map((rest) => Uint8Array.of(...run.subarray(0, 20), ...rest)),
    fc.nat({ max: run.length - 1 }).map((length) => run.subarray(0, length)),
    flips.map(flipped).filter((bytes) => !Buffer.from(bytes).equals(run)),
  );
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(contents, flips, async (bytes, bits) => {
      await writeFile(path, bytes);
      const { result, isSpent } = await verify(path);
      expect({ verdict: result.verdict, isSpent }).toEqual({ verdict: 'refused', isSpent: false });
      await writeFile(path, resealed(flipped(bits)));
      seen.add((await verify(path)).result.verdict);
    }),
    { numRuns: 60 },
  );
  expect(VERDICTS).toEqual(expect.arrayContaining([...seen]));
  // The checksum alone does not refuse them.
  expect(seen.size).toBeGreaterThan(1);
});

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

test('the report has a line for each file, which a terminal cannot obey, and ends with the sum', () => {
  expect(formatFile('a.btwr', IDENTICAL)).toBe(
    'a.btwr  tick 40  hash 0123456789abcdef  identical: 4 hashes equal',
  );
  expect(formatFile('a.btwr', DIFFERS)).toContain('DIFFERS at tick 20 (equal up to tick 10)');
  expect(formatFile('a\n\u001b[2J\u009b\u202e.btwr', REFUSED)).toBe(
    String.raw`a\u{a}\u{1b}[2J\u{9b}\u{202e}.btwr  refused: is not a file`,
  );
  expect(formatSum(reported([IDENTICAL, DIFFERS, REFUSED, undefined, SLOW, IDENTICAL]))).toBe(
    '6 recordings: 2 identical, 1 differs, 1 refused, 1 timed out, 1 not verified; ' +
      '1,234,567 ticks in 2.5 s on 2 threads, 493,827 ticks/s',
  );
});

test('the worst result of verify is its exit code', () => {
  for (const [results, code] of [
    [[IDENTICAL, IDENTICAL], 0],
    [[IDENTICAL, DIFFERS, REFUSED], 1],
    [[IDENTICAL, REFUSED], 2],
    [[IDENTICAL, NOTHING], 2],
    [[IDENTICAL, SLOW], 2],
    [[IDENTICAL, CRASHED], 2],
  ] as const) {
    expect(exitCodeOf(reported(results))).toBe(code);
    expect(exitCodeOf(reported(results, true))).toBe(130);
  }
});
