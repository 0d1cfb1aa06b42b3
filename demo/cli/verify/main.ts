/**
 * Replays all recordings in a folder, in threads, and reports which differ.
 *
 * Exit codes: 0 all are identical; 1 at least one differs; 2 for wrong arguments or no recording, with one line on
 * stderr that says what is wrong, or if none differs and at least one could not be compared; 130 interrupted.
 */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RefusedError } from '../../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../../scripts/cli/exit-codes.js';
import { StatusLine } from '../../../scripts/cli/status-line.js';
import { listenForInterruption, runComparison } from '../run-comparison.js';
import { HELP, readArguments, type VerifyArguments } from './arguments.js';
import { stoppedBy } from './file-result.js';
import { findRecordings, type Found } from './find-recordings.js';
import type { After } from './replay-thread.js';
import { exitCodeOf, formatFile, formatProgress, formatSum, reportOf } from './report.js';
import { ThreadPool } from './thread-pool.js';

const REFRESH_EVERY_MS = 250;

const signal = listenForInterruption();

async function main(args: readonly string[]): Promise<number> {
  const given = readArguments(args);
  if (given === undefined) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  const found = await findRecordings(given.folder);
  if (found.length === 0) {
    throw new RefusedError(
      `${given.folder} contains no recording: no file whose name ends in .btwr`,
    );
  }
  return verify(given, found);
}

async function verify(given: VerifyArguments, found: readonly Found[]): Promise<number> {
  const { folder, simulation, threads, json, ...limits } = given;
  const files = found.map(({ file }) => file);
  const results = found.map(({ refused }) =>
    refused === undefined ? undefined : stoppedBy('refused', refused),
  );
  const open = [...files.keys()].filter((index) => results[index] === undefined);
  const pool = new ThreadPool(threads, { ...limits, simulation: addressOf(simulation), after });
  const startMs = performance.now();
  const secondsPassed = (): number => (performance.now() - startMs) / 1000;
  const status = new StatusLine(process.stderr);
  const timer = setInterval(() => {
    const done = results.filter((result) => result !== undefined).length;
    status.show(formatProgress(done, files.length, pool.ticks, secondsPassed()));
  }, REFRESH_EVERY_MS);

  let printed = 0;
  /** In the order of the files: up to the first that has no result yet, or all. */
  const print = (isEnd: boolean): void => {
    if (json) return;
    status.clear();
    for (; printed < files.length; printed++) {
      const [file = '', result] = [files[printed], results[printed]];
      if (result !== undefined) process.stdout.write(`${formatFile(file, result)}\n`);
      else if (!isEnd) return;
    }
  };

  const stop = (): void => void pool.stop();
  signal.addEventListener('abort', stop);
  try {
    if (!signal.aborted) {
      await pool.run(
        open.map((index) => join(folder, files[index] ?? '')),
        (index, result) => {
          results[open[index] ?? 0] = result;
          print(false);
        },
      );
    }
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
    status.clear();
  }
  print(true);
  const report = reportOf({
    folder,
    threads,
    isInterrupted: signal.aborted && results.includes(undefined),
    ticks: pool.ticks,
    seconds: secondsPassed(),
    files,
    results,
  });
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : `${formatSum(report)}\n`);
  return exitCodeOf(report);
}

const addressOf = (simulation: string | undefined): string =>
  simulation === undefined
    ? new URL('../demo-recording.ts', import.meta.url).href
    : pathToFileURL(resolve(simulation)).href;

const after: After = (seconds, call) => {
  const timer = setTimeout(call, seconds * 1000);
  return () => clearTimeout(timer);
};

process.exitCode = await runComparison('verify', main);
