/**
 * The benchmark in real threads, and its command. The cost of steps is not measured here, on a
 * machine that may have other work: `tests/unit/bench/known-cost.test.ts` does that on a scripted
 * clock. Here it is counts, sequences, and bounds that a slow machine only moves further away from.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  isOverloaded,
  isWithinBudget,
  requireResult,
  type BenchOptions,
  type BenchResult,
} from '../../bench/engine/index.js';
import { measureCase } from '../../bench/runner/measure-case.js';
import { runBench } from '../../bench/runner/run-bench.js';
import { QUICK } from '../../bench/runner/settings.js';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { present } from '../fixtures/present.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function measure(options: Partial<BenchOptions>): Promise<BenchResult> {
  const result = await runBench({
    options: {
      ...QUICK,
      engines: ['scripted'],
      runtimes: ['node'],
      tickRatesHz: [100],
      bodies: [10],
      seconds: 0.4,
      warmUpSeconds: 0.1,
      repeats: 1,
      searchesHeadroom: false,
      ...options,
    },
    seed: 1,
    machine: { cores: 1, cpu: null, os: 'test', runtimes: {}, engines: {} },
    measure: (request) =>
      measureCase(request, {
        createWorker: () => fromNodeWorker(new Worker(new URL(inject('benchWorker')))),
        measureMemory: async ({ queries }) => ({
          workerMB: await queries.memoryMB(),
          pageMB: null,
        }),
        signal: new AbortController().signal,
      }),
    isStopRequested: () => false,
    now: () => performance.now(),
  });
  expect(result.failures).toEqual([]);
  return requireResult(JSON.parse(JSON.stringify(result)));
}

describe('in a thread', () => {
  test('every tick is logged, in its order, with its whole step', async () => {
    const { cases } = await measure({
      scenes: ['scripted:constant:2'],
      bodies: [5, 10],
      repeats: 2,
    });
    expect(cases.map(({ bodies }) => bodies)).toEqual([5, 10]);
    for (const one of cases) {
      expect(one.repeats).toHaveLength(2);
      expect(one.ticks).toBeGreaterThanOrEqual(1);
      // Preemption makes a step longer, and never shorter.
      for (const { p50Ms, p99Ms } of one.repeats) {
        expect(p50Ms).toBeGreaterThanOrEqual(2);
        expect(p99Ms).toBeGreaterThanOrEqual(p50Ms);
      }
      expect(one.frame).toBeNull();
      expect(one.memory?.workerMB).toBeGreaterThan(0);
      // Each begins after it is due and after the previous one is published. To the last digit of
      // the file.
      for (const [index, { dueMs, startMs }] of one.worstSecond.entries()) {
        expect(startMs).toBeGreaterThanOrEqual(dueMs - 0.002);
        const before = one.worstSecond[index - 1];
        if (before === undefined) continue;
        expect(dueMs).toBeGreaterThan(before.dueMs);
        const publishedMs = before.startMs + before.stepMs + before.publishMs;
        expect(startMs).toBeGreaterThanOrEqual(publishedMs - 0.004);
      }
    }
  });

  test('steps that take twice the period are an overload', async () => {
    const { cases } = await measure({ scenes: ['scripted:constant:20'] });
    const result = present(cases[0]);
    expect(result).toMatchObject({ bodies: 10, tickRateHz: 100, budgetMs: 10 });
    expect(isOverloaded(result)).toBe(true);
    expect(isWithinBudget(result)).toBe(false);
    expect(result.budgetShare).toBeGreaterThanOrEqual(2);
    expect(result.deadlineMisses).toBe(result.ticks);
  });
});

/** As `npm run bench` does: each process, and each of its workers, compiles its own code. */
const AS_IT_IS = ['--import', 'tsx', 'bench/cli/main.ts'];
const COMPILED = [join(inject('compiledCode'), 'bench/cli/main.js')];

