/**
 * Runs the tests: `tsx scripts/test/main.ts [--all | --rest | parts…] [--begin-within SECONDS] [arguments for the runner…]`.
 *
 * Without arguments it runs the everyday parts, with `--all` everything, with `--rest` the parts of
 * `--all` that are not everyday ones. Every part runs, also after one that failed. The last line of
 * the output is `N passed, N failed, N skipped`. The exit code is 1 if something failed or if a
 * part had no tests.
 *
 * With `--begin-within`, no part begins after that many seconds, and those that did not run are named: for a machine that is
 * sometimes slow, and a run that has to end.
 *
 * With a single part, further arguments go to its runner, so a single test can be run: `npm run
 * test:unit -- schedule`.
 */
import { randomUUID } from 'node:crypto';
import { interrupt, isInterrupted } from '../child-process.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { testRunVariable } from './test-server.js';
import { parseArguments, type TestArguments } from './arguments.js';
import { type Outcome, PartOutcomes } from './outcomes.js';
import { type Lane, type Part, parts } from './parts.js';
import { describeProcessorTime, processorSeconds } from './processor-time.js';
import { exitCodeOf, formatSummary, type PartResult } from './summary.js';
import { Terminal } from './terminal.js';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

// When the terminal or the pipe is gone, writing fails; cleaning up must still happen.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.env[testRunVariable] = randomUUID();
process.exit(await runCommand('test', (args) => runParts(parseArguments(args, parts))));

async function runParts({
  names,
  runnerArgs,
  isEveryday,
  beginWithinSeconds,
}: TestArguments): Promise<number> {
  const startMs = performance.now();
  const terminal = new Terminal();
  const results = new Map<string, PartResult>();
  const isAlone = names.length === 1;
  const leftOut: string[] = [];
  const elapsedSeconds = (): number => (performance.now() - startMs) / 1000;

  const runLane = async (lane: Lane): Promise<void> => {
    for (const name of names) {
      const part = parts[name];
      if (part?.lane !== lane || isInterrupted()) continue;
      if (elapsedSeconds() > beginWithinSeconds) {
        leftOut.push(name);
        continue;
      }
      results.set(name, await runPart(name, part, terminal, isAlone, runnerArgs));
    }
  };

  try {
    await Promise.all([runLane('code'), runLane('browsers')]);
    await runLane('alone');
  } finally {
    terminal.close();
  }
  if (isInterrupted()) {
    console.error('Interrupted.');
    return EXIT_CODES.interrupted;
  }
  const inOrder = names.flatMap((name) => results.get(name) ?? []);
  if (leftOut.length > 0) {
    const why = `${beginWithinSeconds} s had passed before they could begin`;
    console.log(`\nThese parts did not run, because ${why}: ${leftOut.join(', ')}.`);
  }
  const processor = processorSeconds();
  if (processor !== undefined) console.log(`\n${describeProcessorTime(processor, isEveryday)}`);
  console.log(`\n${formatSummary(inOrder, elapsedSeconds())}`);
  return exitCodeOf(inOrder);
}

/** Runs a part; one that cannot run at all counts as one failure. */
async function runPart(
  name: string,
  { run }: Part,
  terminal: Terminal,
  isAlone: boolean,
  runnerArgs: readonly string[],
): Promise<PartResult> {
  const startMs = performance.now();
  const outcomes = new PartOutcomes();
  const running = { part: name, outcomes };
  const onOutcome = (outcome: Outcome): void => {
    outcomes.add(outcome);
    if (outcome.result === 'failed' && !isInterrupted()) terminal.fail(name, outcome);
  };
  terminal.begin(running);
  try {
    await run({
      outcomes,
      onOutcome,
      // A single part prints its runner's output.
      onOutput: isAlone ? undefined : () => {},
      runnerArgs,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    onOutcome({ name: 'it did not run', result: 'failed', reason, detail: reason });
  }
  const seconds = (performance.now() - startMs) / 1000;
  terminal.end(running, seconds);
  return { part: name, outcomes, seconds };
}
