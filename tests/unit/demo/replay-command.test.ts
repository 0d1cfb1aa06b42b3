/** What the replay command reads and prints. The thread tests run it as a process. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HELP, readArguments } from '../../../demo/cli/arguments.js';
import {
  buildOf,
  readRecording,
  requireScene,
  requireTicks,
  startingAt,
} from '../../../demo/cli/recording-file.js';
import { Progress } from '../../../demo/cli/progress.js';
import {
  exitCodeOf,
  formatJson,
  formatText,
  NOTHING_TO_COMPARE,
} from '../../../demo/cli/verdict.js';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { encodeRecording, type Json, type Recording } from '../../../src/shared/index.js';
import { smallRecording } from '../../fixtures/recordings.js';

const refusalOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
  } catch (error) {
    if (error instanceof RefusedError) return error.message;
    throw error;
  }
  return 'not refused';
};

const of = (engine: string): Recording => ({
  ...smallRecording,
  run: { ...smallRecording.run, setup: { name: 'heap', bodies: 100, seed: 3 }, engine },
});
const report = { tick: 300, hashes: 5, differsAt: undefined, equalUpTo: 300 };

describe('the arguments', () => {
  test('are a file and options', () => {
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
    expect(readArguments(['-h'])).toBeUndefined();
    expect(HELP).toContain('--from');
  });

  test.each([
    [[], 'one recording file is needed, and 0 are given'],
    [['a', 'b'], 'and 2 are given'],
    [['a', '--fast'], "Unknown option '--fast'"],
    [['a', '--json=1'], '--json'],
    [['a', '--from', 'soon'], 'but is "soon"'],
    [['a', '--from', '1.5'], 'but is "1.5"'],
    [['a', '--from', ''], 'but is ""'],
    [['a', '--from=-1'], 'but is "-1"'],
    [
      ['a', '--max-ticks', '0'],
      '--max-ticks must be a whole number of ticks from 1 on, but is "0"',
    ],
    [['a', '--max-ticks', '1e99'], 'but is "1e99"'],
  ])('%j are refused', async (args, message) => {
    const refusal = await refusalOf(() => readArguments(args));
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('\n');
  });
});

describe('the file', () => {
  test('is read, or refused with the reason', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'replay-command-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'file');
    const refusal = (): Promise<string> => refusalOf(() => readRecording(path));
    expect(await refusal()).toMatch(/^cannot be read: ENOENT/);
    await writeFile(path, '');
    expect(await refusal()).toMatch(/^cannot be read: /);
    await writeFile(path, encodeRecording(smallRecording).subarray(0, -1));
    expect(await refusal()).toContain('cut off');
    await writeFile(path, encodeRecording(smallRecording));
    expect(await readRecording(path)).toEqual(smallRecording);
  });

  test('is of one of the scenes', () => {
    expect(() => requireScene(of('rapier3d-simd 0.20.0'))).not.toThrow();
  });

  test.each<[Json]>([
    [null],
    ['heap'],
    [[]],
    [{ scene: 'Türme' }],
    [{ name: 'volcano', bodies: 100, seed: 3 }],
    [{ name: 'toString', bodies: 100, seed: 3 }],
    [{ name: 'heap', bodies: 'many', seed: 3 }],
    [{ name: 'heap', bodies: 100 }],
  ])('of a run that was set up with %j is refused', async (setup) => {
    const recording = of('rapier3d-simd 0.20.0');
    const other = { ...recording, run: { ...recording.run, setup } };
    const refusal = await refusalOf(() => requireScene(other));
    expect(refusal).toContain('is not a recording of the demo');
    expect(refusal).toContain('`replay` of betwixt/worker');
    expect(refusal).not.toContain('\n');
  });

  test('names the build that replays it', async () => {
    expect(await buildOf(of('rapier3d-deterministic 0.21.0'))).toBe('deterministic');
  });

  test.each([
    ['toy 1', 'another application'],
    ['', 'another application'],
    ['rapier3d-deterministic 0.1.0', 'install the version'],
  ])('of the engine "%s" is refused', async (engine, message) => {
    expect(await refusalOf(() => buildOf(of(engine)))).toContain(message);
  });

  test('can begin at the saved state before a tick', async () => {
    const [state] = smallRecording.states;
    expect(startingAt(smallRecording, 9).start).toBe(smallRecording.start);
    expect(startingAt(smallRecording, 10).start).toBe(state);
    expect(startingAt(smallRecording, 20).start).toBe(state);
    for (const tick of [1, 21]) {
      expect(await refusalOf(() => startingAt(smallRecording, tick))).toContain('2 to 20');
    }
  });

  test('has no more ticks than are allowed, from its beginning', async () => {
    expect(() => requireTicks(smallRecording, 18)).not.toThrow();
    const refusal = await refusalOf(() => requireTicks(smallRecording, 17));
    expect(refusal).toBe('has 18 ticks to be run, and at most 17 are: --max-ticks allows more');
    const endless = { ...smallRecording, start: undefined, lastTick: Number.MAX_SAFE_INTEGER };
    const { maxTicks = 0 } = readArguments(['f']) ?? {};
    expect(await refusalOf(() => requireTicks(endless, maxTicks))).toBe(
      'has 9007199254740991 ticks to be run, and at most 20000000 are: --max-ticks allows more',
    );
  });
});

test('the progress waits for a turn of the event loop, in which a Ctrl-C is handled', async () => {
  let isReceived = false;
  setImmediate(() => {
    isReceived = true;
  });
  await new Progress(100).show(60);
  expect(isReceived).toBe(true);
});

describe('the verdict', () => {
  const begun: Recording = { ...of('rapier3d-simd 0.20.0'), start: undefined };
  const outcome = { recording: begun, report, hash: '0123456789abcdef' };
  const DIFFERS = { ...report, differsAt: 120, equalUpTo: 60 };
  const NOTHING = { ...report, hashes: 0, equalUpTo: 0 };

  test('names the scene, the tick and the hash', () => {
    expect(formatText(outcome)).toBe(
      'recorded  scene heap, 100 bodies, seed 7, rapier3d-simd 0.20.0\n' +
        'tick 300  hash 0123456789abcdef  identical: 5 hashes equal\n',
    );
    expect(formatText({ ...outcome, recording: of('rapier3d-simd 0.20.0') })).toContain(
      'from the saved state of tick 2',
    );
    expect(formatText({ ...outcome, hash: undefined })).toContain('tick 300  identical');
  });

  test('says that the recording was full, if it was', () => {
    const full = { ...outcome, recording: { ...begun, isComplete: false } };
    expect(formatText(full)).toContain(
      '5 hashes equal; the recording was full here, and the run continued',
    );
    expect(JSON.parse(formatJson(full))).toMatchObject({ isComplete: false });
  });

  test('says where it differs', () => {
    expect(formatText({ ...outcome, report: DIFFERS })).toContain(
      'DIFFERS at tick 120 (equal up to tick 60)',
    );
    const first = { ...DIFFERS, differsAt: 60, equalUpTo: 0 };
    expect(formatText({ ...outcome, report: first })).toContain('tick 60 (no hash before it)');
  });

  test('is one object as JSON', () => {
    expect(JSON.parse(formatJson({ ...outcome, report: DIFFERS }))).toEqual({
      engine: 'rapier3d-simd 0.20.0',
      setup: { name: 'heap', bodies: 100, seed: 3 },
      seed: 7,
      fromTick: 0,
      tick: 300,
      isComplete: true,
      hash: '0123456789abcdef',
      hashes: 5,
      equalUpTo: 60,
      differsAt: 120,
      verdict: 'differs',
    });
  });

  test('is the exit code, and a comparison without hashes is not a success', () => {
    expect([report, DIFFERS, NOTHING].map(exitCodeOf)).toEqual([0, 1, 2]);
    expect(formatText({ ...outcome, report: NOTHING })).toContain('nothing to compare');
    expect(NOTHING_TO_COMPARE).toContain('hashEveryTicks');
  });
});
