import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readArguments, type LabArguments } from '../../../lab/cli/arguments.js';
import { runLab } from '../../../lab/cli/run.js';
import { flagsInMessage } from '../../../lab/cli/values.js';
import type { LabRow } from '../../../lab/engine/index.js';
import { STEPPER_KINDS } from '../../../lab/engine/loops/registry.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** In this process. */
function lab(...args: string[]): Outcome {
  const written = { stdout: '', stderr: '' };
  const code = runLab(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
}

/** As started by `npm run lab`. */
function labProcess(...args: string[]): Promise<Outcome> {
  const tsx = join(root, 'node_modules/.bin/tsx');
  return new Promise((resolve) => {
    execFile(tsx, ['lab/cli/main.ts', ...args], { cwd: root }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
}

describe('the command', () => {
  test('is a process that ends with its exit code', { timeout: 20_000 }, async () => {
    const [right, wrong] = await Promise.all([
      labProcess('--stepper', 'fixed', '--seconds', '1', '--json'),
      labProcess('--stepper', 'fix'),
    ]);
    expect({ ...right, stdout: (JSON.parse(right.stdout) as LabRow[]).length }).toEqual({
      code: 0,
      stdout: 1,
      stderr: '',
    });
    expect(wrong).toEqual(lab('--stepper', 'fix'));
  });

  test('--json prints an array, one object a stepper', async () => {
    const line =
      '--stepper fixed --tick-hz 50 --display-hz 60 --seconds 10 --update-ms 2 --frame-ms 3 ' +
      '--hitch 4000:500 --json';
    const { code, stdout, stderr } = lab(...line.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = JSON.parse(stdout) as LabRow[];
    expect(rows).toHaveLength(1);
    const number = expect.any(Number) as number;
    expect(rows[0]).toMatchObject({
      stepper: 'fixed',
      tickHz: 50,
      updates: 486,
      frames: 569,
      distinctFrames: number,
      repeatedFrames: number,
      simulatedS: 9.72,
      realS: 10,
      effectiveSpeed: 0.972,
      largestStepMs: 20,
      droppedMs: expect.closeTo(266.667, 3) as number,
      deepestInFloor: 0,
      driftS: number,
      sleptMs: 0,
      latencyMs: number,
      animationErrorMs: { mean: number, p99: number, max: expect.closeTo(283.333, 3) as number },
      deterministic: true,
      watchdog: { worst: 'slow', slowFrames: 1, criticalFrames: 0, unresponsiveAtMs: null },
    });
    expect(rows[0]?.perSecond).toHaveLength(10);
    expect(rows[0]?.perSecond[2]).toEqual({
      iterations: 60,
      updated: 50,
      rendered: 60,
      refreshed: 0,
    });
  });

  test('--stepper all compares all of them, in order; every number is one', async () => {
    const { stdout } = lab('--stepper', 'all', '--seconds', '2', '--json');
    const rows = JSON.parse(stdout) as LabRow[];
    expect(rows.map(({ stepper }) => stepper)).toEqual(STEPPER_KINDS);
    // NaN and Infinity would have become null.
    expect(stdout.match(/"(\w+)":null/g)?.every((text) => /tickHz|unresponsive/.test(text))).toBe(
      true,
    );
  });

  test('all omits loops that would never end, with one line that names the settings they need', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'betwixt-lab-'));
    try {
      const file = join(folder, 'trace.jsonl');
      // Updates with a cost suffice for loops that run one per frame, and for no other.
      const args = ['--vsync', 'off', '--update-ms', '1', '--seconds', '1'];
      const { code, stdout, stderr } = lab(...args, '--json', '--trace', file);
      const rows = JSON.parse(stdout) as LabRow[];
      const can = ['unpaced', 'frame-locked', 'variable', 'rate-groups'];
      expect({ code, steppers: rows.map(({ stepper }) => stepper) }).toEqual({
        code: 0,
        steppers: can,
      });
      expect(stderr).toBe(
        'lab: left out: frame-skip, fixed-predict, semi-fixed, fixed, refresh-multiple, bounded-variable, ' +
          'which would loop forever at the same time: set --frame-ms or --render-hz, or --vsync on\n',
      );
      // Nor does the trace contain the attempts.
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      const traced = lines.map((line) => (JSON.parse(line) as { stepper: string }).stepper);
      expect([...new Set(traced)]).toEqual(can);
      expect(lab(...args, '--stepper', 'all').stdout).toMatch(/^rate-groups /m);
      expect(lab(...args, '--render-hz', '30')).toMatchObject({ code: 0, stderr: '' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('without --json it prints a table', async () => {
    const { code, stdout } = lab('--stepper', 'rate-groups', '--seconds', '3');
    expect(code).toBe(0);
    expect(stdout).toMatch(/stepper +Hz +updates +frames/);
    expect(stdout).toMatch(/^rate-groups +60 +180 +150 /m);
    expect(stdout).toContain('Updated: 60 | Rendered: 50 | Refreshed: 4');
  });

  test.each([
    [['--stepper', 'fix'], 'lab: --stepper must be all or of unpaced, '],
    [
      ['--max-steps', '1.5'],
      'lab: --max-steps must be a whole number from 1, or none, but is "1.5"',
    ],
    [
      ['--hitch', '12000:300'],
      'lab: --hitch must begin before the run ends at 10000 ms, and begins at 12000 ms: ',
    ],
    [['--seconds', '5', '--seconds', '6'], 'lab: --seconds is given more than once'],
    [
      ['--vsync', 'off', '--stepper', 'frame-locked,unpaced'],
      'lab: unpaced would loop forever at the same time: set --frame-ms or --render-hz, or --vsync on',
    ],
  ])('%j: exit code 2 and one line', async (args, message) => {
    const { code, stdout, stderr } = lab(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.startsWith(message)).toBe(true);
  });

  test('--help has a line for every column of the table', () => {
    const { code, stdout } = lab('--help');
    expect(code).toBe(0);
    const legend = stdout.slice(stdout.indexOf('Columns of the table:'));
    const [first = '', second = ''] = lab('--seconds', '1').stdout.split('\n');
    const words = `${first} ${second}`.split(/ +/).filter((word) => /[a-z]{4}/i.test(word));
    const reported = words
      .filter((word) => word !== 'stepper')
      .map((word) => word.replace(/-$/, ''));
    expect(reported.length).toBeGreaterThan(12);
    expect(reported.filter((word) => !legend.includes(word))).toEqual([]);
    expect(legend.split('\n').every((line) => line.length <= 120)).toBe(true);
  });

  test('--trace writes every part of the run, one object a line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'betwixt-lab-'));
    try {
      const file = join(folder, 'trace.jsonl');
      const { code } = lab('--stepper', 'variable', '--seconds', '1', '--trace', file);
      expect(code).toBe(0);
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      const spans = lines.map((line) => JSON.parse(line) as { stepper: string; kind: string });
      expect(spans.every(({ stepper }) => stepper === 'variable')).toBe(true);
      expect(spans.filter(({ kind }) => kind === 'frame')).toHaveLength(60);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function read(line: string): LabArguments {
  return readArguments(line.split(' ').filter((part) => part !== ''));
}

describe('arguments', () => {
  test('all of the scenario', () => {
    const { scenario } = read(
      '--seconds 5 --display-hz 59.94 --vsync off --stamp-noise-ms 1 --update-ms 2 --frame-ms 1:3 ' +
        '--refresh-ms 2~8 --wake-late-ms 0.5 --machine-speed 2 --hitch 100:5 --hitch 200:6 ' +
        '--render-hz 30 --skip-repeats --input polled --seed 7',
    );
    expect(scenario).toEqual({
      seconds: 5,
      displayHz: 59.94,
      vsync: false,
      stampNoiseMs: 1,
      updateMs: 2,
      frameMs: { minMs: 1, maxMs: 3 },
      refreshMs: { medianMs: 2, p99Ms: 8 },
      wakeLateMs: 0.5,
      machineSpeed: 2,
      hitches: [
        { atMs: 100, durationMs: 5 },
        { atMs: 200, durationMs: 6 },
      ],
      renderHz: 30,
      skipRepeats: true,
      input: 'polled',
      seed: 7,
    });
  });

  test('all of the steppers', () => {
    const { kinds, isAll, settings } = read(
      '--tick-hz 50 --max-steps 4 --clamp-ratio 0.75:1.5 --max-frame-skip 7 --max-frame-ms 333 ' +
        '--no-interpolate --assumed-hz 60 --max-intervals 3 --threshold-ms 80 ' +
        '--overload pass-through --refresh-hz 2 --poll-ms 2 --max-dt-ms 30 --remainder --max-lag-ms 4',
    );
    expect(kinds).toEqual(STEPPER_KINDS);
    expect(isAll).toBe(true);
    expect(settings).toEqual({
      tickHz: 50,
      maxSteps: 4,
      options: {
        variable: { clampRatio: [0.75, 1.5] },
        'frame-skip': { maxFrameSkip: 7 },
        'fixed-predict': { maxFrameSkip: 7 },
        fixed: { maxFrameMs: 333, interpolate: false },
        'refresh-multiple': {
          assumedHz: 60,
          maxIntervals: 3,
          thresholdMs: 80,
          overload: 'pass-through',
        },
        'rate-groups': { refreshHz: 2, pollMs: 2, interpolate: false },
        'bounded-variable': { maxDtMs: 30, remainder: true, maxLagMs: 4 },
      },
    });
  });

  test('all of them by their names are not all', () => {
    const { kinds, isAll } = read(`--stepper ${STEPPER_KINDS.join(',')}`);
    expect({ kinds, isAll }).toEqual({ kinds: STEPPER_KINDS, isAll: false });
  });

  test.each([
    ['--seed -3', { seed: -3 }],
    ['--hitch 4000:500', { hitches: [{ atMs: 4000, durationMs: 500 }] }],
  ])('%s', (line, scenario) => {
    expect(read(line).scenario).toMatchObject(scenario);
  });

  test.each([
    ['--bogus', "Unknown option '--bogus'"],
    ['extra', "Unexpected argument 'extra'"],
    ['--tick-hz', "Option '--tick-hz <value>' argument missing"],
    ['--tick-hz fast', '--tick-hz must be a number, but is "fast"'],
    ['--tick-hz 1e', '--tick-hz must be a number, but is "1e"'],
    ['--hitch 3', '--hitch must be two numbers with a colon between, but is "3"'],
    ['--update-ms 1:2:3', '--update-ms must be two numbers with a colon between'],
    ['--vsync maybe', '--vsync must be on or off, but is "maybe"'],
    ['--input fast', '--input must be sliced or polled, but is "fast"'],
    ['--seed -3 --seed=-4', '--seed is given more than once, and takes one value: leave one'],
    ['--interpolate --no-interpolate', '--interpolate is given more than once'],
    ['--seconds 2 --hitch 100:5 --hitch 2000:5', 'must begin before the run ends at 2000 ms'],
    ['--seconds 0 --tick-hz 2 --tick-hz 2', '--tick-hz is given more than once'],
    ['--stepper fixed,fix', '--stepper must be all or of '],
    ['--stepper fixed --remainder', '--remainder is an option of bounded-variable, not of fixed'],
  ])('%s is refused', (line, message) => {
    expect(() => read(line)).toThrow(message);
  });

  test.each([
    ['displayHz must be a number', '--display-hz must be a number'],
    ['frameMs: the most must be 3', '--frame-ms: the most must be 3'],
    ['fixed: tickRateHz must be 1', 'fixed: --tick-hz must be 1'],
    ["variable: clampRatio's first must be 0", "variable: --clamp-ratio's first must be 0"],
    ['fixed would loop forever: give it a cost', 'fixed would loop forever: give it a cost'],
  ])('of the engine, %s reads %s', (message, line) => {
    expect(flagsInMessage(message)).toBe(line);
  });
});
