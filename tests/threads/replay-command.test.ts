/** The replay command as a process, compiled, and once as a person or a script starts it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { encodeRecording } from '../../src/sim-worker/index.js';
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
};
for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
afterAll(() => rm(folder, { recursive: true }));

const COMPILED = [join(inject('compiledCode'), 'demo/cli/replay.js')];
/** As `npm run replay` does. Compiling takes longer than what it does. */
const AS_IT_IS = ['--import', 'tsx', 'demo/cli/replay.ts'];

function replayFile(command: readonly string[], name: string, ...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...command, join(folder, name), ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

// At once: they share nothing.
describe.concurrent('npm run replay', () => {
  test('says that a recording comes out as recorded, and exits with 0', async () => {
    const { code, stdout, stderr } = await replayFile(COMPILED, 'recorded', '--from', '100');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^recorded {2}scene dominoes, 50 bodies, seed 7, rapier3d-deterministic [\d.]+, from the saved state of tick 60\ntick 180 {2}hash [\da-f]{16} {2}identical: 2 hashes equal\n$/,
    );
  });

  test('says where one differs whose input was changed, and exits with 1', async () => {
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
    expect(stderr).toMatch(/^replay: .* is refused: this recording is damaged.*\n$/);
  });
});
