/** The commands as processes: that each runs, and how it ends. What they do is tested in their folders. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { requireResult } from '../../bench/engine/index.js';
import { encodeRecording } from '../../src/shared/index.js';
import { damaged, shortRecording, withAnotherShot } from '../fixtures/replay-files.js';

/** As npm starts it: the process, and each of its workers, compiles its own code. */
const asItIs = (script: string): string[] => ['--import', 'tsx', script];
const compiled = (script: string): string => join(inject('compiledCode'), script);

interface Ended {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param onText Receives all that was printed so far, and a function that ends it by Ctrl-C. */
function run(
  args: readonly string[],
  onText: (printed: string, interrupt: () => void) => void = () => {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
      onText(printed.stdout + printed.stderr, () => void child.kill('SIGINT'));
    });
  }
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ ...printed, code: code ?? signal }));
  });
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'betwixt-commands-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('replay says that a recording replays as recorded, and where a changed one differs', async () => {
  const folder = await openFolder();
  const recording = await shortRecording();
  await writeFile(join(folder, 'recorded'), encodeRecording(recording));
  await writeFile(join(folder, 'changed'), encodeRecording(withAnotherShot(recording)));
  const replay = (name: string) => run([compiled('demo/cli/replay.js'), join(folder, name)]);
  const [same, other] = await Promise.all([replay('recorded'), replay('changed')]);
  expect(same).toMatchObject({ code: 0, stderr: '' });
  expect(same.stdout).toMatch(/\ntick 180 {2}hash [\da-f]{16} {2}identical: 3 hashes equal\n$/);
  expect(other).toMatchObject({ code: 1, stderr: '' });
  expect(other.stdout).toContain('DIFFERS at tick 120 (equal up to tick 60)');
});

test('replay ended by Ctrl-C stops between two ticks, says so, and exits with 130', async () => {
  const path = join(await openFolder(), 'long');
  // Hours long, and a small file all the same.
  await writeFile(path, encodeRecording({ ...(await shortRecording()), lastTick: 10_000_000 }));
  const sayWhenItListens = `data:text/javascript,
    process.on('newListener', (name) => {
      if (name === 'SIGINT') process.nextTick(() => process.stderr.write('listens\\n'));
    });`;
  const ended = await run(
    ['--import', sayWhenItListens, compiled('demo/cli/replay.js'), path],
    (printed, interrupt) => printed === 'listens\n' && interrupt(),
  );
  expect(ended).toMatchObject({ code: 130, stdout: '' });
  expect(ended.stderr).toMatch(/^listens\nreplay: interrupted after tick \d+ of 10000000\n$/);
});

test('verify says of each recording in a folder whether it replays as recorded, and exits with 1', async () => {
  const folder = await openFolder();
  const recording = await shortRecording();
  await writeFile(join(folder, 'a.btwr'), encodeRecording(recording));
  await writeFile(join(folder, 'b.btwr'), encodeRecording(withAnotherShot(recording)));
  await writeFile(join(folder, 'c.btwr'), damaged(recording));
  const { code, stdout, stderr } = await run([...asItIs('demo/cli/verify/main.ts'), folder]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(stdout.split('\n').map((line) => line.replace(/[\da-f]{16}/, 'HASH'))).toEqual([
    'a.btwr  tick 180  hash HASH  identical: 3 hashes equal',
    'b.btwr  tick 180  hash HASH  DIFFERS at tick 120 (equal up to tick 60)',
    expect.stringMatching(/^c\.btwr {2}refused: cannot be read: this recording is damaged/),
    expect.stringMatching(/^3 recordings: 1 identical, 1 differs, 1 refused; \d+ ticks in /),
    '',
  ]);
});

const BENCH =
  '--scene scripted:constant:1 --tick-hz 100 --runtime node --warm-up 0.1 --no-headroom'.split(' ');

test('bench measures a case in a thread, and writes a result and a report', async () => {
  const folder = await openFolder();
  const [json, html] = [join(folder, 'result.json'), join(folder, 'result.html')];
  const args = ['--bodies', '5', '--seconds', '0.2', '--repeats', '1'];
  const command = [compiled('bench/cli/main.js'), ...BENCH, ...args];
  const ended = await run([...command, '--json', json, '--html', html]);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toMatch(/[Tt]his device (?:can|cannot) simulate \d+ bodies at 100 Hz/);
  const { cases, failures } = requireResult(JSON.parse(await readFile(json, 'utf8')));
  expect(failures).toEqual([]);
  expect(cases).toHaveLength(1);
  // Preemption makes a step longer, and never shorter.
  expect(cases[0]?.repeats[0]?.p50Ms).toBeGreaterThanOrEqual(1);
  expect(await readFile(html, 'utf8')).toMatch(/^<!doctype html>/);
});

test('bench ended by Ctrl-C keeps the finished cases, and exits with 130', async () => {
  const json = join(await openFolder(), 'result.json');
  const bodies = Array.from({ length: 40 }, (_, index) => index + 1);
  const args = ['--bodies', bodies.join(','), '--seconds', '0.2', '--repeats', '2'];
  let isInterrupted = false;
  const { code, stdout } = await run(
    [compiled('bench/cli/main.js'), ...BENCH, ...args, '--json', json],
    (printed, interrupt) => {
      if (isInterrupted || !printed.includes('[2/40]')) return;
      isInterrupted = true;
      interrupt();
    },
  );
  expect(code).toBe(130);
  const { cases, wasCancelled } = requireResult(JSON.parse(await readFile(json, 'utf8')));
  expect(wasCancelled).toBe(true);
  // A prefix of the cases; its length when the signal arrives depends on the machine.
  expect(cases.length).toBeGreaterThanOrEqual(1);
  expect(cases.length).toBeLessThan(40);
  expect(cases.map((one) => one.bodies)).toEqual(bodies.slice(0, cases.length));
  expect(stdout).toContain('The run was cancelled');
});

test('bench:world measures everything, and loses no impulse and no body', async () => {
  const json = join(await openFolder(), 'world.json');
  const args = ['--expose-gc', ...asItIs('bench/world.ts'), '--quick', '--json', json];
  const ended = await run(args);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout).toMatch(/1000 impulses: the calls .* 0\.5 ms, (within|OVER)/);
  const measured = expect.objectContaining({ ratio: expect.any(Number) as number });
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    goals: { tick: expect.any(Boolean), idleFrame: expect.any(Boolean) },
    results: {
      tick: measured,
      idle: { us: measured },
      impulses: { callsMs: measured, wrong: 0, frames: 60 },
      creation: { pageMs: measured, drawn: 1000 },
    },
  });
});
