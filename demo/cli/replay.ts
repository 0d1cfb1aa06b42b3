/**
 * Replays a recording of the demo in the terminal and reports whether the result matches.
 *
 * Exit codes: 0 identical; 1 the result differs; 2 for wrong arguments, a refused file, a run that
 * cannot continue, or nothing to compare, with one line on stderr that says what is wrong and what
 * to do; 130 interrupted.
 */
import { RefusedError } from '../../scripts/cli/errors.js';
import { EXIT_CODES } from '../../scripts/cli/exit-codes.js';
import type { Recording } from '../../src/shared/index.js';
import { HELP, readArguments } from './arguments.js';
import { createSimulation } from './demo-recording.js';
import { Progress } from './progress.js';
import { readRecording, requireTicks, startingAt } from './recording-file.js';
import { replayRecording } from './replay-recording.js';
import { listenForInterruption, runComparison } from './run-comparison.js';
import { exitCodeOf, formatJson, formatText, NOTHING_TO_COMPARE, type Outcome } from './verdict.js';

const signal = listenForInterruption();
process.exitCode = await runComparison('replay', main);

async function main(args: readonly string[]): Promise<number> {
  const given = readArguments(args);
  if (given === undefined) {
    process.stdout.write(HELP);
    return EXIT_CODES.done;
  }
  const { file, fromTick, maxTicks, json } = given;
  const whole = await about(file, () => readRecording(file));
  const recording = fromTick === undefined ? whole : startingAt(whole, fromTick);
  const outcome = await about(file, () => run(recording, maxTicks));
  if (outcome === undefined) return EXIT_CODES.interrupted;
  process.stdout.write(json ? formatJson(outcome) : formatText(outcome));
  const code = exitCodeOf(outcome.report);
  if (code === EXIT_CODES.refused) process.stderr.write(`replay: ${NOTHING_TO_COMPARE}\n`);
  return code;
}

/** Begins refusals of a file with its name. */
async function about<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RefusedError ? new RefusedError(`${file} ${error.message}`) : error;
  }
}

/**
 * @returns Undefined if it was interrupted.
 * @throws RefusedError if the recording is refused, or cannot be run to its end.
 */
async function run(recording: Recording, maxTicks: number): Promise<Outcome | undefined> {
  requireTicks(recording, maxTicks);
  const simulation = await createSimulation(recording);
  const { lastTick } = recording;
  const progress = new Progress(lastTick);
  let tick = recording.start?.tick ?? 0;
  try {
    return await replayRecording(simulation, recording, {
      maxTicks,
      signal,
      onTick: (done) => {
        tick = done;
      },
      onProgress: (done) => progress.show(done),
    });
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    progress.end();
    process.stderr.write(`replay: interrupted after tick ${tick} of ${lastTick}\n`);
    return undefined;
  } finally {
    progress.end();
  }
}
