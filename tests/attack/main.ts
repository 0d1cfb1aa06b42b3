/** The command that attacks the library: `npm run attack -- --help`. */
import { writeFileSync } from 'node:fs';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import { sendToRunner } from '../../scripts/test/outcomes.js';
import { attackOf, readArguments } from './arguments.js';
import { PARTS } from './parts/index.js';
import { type PartOutcome, runAttack } from './run.js';
import { againOf, testOutcomeOf } from './test-outcome.js';

/** Between two lines of progress, in ms. */
const PROGRESS_MS = 5000;

process.exitCode = await runCommand(attackOf(PARTS), main);

async function main(args: readonly string[]): Promise<number> {
  const { parts, minutes, seed, jsonFile } = readArguments(args, PARTS);
  console.log(`Seed ${seed}, ${minutes} min.`);
  sendToRunner({ type: 'betwixt-test-total', total: parts.length });
  let reportedMs = performance.now();
  const report = (line: string): void => {
    if (performance.now() - reportedMs < PROGRESS_MS) return;
    reportedMs = performance.now();
    console.log(`  ${line}`);
  };
  const done: PartOutcome[] = [];
  /** The part that runs, as far as it is known. */
  let current: PartOutcome | undefined;
  const conclude = (outcomes: readonly PartOutcome[]): number => {
    console.log(`\n${formatOutcomes(outcomes, seed)}`);
    if (jsonFile !== undefined) {
      writeFileSync(jsonFile, `${JSON.stringify({ seed, minutes, outcomes }, undefined, 2)}\n`);
    }
    return outcomes.some(({ failure }) => failure !== undefined)
      ? EXIT_CODES.failed
      : EXIT_CODES.done;
  };
  // Threads, browsers and temporary files go with the process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      conclude(current === undefined ? done : [...done, current]);
      process.exit(EXIT_CODES.interrupted);
    });
  }
  const outcomes = await runAttack({
    parts,
    minutes,
    seed,
    onProgress: ({ name, about, unit }, tried, seconds) => {
      current = { part: name, about, unit, tried, seconds, isInterrupted: true };
      report(`${name}: ${tried.toLocaleString('en')} ${unit} in ${seconds.toFixed(0)} s`);
    },
    onReduction: ({ name }, reruns) =>
      report(`${name}: a case fails and is made smaller, ${reruns.toLocaleString('en')} tried`),
    onEnd: (outcome) => {
      const { part, failure } = outcome;
      done.push(outcome);
      current = undefined;
      console.log(`${part}: ${failure === undefined ? 'held' : 'BROKEN'}`);
      sendToRunner({ type: 'betwixt-test-outcome', outcome: testOutcomeOf(outcome, seed) });
    },
  });
  return conclude(outcomes);
}

function formatOutcomes(outcomes: readonly PartOutcome[], seed: number): string {
  const rows = outcomes.map(({ part, tried, unit, seconds, failure, isInterrupted }) =>
    [
      part.padEnd(12),
      tried.toLocaleString('en').padStart(16),
      unit.padEnd(12),
      `${seconds.toFixed(1)} s`.padStart(10),
      isInterrupted ? '  held so far' : failure === undefined ? '  held' : '  BROKEN',
    ].join(' '),
  );
  const failures = outcomes.flatMap(({ part, about, failure }) =>
    failure === undefined
      ? []
      : [
          `${part}: the promise: ${about}\n  what happened: ${failure.message}\n` +
            `  again at once: ${againOf(part, failure, seed)}\n  smallest case: ${failure.steps}`,
        ],
  );
  return [...rows, ...(failures.length > 0 ? ['', ...failures] : [])].join('\n');
}
