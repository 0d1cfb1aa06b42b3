/** The verify command: its pool of threads, and as a process. */
import { execFile, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { FileResult } from '../../demo/cli/verify/file-result.js';
import type { After } from '../../demo/cli/verify/replay-thread.js';
import { verification } from '../../demo/cli/verify/report.js';
import { ThreadPool } from '../../demo/cli/verify/thread-pool.js';
import type { Recording } from '../../src/shared/index.js';
import { eventually } from '../fixtures/eventually.js';
import { createSimulation as createFountain } from '../../docs/snippets/fountain/src/simulation.js';
import { runTicks } from '../../src/sim-worker/testing/index.js';
import { damaged, shortRecording, withAnotherShot } from '../fixtures/replay-files.js';
import {
  changedRun,
  folderOf,
  hashlessRun,
  SIMULATIONS,
  toyRun,
} from '../fixtures/verify-files.js';
import { MISDEED_TICK } from '../fixtures/verify-simulations.js';

/** However long a file takes. */
const never: After = () => () => {};

const poolOf = (threads: number, after = never, simulation = SIMULATIONS.href): ThreadPool =>
  new ThreadPool(threads, {
    simulation,
    maxTicks: 1000,
    maxBytes: 1_000_000,
    maxHeapMiB: 64,
    timeoutSeconds: 3,
    after,
  });

/** Files by their names, in their order. */
async function start(pool: ThreadPool, files: Readonly<Record<string, Recording | Uint8Array>>) {
  const names = Object.keys(files);
  const folder = await folderOf(files);
  const results: Record<string, FileResult> = {};
  const paths = names.map((name) => join(folder, name));
  const ended = pool.run(paths, (index, result) => {
    const name = names[index] ?? '';
    // Each has one result.
    expect(results).not.toHaveProperty(name);
    results[name] = result;
  });
  return { results, ended };
}

async function resultsOf(
  threads: number,
  files: Readonly<Record<string, Recording | Uint8Array>>,
): Promise<Record<string, FileResult>> {
  const { results, ended } = await start(poolOf(threads), files);
  await ended;
  return results;
}

const verdictsOf = (results: Readonly<Record<string, FileResult>>) =>
  Object.fromEntries(Object.entries(results).map(([name, { verdict }]) => [name, verdict]));

describe('the pool', () => {
  test('gives each of many files to one of a few threads', async () => {
    const kinds = {
      identical: toyRun(),
      differs: changedRun,
      'nothing to compare': hashlessRun,
      refused: damaged(toyRun()),
    };
    const expected: Record<string, string> = {};
    const files: Record<string, Recording | Uint8Array> = {};
    for (let copy = 0; copy < 5; copy++) {
      for (const [verdict, contents] of Object.entries(kinds)) {
        expected[`${copy} ${verdict}`] = verdict;
        files[`${copy} ${verdict}`] = contents;
      }
    }
    const pool = poolOf(3);
    const { results, ended } = await start(pool, files);
    await ended;
    expect(verdictsOf(results)).toEqual(expected);
    // Those that differ are repeated if their thread had another file before.
    expect(pool.ticks).toBeGreaterThanOrEqual(15 * 40);
    expect(pool.ticks).toBeLessThanOrEqual(20 * 40);
  });

  test('ends a thread that hangs in a tick, and continues with another', async () => {
    const calls: (() => void)[] = [];
    let cancelled = 0;
    const pool = poolOf(1, (seconds, call) => {
      expect(seconds).toBe(3);
      calls.push(call);
      return () => (cancelled += 1);
    });
    const { results, ended } = await start(pool, {
      before: toyRun(),
      hung: toyRun('hang'),
      after: toyRun(),
    });
    await eventually(() => expect(pool.ticks).toBe(40 + MISDEED_TICK - 1));
    expect(Object.keys(results)).toEqual(['before']);
    calls.at(-1)?.();
    await ended;
    expect(results['hung']).toEqual({
      verdict: 'timed out',
      reason: 'took longer than 3 s, in which 4 ticks were run: --timeout allows more',
    });
    expect(results['after']).toMatchObject({ verdict: 'identical' });
    // A timer for each file, and none is left.
    expect([calls.length, cancelled]).toEqual([3, 3]);
  });

  test('survives whatever a simulation does to its thread', async () => {
    const results = await resultsOf(2, {
      exit: toyRun('exit'),
      fill: toyRun('fill'),
      post: toyRun('post'),
      throw: toyRun('throw'),
      fine: toyRun(),
    });
    expect(results).toEqual({
      exit: {
        verdict: 'crashed',
        reason: 'ended its thread: the thread ended with the exit code 7',
      },
      fill: { verdict: 'crashed', reason: expect.stringMatching(/^ended its thread: .*memory/) },
      post: {
        verdict: 'crashed',
        reason: 'ended its thread: the simulation sent a message to the command',
      },
      throw: { verdict: 'refused', reason: 'cannot be replayed beyond tick 4: out of' },
      fine: expect.objectContaining({ verdict: 'identical' }),
    });
  });

  test.each(['late', 'poison', 'taint', 'throw', 'exit'] as const)(
    'has the same result for a file after one that does: %s',
    async (misdeed) => {
      const results = await resultsOf(1, {
        bad: toyRun(misdeed),
        next: toyRun(),
        last: changedRun,
      });
      const { bad: _bad, ...others } = verdictsOf(results);
      expect(others).toEqual({ next: 'identical', last: 'differs' });
    },
  );

  test('can be stopped in the middle of a tick', async () => {
    const pool = poolOf(2);
    const { results, ended } = await start(pool, {
      fine: toyRun(),
      a: toyRun('hang'),
      b: toyRun('hang'),
      c: toyRun(),
    });
    await eventually(() => expect(pool.ticks).toBe(40 + 2 * (MISDEED_TICK - 1)));
    await pool.stop();
    await ended;
    expect(verdictsOf(results)).toEqual({ fine: 'identical' });
  });

  test.each([
    ['', 'it exports no function createSimulation'],
    ['throw new Error("no engine")', 'no engine'],
    ['process.exit(3)', 'the thread ended with the exit code 3'],
    ['await new Promise(() => {})', 'the thread ended with the exit code 13'],
  ])('refuses a module that contains: %s', async (code, reason) => {
    const module = `data:text/javascript,${code}`;
    const { results, ended } = await start(poolOf(2, never, module), { a: toyRun(), b: toyRun() });
    await expect(ended).rejects.toThrow(`the simulation ${module} cannot be loaded: ${reason}`);
    expect(results).toEqual({});
  });
});

test('the module that the documentation shows refuses what its rules forbid', async () => {
  const { recording } = await runTicks(createFountain(), {
    ticks: 120,
    capacity: 50,
    hashEveryTicks: 60,
  });
  const { run, entries } = recording;
  const pool = poolOf(
    1,
    never,
    new URL('../../docs/snippets/fountain/verified.ts', import.meta.url).href,
  );
  const { results, ended } = await start(pool, {
    fine: recording,
    late: { ...recording, start: { tick: 60, bytes: new Uint8Array(8) } },
    crowded: { ...recording, run: { ...run, capacity: 51 } },
    slow: { ...recording, entries: [...entries, { kind: 'step', tick: 120, dt: 1 / 61 }] },
  });
  await ended;
  expect(results).toEqual({
    fine: expect.objectContaining({ verdict: 'identical', hashes: 2 }),
    late: { verdict: 'refused', reason: 'does not start at tick 0' },
    crowded: { verdict: 'refused', reason: 'is not of this level' },
    slow: { verdict: 'refused', reason: 'has another time step than 1/60 s' },
  });
});

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const COMMAND = ['--import', 'tsx', 'demo/cli/verify/main.ts'];
const TOY = ['--simulation', fileURLToPath(SIMULATIONS)];

function verify(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...COMMAND, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

// Concurrently: they share nothing. `folderOf` needs the test that runs, so it is called first.
describe('npm run verify', () => {
  test('says which recordings of the demo differ, and exits with 1', async () => {
    const recording = await shortRecording();
    const foreign = toyRun();
    const folder = await folderOf({
      'b/changed.btwr': withAnotherShot(recording),
      'a.btwr': recording,
      'c.btwr': damaged(recording),
      'd.btwr': foreign,
    });
    const { code, stdout, stderr } = await verify(folder);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const lines = stdout.split('\n').map((line) => line.replace(/[\da-f]{16}/, 'HASH'));
    expect(lines).toEqual([
      'a.btwr  tick 180  hash HASH  identical: 3 hashes equal',
      'b/changed.btwr  tick 180  hash HASH  DIFFERS at tick 120 (equal up to tick 60)',
      expect.stringMatching(/^c\.btwr {2}refused: cannot be read: this recording is damaged/),
      expect.stringMatching(/^d\.btwr {2}refused: is not a recording of the demo/),
      expect.stringMatching(
        /^4 recordings: 1 identical, 1 differs, 2 refused; \d+ ticks in .* ticks\/s$/,
      ),
      '',
    ]);
  });

  test('prints an object, and nothing that a simulation prints, and exits with 0', async () => {
    const folder = await folderOf({ 'a.btwr': toyRun('print'), 'b.btwr': toyRun() });
    const { code, stdout, stderr } = await verify(folder, ...TOY, '--json', '--threads', '1');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'printed by the simulation\n' });
    expect(v.parse(verification, JSON.parse(stdout))).toMatchObject({
      folder,
      threads: 1,
      isInterrupted: false,
      recordings: 2,
      ticks: 80,
      counts: { identical: 2, differs: 0 },
    });
  });

  test('ends files that take too long, and exits with 2', async () => {
    const folder = await folderOf({ 'a.btwr': toyRun('hang'), 'b.btwr': toyRun('hang') });
    const { code, stdout } = await verify(folder, ...TOY, '--timeout', '0.1');
    expect(code).toBe(2);
    expect(stdout).toMatch(/^a\.btwr {2}timed out: .*\nb\.btwr {2}timed out: .*\n.*2 timed out; /);
  });

  test('ended by Ctrl-C prints what is done, and exits with 130', async () => {
    const folder = await folderOf({
      'a.btwr': toyRun(),
      'b.btwr': toyRun('hang'),
      'c.btwr': toyRun(),
      'd.btwr': toyRun('hang'),
    });
    const child = spawn(process.execPath, [...COMMAND, folder, ...TOY, '--threads', '2']);
    let stdout = '';
    child.stdout.on('data', (text) => {
      // Twice, as npm and tsx deliver it.
      if (stdout === '') for (const _ of [1, 2]) child.kill('SIGINT');
      stdout += text;
    });
    const code = await new Promise((resolve) => {
      child.on('close', (exitCode, signal) => resolve(exitCode ?? signal));
    });
    expect(code).toBe(130);
    expect(stdout).toMatch(
      /^a\.btwr .*identical.*\n(?:c\.btwr .*identical.*\n)?4 recordings: .* not verified; /,
    );
  });

  test('refuses what cannot be used, in one line, and exits with 2', async () => {
    const folder = await folderOf({ 'a.txt': new Uint8Array(1) });
    const empty = await verify(folder);
    expect(empty).toMatchObject({ code: 2, stdout: '' });
    expect(empty.stderr).toMatch(/^verify: .* contains no recording: no file .*\n$/);
    await writeFile(join(folder, 'a.btwr'), new Uint8Array(1));
    const module = await verify(folder, '--simulation', join(folder, 'missing.js'));
    expect(module).toMatchObject({ code: 2, stdout: '' });
    expect(module.stderr).toMatch(/^verify: the simulation .*missing\.js cannot be loaded: .*\n$/);
  });
});
