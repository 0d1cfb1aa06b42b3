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
import type { Recording } from '../../src/shared/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { REPLAY, readArguments } from './arguments.js';
import { Progress } from './progress.js';
import { createSimulation, readRecording, requireTicks, startingAt } from './recording-file.js';
import { exitCodeOf, formatJson, formatText, NOTHING_TO_COMPARE, type Outcome } from './verdict.js';

const interruption = new AbortController();
const { signal } = interruption;
process.exitCode = await runCommand(REPLAY, async (args) => {
  try {
    return await main(args);
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    // Exit code 1 means that a hash differs.
    process.stderr.write(`replay: ${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT_CODES.refused;
  }
});

async function main(args: readonly string[]): Promise<number> {
  const { file, fromTick, maxTicks, json } = readArguments(args);
  // The listeners stay until the process ends: npm and tsx may each deliver the same Ctrl-C.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => interruption.abort());
  }
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
  let hash: string | undefined;
  try {
    const report = await replay(simulation, recording, {
      maxTicks,
      signal,
      onTick: (done, hashOf) => {
        tick = done;
        if (done === lastTick) hash = hashOf();
      },
      onProgress: (done) => progress.show(done),
    });
    return { recording, report, hash };
  } catch (error) {
    progress.end();
    if (!signal.aborted || error !== signal.reason) {
      throw new RefusedError(`cannot be replayed beyond tick ${tick}: ${firstLineOf(error)}`);
    }
    process.stderr.write(`replay: interrupted after tick ${tick} of ${lastTick}\n`);
    return undefined;
  } finally {
    progress.end();
  }
}
