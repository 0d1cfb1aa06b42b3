/** The replay command's arguments and output. tests/threads runs it as a process. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readArguments } from '../cli/arguments.js';
import { buildOf, readRecording, requireScene } from '../cli/recording-file.js';
import { exitCodeOf, formatJson, formatText } from '../cli/verdict.js';
import { encodeRecording, type Json, type Recording } from '../../src/shared/index.js';
import { smallRecording } from '../../tests/fixtures/recordings.js';

const SETUP = { name: 'heap', bodies: 100, seed: 3 };
const of = (engine: string, setup: Json = SETUP): Recording => ({
  ...smallRecording,
  run: { ...smallRecording.run, setup, engine },
});

test('the arguments of the replay command are a file and options', () => {
  expect(readArguments(['a.rec'])).toEqual({
    file: 'a.rec',
    fromTick: undefined,
    maxTicks: 20_000_000,
    json: false,
  });
  expect(readArguments(['--json', 'a.rec', '--from', '60', '--max-ticks', '300'])).toEqual({
    file: 'a.rec',
    fromTick: 60,
    maxTicks: 300,
    json: true,
  });
});

test.each([
  [[], 'one recording file is needed, and 0 are given'],
  [['a', '--fast'], "Unknown option '--fast'"],
  [['a', '--from', '1.5'], 'but is "1.5"'],
  [['a', '--max-ticks', '0'], 'must be a whole number of ticks from 1 on, but is "0"'],
])('the replay command refuses the arguments %j', (args, message) => {
  expect(() => readArguments(args)).toThrow(message);
});

test('a recording file is read, or refused with the reason', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'replay-command-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'file');
  await expect(readRecording(path)).rejects.toThrow(/^cannot be read: ENOENT/);
  await writeFile(path, encodeRecording(smallRecording).subarray(0, -1));
  await expect(readRecording(path)).rejects.toThrow('cut off');
  await writeFile(path, encodeRecording(smallRecording));
  expect(await readRecording(path)).toEqual(smallRecording);
});

test('a recording is replayed if it is of the demo, and by the build of its engine', async () => {
  const name = 'rapier3d-deterministic 0.21.0';
  expect(() => requireScene(of(name))).not.toThrow();
  expect(await buildOf(of(name))).toBe('deterministic');
  for (const setup of [
    null,
    'heap',
    [],
    { ...SETUP, name: 'toString' },
    { ...SETUP, bodies: 'x' },
  ]) {
    expect(() => requireScene(of(name, setup))).toThrow('is not a recording of the demo');
  }
  await expect(buildOf(of('toy 1'))).rejects.toThrow('another application');
  await expect(buildOf(of('rapier3d-deterministic 0.1.0'))).rejects.toThrow('install the version');
});

const report = { tick: 300, hashes: 5, differsAt: undefined, equalUpTo: 300 };

test('the verdict of a replay names the run, its hash and where it differs, and is the exit code', () => {
  const outcome = {
    recording: { ...of('rapier3d-simd 0.20.0'), start: undefined },
    report,
    hash: '0123456789abcdef',
  };
  expect(formatText(outcome)).toBe(
    'recorded  scene heap, 100 bodies, seed 7, rapier3d-simd 0.20.0\n' +
      'tick 300  hash 0123456789abcdef  identical: 5 hashes equal\n',
  );
  const differs = { ...report, differsAt: 120, equalUpTo: 60 };
  const nothing = { ...report, hashes: 0, equalUpTo: 0 };
  expect(formatText({ ...outcome, report: differs })).toContain(
    'DIFFERS at tick 120 (equal up to tick 60)',
  );
  expect(formatText({ ...outcome, report: nothing })).toContain('nothing to compare');
  expect([report, differs, nothing].map(exitCodeOf)).toEqual([0, 1, 2]);
  expect(JSON.parse(formatJson({ ...outcome, report: differs }))).toMatchObject({
    setup: SETUP,
    seed: 7,
    tick: 300,
    hash: '0123456789abcdef',
    differsAt: 120,
    verdict: 'differs',
  });
});
