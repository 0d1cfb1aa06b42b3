/**
 * Replays a recording of the demo in the terminal and reports whether the result matches.
 *
 * Exit codes: 0 identical; 1 the result differs; 2 for wrong arguments, a refused file, a run that
 * cannot continue, or nothing to compare, with one line on stderr that says what is wrong and what
 * to do; 130 interrupted.
 */
import { firstLineOf, RefusedError } from '../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import { runCommand } from '../../scripts/cli/run-command.js';
import { replay } from '../../src/sim-worker/index.js';
import type { Recording } from '../../src/shared/index.js';
import type { RapierBuild } from '../../src/sim-worker/engines/rapier.js';
import { createDemoSimulation } from '../simulation/demo-simulation.js';
import { HELP, readArguments } from './arguments.js';
import { Progress } from './progress.js';
import {
  buildOf,
  readRecording,
  requireScene,
  requireTicks,
  startingAt,
} from './recording-file.js';
import { exitCodeOf, formatJson, formatText, NOTHING_TO_COMPARE, type Outcome } from './verdict.js';

/**
 * Stops the replay. Stays installed until the process ends: npm and tsx may each deliver the same
 * Ctrl-C.
 */
const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interruption.abort());
}
process.exitCode = await runCommand('replay', main);

async function main(args: readonly string[]): Promise<number> {
  try {
    const given = readArguments(args);
    if (given === undefined) {
      process.stdout.write(HELP);
      return EXIT_CODES.done;
    }
    const { file, fromTick, maxTicks, json } = given;
    const whole = await readRecording(file);
    requireScene(file, whole);
    const recording = fromTick === undefined ? whole : startingAt(whole, fromTick);
    requireTicks(file, recording, maxTicks);
    const build = await buildOf(file, whole);
    const outcome = await run(file, recording, build, maxTicks);
    if (outcome === undefined) return EXIT_CODES.interrupted;
    process.stdout.write(json ? formatJson(outcome) : formatText(outcome));
    const code = exitCodeOf(outcome.report);
    if (code === EXIT_CODES.refused) process.stderr.write(`replay: ${NOTHING_TO_COMPARE}\n`);
    return code;
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    // Unexpected errors also exit with 2: exit code 1 means that the run differed.
    process.stderr.write(`replay: ${describeUnexpected(error)}\n`);
    return EXIT_CODES.refused;
  }
}

/**
 * @returns Undefined if it was interrupted.
 * @throws RefusedError if the recording cannot be run to its end.
 */
async function run(
  file: string,
  recording: Recording,
  build: RapierBuild,
  maxTicks: number,
): Promise<Outcome | undefined> {
  const { lastTick } = recording;
  const { signal } = interruption;
  const progress = new Progress(lastTick);
  let tick = recording.start?.tick ?? 0;
  let lastHash: string | undefined;
  const simulation = createDemoSimulation(build);
  try {
    const report = await replay(simulation, recording, {
      maxTicks,
      signal,
      onTick: (done, hash) => {
        tick = done;
        if (done === lastTick) lastHash = hash();
      },
      onProgress: (done) => progress.show(done),
    });
    return { recording, report, hash: lastHash };
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      progress.end();
      process.stderr.write(`replay: interrupted after tick ${tick} of ${lastTick}\n`);
      return undefined;
    }
    // Exit code 1 means that the run differed; this one has no end to compare.
    throw new RefusedError(`${file} cannot be replayed beyond tick ${tick}: ${firstLineOf(error)}`);
  } finally {
    progress.end();
  }
}

function describeUnexpected(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
