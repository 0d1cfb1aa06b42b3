/** The commands as processes: that each runs, and how it ends. What they do is tested in their folders. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import { requireResult } from '../../bench/engine/index.js';
import { encodeRecording } from '../../src/shared/index.js';
import { runTicks } from '../../src/sim-worker/testing/index.js';
import { createDemoSimulation } from '../../demo/simulation/demo-simulation.js';
import { goldenPlay } from '../fixtures/golden-runs.js';

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

const TICKS = 60;
const { recording: recorded } = await runTicks(createDemoSimulation('deterministic'), {
  ...goldenPlay('dominoes', TICKS),
  hashEveryTicks: TICKS,
});

test('replay ended by Ctrl-C stops between two ticks, says so, and exits with 130', async () => {
  const path = join(await openFolder(), 'long');
  // Hours long, and a small file all the same.
  await writeFile(path, encodeRecording({ ...recorded, lastTick: 10_000_000 }));
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

const BENCH = '--scene scripted:constant:1 --tick-hz 100 --runtime node --warm-up 0.1'.split(' ');

test('bench measures in threads; ended by Ctrl-C it keeps the finished cases, and exits with 130', async () => {
  const folder = await openFolder();
  const json = join(folder, 'result.json');
  const bodies = Array.from({ length: 40 }, (_, index) => index + 1);
  const args = ['--bodies', bodies.join(','), '--seconds', '0.2', '--repeats', '1'];
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
  expect(stdout).toContain('It was stopped');
  const { cases, wasCancelled, failures } = requireResult(JSON.parse(await readFile(json, 'utf8')));
  expect({ wasCancelled, failures }).toEqual({ wasCancelled: true, failures: [] });
  // A prefix of the cases; its length when the signal arrives depends on the machine.
  expect(cases.length).toBeGreaterThanOrEqual(1);
  expect(cases.length).toBeLessThan(40);
  expect(cases.map((one) => one.bodies)).toEqual(bodies.slice(0, cases.length));
  // Preemption makes a step longer, and never shorter.
  expect(cases[0]?.repeats[0]?.p50Ms).toBeGreaterThanOrEqual(1);
});
