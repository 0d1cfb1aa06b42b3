/**
 * Runs the tests: `tsx scripts/test.ts [parts…] [arguments for the runner…]`.
 *
 * Without parts it runs all of them. Every part runs, also after one that failed. The last line
 * of the output is `N passed, N failed`, with `, N skipped` where some were. The exit code is 1 if
 * something failed or if a part had no tests.
 *
 * With a single part, what follows goes to its runner, so one test can be run alone:
 * `npm run test:unit -- schedule`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interrupt, isInterrupted } from './child-process.js';
import { type PartContext, parts } from './test-parts.js';
import { type Counts, type PartResult, formatSummary, ranNothing } from './test-report.js';
import { testRunVariable } from './test-server.js';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

// With the terminal or the pipe gone, writing fails; that must not keep this from tidying up.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.env[testRunVariable] = randomUUID();
process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  const { names, runnerArgs } = parseArguments(args);
  const reportFolder = await mkdtemp(join(tmpdir(), 'betwixt-tests-'));
  const results: PartResult[] = [];
  try {
    for (const name of names) {
      console.log(`\n=== ${name} ===`);
      const start = performance.now();
      const counts = await runPart(name, { reportFolder, runnerArgs });
      if (isInterrupted()) {
        console.error('Interrupted.');
        return 130;
      }
      results.push({ part: name, ...counts, seconds: (performance.now() - start) / 1000 });
    }
  } finally {
    await rm(reportFolder, { recursive: true, force: true });
  }
  console.log(`\n${formatSummary(results)}`);
  return results.some((result) => result.failed > 0 || ranNothing(result)) ? 1 : 0;
}

/** Runs a part; one that cannot run at all counts as one failure. */
async function runPart(name: string, context: PartContext): Promise<Counts> {
  const failure: Counts = { passed: 0, failed: 1, skipped: 0 };
  try {
    return (await parts[name]?.(context)) ?? failure;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return failure;
  }
}

function parseArguments(args: readonly string[]): { names: string[]; runnerArgs: string[] } {
  const firstOther = args.findIndex((arg) => !Object.hasOwn(parts, arg));
  const partCount = firstOther === -1 ? args.length : firstOther;
  const names = args.slice(0, partCount);
  const runnerArgs = args.slice(partCount);
  if (runnerArgs.length > 0 && names.length !== 1) {
    const known = Object.keys(parts).join(', ');
    console.error(`"${runnerArgs[0]}" is not a part of the tests. The parts are: ${known}.`);
    process.exit(2);
  }
  return { names: names.length > 0 ? names : Object.keys(parts), runnerArgs };
}
