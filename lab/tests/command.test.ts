/** The command: one run with its output, and what it refuses. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readArguments } from '../cli/arguments.js';
import { runLab } from '../cli/run.js';
import type { LabRow } from '../engine/index.js';
import { STEPPER_KINDS } from '../engine/loops/registry.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the command in this process. */
function lab(line: string) {
  const written = { stdout: '', stderr: '' };
  const code = runLab(line.split(' '), {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { code, ...written };
}

test('npm run lab is a process that prints JSON and ends with its exit code', async () => {
  const tsx = join(root, 'node_modules/.bin/tsx');
  const line = '--stepper fixed --tick-hz 50 --update-ms 2 --frame-ms 3 --hitch 4000:500 --json';
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    const args = ['lab/cli/main.ts', ...line.split(' ')];
    execFile(tsx, args, { cwd: root }, (error, text) =>
      resolve({ code: error?.code, stdout: text }),
    );
  });
  expect(code).toBeUndefined();
  expect(JSON.parse(stdout)).toMatchObject([
    {
      stepper: 'fixed',
      tickHz: 50,
      updates: 486,
      frames: 569,
      simulatedS: 9.72,
      realS: 10,
      effectiveSpeed: 0.972,
      largestStepMs: 20,
      droppedMs: expect.closeTo(266.667, 3),
      animationErrorMs: { max: expect.closeTo(283.333, 3) },
      deterministic: true,
      watchdog: { worst: 'slow', slowFrames: 1, criticalFrames: 0, unresponsiveAtMs: null },
    },
  ]);
});

test('the lab compares all loops, each in a row of the table, and with numbers alone in JSON', () => {
  const { code, stdout } = lab('--seconds 2');
  expect(code).toBe(0);
  for (const kind of STEPPER_KINDS) expect(stdout).toMatch(new RegExp(`^${kind} `, 'm'));
  const json = lab('--stepper all --seconds 2 --json').stdout;
  expect((JSON.parse(json) as LabRow[]).map(({ stepper }) => stepper)).toEqual(STEPPER_KINDS);
  // NaN and Infinity would have become null.
  const unknown = json.match(/"\w+":null/g) ?? [];
  expect(unknown.filter((text) => !/tickHz|unresponsive/.test(text))).toEqual([]);
});

test('the arguments of the lab are the scenario, the options of the loops and the watchdog', () => {
  const line =
    '--seconds 5 --display-hz 59.94 --vsync off --frame-ms 1:3 --refresh-ms 2~8 --hitch 100:5 ' +
    '--hitch 200:6 --input polled --seed -7 --tick-hz 50 --max-steps 4 --clamp-ratio 0.75:1.5 ' +
    '--no-interpolate --overload pass-through --remainder --watchdog-slow-updates 4';
  const { scenario, settings, watchdog, isAll } = readArguments(line.split(' '));
  expect({ isAll, watchdog }).toMatchObject({ isAll: true, watchdog: { slowUpdates: 4 } });
  expect(scenario).toEqual({
    seconds: 5,
    displayHz: 59.94,
    vsync: false,
    frameMs: { minMs: 1, maxMs: 3 },
    refreshMs: { medianMs: 2, p99Ms: 8 },
    hitches: [
      { atMs: 100, durationMs: 5 },
      { atMs: 200, durationMs: 6 },
    ],
    input: 'polled',
    seed: -7,
  });
  expect(settings).toEqual({
    tickHz: 50,
    maxSteps: 4,
    options: {
      variable: { clampRatio: [0.75, 1.5] },
      fixed: { interpolate: false },
      'refresh-multiple': { overload: 'pass-through' },
      'rate-groups': { interpolate: false },
      'bounded-variable': { remainder: true },
    },
  });
});

test.each([
  ['--bogus', "Unknown option '--bogus'"],
  ['--stepper fix', '--stepper must be all or of unpaced, '],
  ['--tick-hz fast', '--tick-hz must be a number, but is "fast"'],
  ['--max-steps 1.5', '--max-steps must be a whole number from 1, or none, but is "1.5"'],
  ['--hitch 12000:300', '--hitch must begin before the run ends at 10000 ms'],
  ['--seconds 5 --seconds 6', '--seconds is given more than once'],
  ['--stepper fixed --remainder', '--remainder is an option of bounded-variable, not of fixed'],
  ['--watchdog-slow-updates 30', '--watchdog-critical-updates must be a whole number from 30 to'],
  ['--seconds 1 --trace /nowhere/at/all', '--trace cannot be written: ENOENT'],
])('lab %s is refused in one line, with exit code 2', (line, message) => {
  const { code, stdout, stderr } = lab(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^lab: [^\n]+\n$/);
  expect(stderr).toContain(message);
});
