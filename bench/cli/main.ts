/**
 * `npm run bench`: measures the tick budget and prints the results; see help.ts.
 *
 * Exit codes: 0; 1 when cases failed; 2 for wrong arguments, with one line on stderr that says what
 * is wrong; 130 after Ctrl-C, with the results until then.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { ProgressLine } from '../../scripts/cli/progress-line.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import {
  compareResults,
  comparisonSummary,
  durationText,
  pointText,
  requireResult,
  summaryOf,
  type BenchResult,
  type CaseKey,
  type Machine,
  type Runtime,
} from '../engine/index.js';
import type { CaseRequest, MeasuredCase } from '../runner/measure-case.js';
import { runBench } from '../runner/run-bench.js';
import { readArguments, type BenchArguments } from './arguments.js';
import { openChromiumRuntime } from './chromium-runtime.js';
import { BENCH } from './help.js';
import { openNodeRuntime } from './node-runtime.js';
import { requireWritable } from './result-files.js';
import type { BenchRuntime } from './runtime.js';
import { listenForStop } from './stop.js';
import { thisComputer } from './this-computer.js';

process.exit(await runCommand(BENCH, main));

async function main(args: readonly string[]): Promise<number> {
  const given = readArguments(args);
  checkFiles(given);
  return measure(given, given.compare === undefined ? undefined : readResult(given.compare));
}

async function measure(given: BenchArguments, before: BenchResult | undefined): Promise<number> {
  const stop = listenForStop();
  const opened: BenchRuntime[] = [];
  const progress = new ProgressLine(process.stderr, durationText);
  try {
    const runtimes = new Map<Runtime, BenchRuntime>();
    for (const runtime of given.options.runtimes) {
      const one =
        runtime === 'node'
          ? openNodeRuntime(stop)
          : await openChromiumRuntime(stop, given.options.worker);
      opened.push(one);
      runtimes.set(runtime, one);
    }
    const machine = thisMachine(opened);
    const result = await runBench({
      options: given.options,
      seed: given.seed,
      capacity: given.capacity,
      machine,
      measure: (request) => measureIn(runtimes, request),
      isStopRequested: () => stop.isRequested,
      onProgress: (now) => progress.report({ ...now, work: workText(now.work) }),
      onPart: (part) => writeFile(given, part),
      now: () => performance.now(),
    });
    progress.end();
    writeFile(given, result);
    process.stdout.write(`${summaryOf(result)}\n`);
    if (before !== undefined) {
      process.stdout.write(`\n${comparisonSummary(compareResults(before, result))}\n`);
    }
    if (given.json !== undefined) process.stdout.write(`\nwritten: ${given.json}\n`);
    if (stop.isRequested) return EXIT_CODES.interrupted;
    return result.failures.length > 0 ? EXIT_CODES.failed : EXIT_CODES.done;
  } finally {
    progress.end();
    for (const runtime of opened) await runtime.close();
  }
}

function measureIn(
  runtimes: ReadonlyMap<Runtime, BenchRuntime>,
  request: CaseRequest,
): Promise<MeasuredCase> {
  const runtime = runtimes.get(request.key.runtime);
  if (runtime === undefined) throw new Error(`${request.key.runtime} was not started`);
  return runtime.measure(request);
}

function thisMachine(runtimes: readonly BenchRuntime[]): Machine {
  return {
    ...thisComputer(),
    runtimes: Object.assign({}, ...runtimes.map(({ versions }) => versions)) as Record<
      string,
      string
    >,
    engines: {},
  };
}

function checkFiles({ json, options }: BenchArguments): void {
  requireWritable({ json });
  if (options.worker !== null && !existsSync(options.worker)) {
    throw new RefusedError(`--worker must be a file, and there is no ${options.worker}`);
  }
}

function readResult(file: string): BenchResult {
  try {
    return requireResult(JSON.parse(readFileSync(file, 'utf8')) as unknown);
  } catch (error) {
    throw new RefusedError(`--compare cannot be read: ${firstLineOf(error)}`);
  }
}

function writeFile({ json }: BenchArguments, result: BenchResult): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(result, undefined, 1)}\n`);
}

function workText(key: CaseKey): string {
  return `${key.scene}, ${key.engine}, ${key.runtime}, ${pointText(key)}`;
}