/** Runs the command with files for its results. */
async function bench(
  command: readonly string[],
  args: string,
  onStderr: (text: string, interrupt: () => void) => void = () => {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'betwixt-bench-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const json = join(folder, 'result.json');
  const html = join(folder, 'result.html');
  const files = ['--json', json, '--html', html];
  const child = spawn(process.execPath, [...command, ...args.split(' '), ...files], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    onStderr(text, () => void child.kill('SIGINT'));
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  const read = async () => requireResult(JSON.parse(await readFile(json, 'utf8')));
  return { code, stdout, stderr, json, read, readReport: () => readFile(html, 'utf8') };
}

const usual = (bodies: string): string =>
  `--scene scripted:constant:1 --bodies ${bodies} --tick-hz 100 --runtime node --seconds 0.2 ` +
  '--warm-up 0.1 --repeats 2 --no-headroom';

describe('the command', () => {
  test('writes a result and a report, and compares with an earlier one', async () => {
    const before = await measure({ scenes: ['scripted:constant:1'], bodies: [10], seconds: 0.1 });
    const folder = await mkdtemp(join(tmpdir(), 'betwixt-bench-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const earlier = join(folder, 'earlier.json');
    await writeFile(earlier, JSON.stringify(before));
    // One repeat: each has its own worker, which compiles all of its code.
    const args = usual('5').replace('--repeats 2', '--repeats 1');
    const run = await bench(AS_IT_IS, `${args} --compare ${earlier}`);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toMatch(/[Tt]his device (?:can|cannot) simulate \d+ bodies at 100 Hz/);
    expect(run.stdout).toContain('1 × 0.2 s after 0.1 s of warm-up');
    expect(run.stdout).toMatch(/only before: .*10 at 100 Hz/);
    const result = await run.read();
    expect(result).toMatchObject({ wasCancelled: false, options: { bodies: [5], repeats: 1 } });
    expect(result.cases).toHaveLength(1);
    expect(await run.readReport()).toMatch(/^<!doctype html>/);
  });

  test('ended by Ctrl-C keeps the finished cases', async () => {
    const bodies = Array.from({ length: 40 }, (_, index) => index + 1);
    const { code, read, stdout } = await bench(
      COMPILED,
      usual(bodies.join(',')),
      (text, interrupt) => {
        if (text.includes('[2/40]')) interrupt();
      },
    );
    expect(code).toBe(130);
    const { cases, wasCancelled } = await read();
    expect(wasCancelled).toBe(true);
    // A prefix of the cases, without a gap; its length when the signal arrives depends on the
    // machine.
    expect(cases.length).toBeGreaterThanOrEqual(1);
    expect(cases.length).toBeLessThan(40);
    expect(cases.map((one) => one.bodies)).toEqual(bodies.slice(0, cases.length));
    for (const { repeats } of cases.slice(0, -1)) expect(repeats).toHaveLength(2);
    expect(stdout).toContain('The run was cancelled');
  });

  test('ended by a second Ctrl-C does not wait for the current measurement', async () => {
    let timer: NodeJS.Timeout | undefined;
    onTestFinished(() => clearInterval(timer));
    const args = usual('5').replace('--seconds 0.2', '--seconds 60');
    const { code, read, stderr } = await bench(COMPILED, args, (text, interrupt) => {
      // Simultaneous ones count as one: a terminal, npm and tsx may each pass it on.
      if (text.includes('[1/1]')) timer ??= setInterval(interrupt, 200);
    });
    clearInterval(timer);
    expect(code).toBe(130);
    expect(stderr.match(/Ends after this repeat/g)).toHaveLength(1);
    expect(await read()).toMatchObject({ wasCancelled: true, cases: [], failures: [] });
  });

  test('refuses wrong arguments in one line, before anything is measured', async () => {
    const { code, stdout, stderr } = await bench(COMPILED, '--compare package.json');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^bench: --compare cannot be read: [^\n]+\n$/);
  });
});
