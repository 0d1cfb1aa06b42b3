/** The benchmark measures steps of known cost, in Node threads; and its command does what it says. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openNodeRuntime } from '../../bench/cli/node-runtime.js';
import {
  isOverloaded,
  isWithinBudget,
  requireResult,
  type BenchOptions,
  type BenchResult,
} from '../../bench/engine/index.js';
import { runBench } from '../../bench/runner/run-bench.js';
import { QUICK } from '../../bench/runner/settings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

const SHORT: BenchOptions = {
  ...QUICK,
  engines: ['scripted'],
  runtimes: ['node'],
  bodies: [10],
  seconds: 0.4,
  warmUpSeconds: 0.1,
  repeats: 1,
  searchesHeadroom: false,
};

async function measure(options: Partial<BenchOptions>): Promise<BenchResult> {
  const runtime = openNodeRuntime({ isRequested: false, now: new AbortController().signal });
  const result = await runBench({
    options: { ...SHORT, ...options },
    seed: 1,
    machine: { cores: 1, cpu: null, os: 'test', runtimes: runtime.versions, engines: {} },
    measure: (request) => runtime.measure(request),
    isStopRequested: () => false,
    now: () => performance.now(),
  });
  expect(result.failures).toEqual([]);
  return requireResult(JSON.parse(JSON.stringify(result)));
}

describe('steps of known cost', () => {
  test('of 4 ms measure twice as long as ones of 2 ms', async () => {
    const scenes = ['scripted:constant:2', 'scripted:constant:4'];
    const { cases } = await measure({ scenes, repeats: 2 });
    const [two, four] = cases;
    const ratio = (four?.stepMs.p50 ?? 0) / (two?.stepMs.p50 ?? 0);
    expect(ratio).toBeGreaterThan(1.5);
    expect(ratio).toBeLessThan(2.5);
    expect(cases.map(({ repeats }) => repeats.length)).toEqual([2, 2]);
    expect(two?.memory?.workerMB).toBeGreaterThan(0);
    expect(two?.controlMs?.p50).toBeGreaterThan(0);
    expect(two?.frame).toBeNull();
    // What was noted tick by tick adds up to what is told.
    expect(two?.worstSecond.length).toBeGreaterThan(5);
    for (const { dueMs } of two?.worstSecond ?? []) {
      const periods = dueMs / (two?.budgetMs ?? 0);
      expect(Math.abs(periods - Math.round(periods))).toBeLessThan(0.02);
    }
  });

  test('that take longer than the period are an overload', async () => {
    const { cases } = await measure({ scenes: ['scripted:constant:20'], tickRatesHz: [100] });
    const [one] = cases;
    expect(one).toMatchObject({ bodies: 10, tickRateHz: 100, budgetMs: 10 });
    expect(one !== undefined && isOverloaded(one) && !isWithinBudget(one)).toBe(true);
    // Half of the ticks, going by their cost; of a catch-up at the edges a few more or fewer are seen.
    expect(one?.effectiveSpeed).toBeLessThan(0.75);
    expect(one?.droppedTicks).toBeGreaterThan(0);
    expect(one?.budgetShare).toBeGreaterThan(1.9);
  });

  test('have their planted limit found', async () => {
    // 40 ms for a thousand bodies, in periods of 40 ms: what disturbs a measurement is small beside them.
    const { headroom } = await measure({
      scenes: ['scripted:linear:40'],
      tickRatesHz: [25],
      bodies: [900],
      seconds: 0.15,
      warmUpSeconds: 0,
      searchesHeadroom: true,
    });
    expect(headroom).toHaveLength(1);
    const found = headroom[0]?.bodies ?? 0;
    expect(found).toBeLessThanOrEqual(1000);
    // One step of its grid, and one more for a machine with other work.
    expect(found).toBeGreaterThan(1000 / 1.05 ** 2 - 1);
  });
});

/** Runs the command with files for its results. */
async function bench(args: string, onStderr: (text: string, stop: () => void) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'betwixt-bench-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const json = join(folder, 'result.json');
  const html = join(folder, 'result.html');
  const files = ['--json', json, '--html', html];
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'bench/cli/main.ts', ...args.split(' '), ...files],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onStderr(text, () => child.kill('SIGINT'));
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const read = async () => requireResult(JSON.parse(await readFile(json, 'utf8')));
  return { code, stdout, stderr, json, read, readReport: () => readFile(html, 'utf8') };
}

describe('the command', () => {
  const USUAL =
    '--scene scripted:constant:1 --bodies 5,10 --tick-hz 100 --runtime node --seconds 0.2 ' +
    '--warm-up 0.1 --repeats 2 --no-headroom';

  test('writes a result and a report, and compares with an earlier one', async () => {
    const first = await bench(USUAL);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toContain('This device runs 10 bodies at 100 Hz');
    const result = await first.read();
    expect(result).toMatchObject({ wasCancelled: false, options: { bodies: [5, 10], repeats: 2 } });
    expect(result.cases).toHaveLength(2);
    expect(await first.readReport()).toMatch(/^<!doctype html>/);
    const second = await bench(`${USUAL.replace('5,10', '10')} --compare ${first.json}`);
    expect(second.code).toBe(0);
    expect(second.stdout).toMatch(/only before: .*5 at 100 Hz/);
  });

  test('ended by Ctrl-C leaves what is done', async () => {
    const { code, read, stdout } = await bench(USUAL.replace('5,10', '5,10,20'), (text, stop) => {
      if (text.includes('[2/3]')) stop();
    });
    expect(code).toBe(130);
    const { cases, wasCancelled } = await read();
    expect(wasCancelled).toBe(true);
    expect(cases.map(({ bodies }) => bodies)).toEqual([5, 10]);
    // The repeat that was being measured was measured to its end, and no other.
    expect(cases.map(({ repeats }) => repeats.length)).toEqual([2, 1]);
    expect(stdout).toContain('The run was cancelled');
  });

  test('refuses in one line, before anything is measured', async () => {
    const { code, stdout, stderr } = await bench('--compare package.json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^bench: --compare cannot be read: [^\n]+\n$/);
  });
});
