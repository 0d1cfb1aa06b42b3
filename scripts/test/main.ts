/** Runs the tests: `npm test`. Every part runs, also after one that failed. */
import { randomUUID } from 'node:crypto';
import { interrupt, isInterrupted } from '../child-process.js';
import { defineCommand } from '../cli/command.js';
import { EXIT_CODES } from '../cli/exit-codes.js';
import { runCommand } from '../cli/run-command.js';
import { testRunVariable } from './test-server.js';
import { parseArguments, type TestArguments } from './arguments.js';
import { type Outcome, PartOutcomes } from './outcomes.js';
import { type Lane, type Part, parts } from './parts.js';
import { describeProcessorTime, processorSeconds } from './processor-time.js';
import { exitCodeOf, formatSummary, type PartResult } from './summary.js';
import { Terminal } from './terminal.js';

const COMMAND = defineCommand({
  name: 'test',
  usage:
    'npm test [-- [--begin-within SECONDS] [--all | --rest | PART…] [arguments for the runner of one part…]]',
  about: `Runs the everyday parts, or those that are named. The last line is \`N passed, N failed, N skipped\`.

\`npm test -- unit schedule\` runs the files of the part unit with "schedule" in their paths.`,
  flags: {
    all: { about: 'runs all parts but the extra ones' },
    rest: { about: 'runs those of --all that are not everyday ones' },
    'begin-within': {
      value: 'SECONDS',
      about:
        'no part begins after that time, and those that did not run are named: for a machine that is sometimes slow, and a ' +
        'run that has to end',
    },
  },
  more: `Everyday parts: ${namesOf(({ everyday }) => everyday)}
Others: ${namesOf(({ everyday, isExtra }) => !everyday && isExtra !== true)}
Extra: ${namesOf(({ isExtra }) => isExtra === true)}

The exit code is 1 if something failed, or if a part had no tests.`,
});

function namesOf(isWanted: (part: Part) => boolean): string {
  return Object.keys(parts)
    .filter((name) => isWanted(parts[name] as Part))
    .join(', ');
}

process.exit(await runCommand(COMMAND, (args) => runParts(parseArguments(args, parts))));

async function runParts({
  names,
  runnerArgs,
  isEveryday,
  beginWithinSeconds,
}: TestArguments): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  // When the terminal or the pipe is gone, writing fails; cleaning up must still happen.
  process.stderr.on('error', () => {});
  process.env[testRunVariable] = randomUUID();
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
