/** The replay command as a process, compiled, and once as a person or a script starts it. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { encodeRecording } from '../../src/shared/index.js';
import { damaged, shortRecording, withAnotherShot } from '../fixtures/replay-files.js';

interface Ended {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

const folder = await mkdtemp(join(tmpdir(), 'replay-command-'));
const recording = await shortRecording();
const other = withAnotherShot(recording);
const files: Readonly<Record<string, Uint8Array>> = {
  recorded: encodeRecording(recording),
  changed: encodeRecording(other),
  damaged: damaged(recording),
  // Hours long, and as small a file as the others.
  long: encodeRecording({ ...recording, lastTick: 10_000_000 }),
};
for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
afterAll(() => rm(folder, { recursive: true }));

const COMPILED = [join(inject('compiledCode'), 'demo/cli/replay.js')];
/** As `npm run replay` does. Compiling takes longer than the command itself. */
const AS_IT_IS = ['--import', 'tsx', 'demo/cli/replay.ts'];

function replayFile(command: readonly string[], name: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...command, join(folder, name), ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

/**
 * Loaded before the command: reports when it handles Ctrl-C, which until then ends a process by
 * default.
 */
const TELLS_WHEN_IT_LISTENS = `data:text/javascript,
  process.on('newListener', (name) => {
    if (name === 'SIGINT') process.nextTick(() => process.stderr.write('listens\\n'));
  });`;

function interrupted(name: string): Promise<Ended> {
  const command = ['--import', TELLS_WHEN_IT_LISTENS, ...COMPILED, join(folder, name)];
  const child = spawn(process.execPath, command);
  const ended = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (ended.stdout += text));
  child.stderr.on('data', (text) => {
    ended.stderr += text;
    // Twice, as npm and tsx deliver it.
    if (ended.stderr === 'listens\n') for (const _ of [1, 2]) child.kill('SIGINT');
  });
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ ...ended, code: code ?? String(signal) }));
  });
}

// Concurrently: they share nothing.
describe.concurrent('npm run replay', () => {
  test('says that a recording replays as recorded, and exits with 0', async () => {
    const { code, stdout, stderr } = await replayFile(COMPILED, 'recorded', '--from', '100');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^recorded {2}scene dominoes, 50 bodies, seed 7, rapier3d-deterministic [\d.]+, from the saved state of tick 60\ntick 180 {2}hash [\da-f]{16} {2}identical: 2 hashes equal\n$/,
    );
  });

  test('says where a recording with a changed input differs, and exits with 1', async () => {
    const { code, stdout, stderr } = await replayFile(COMPILED, 'changed', '--json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      tick: 180,
      hashes: 3,
      equalUpTo: 60,
      differsAt: 120,
      verdict: 'differs',
    });
  });

  test('refuses a damaged file in one line, and exits with 2', async () => {
    const { code, stderr } = await replayFile(AS_IT_IS, 'damaged');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^replay: \S+damaged cannot be read: this recording is damaged.*\n$/);
  });

  test('ended by Ctrl-C stops between two ticks, says so, and exits with 130', async () => {
    const { code, stdout, stderr } = await interrupted('long');
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(/^listens\nreplay: interrupted after tick \d+ of 10000000\n$/);
  });

  // The default limit is tested in tests/unit/demo/replay-command.test.ts.
  test('refuses more ticks than it is allowed to run, and exits with 2', async () => {
    const { code, stdout, stderr } = await replayFile(COMPILED, 'recorded', '--max-ticks', '179');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'has 180 ticks to be run, and at most 179 are: --max-ticks allows more\n',
    );
  });
});
