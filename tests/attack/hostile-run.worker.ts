/**
 * Plays cases of the part `messages`: page and worker are both in this thread, so a hang or an
 * error affects no other thread.
 */
import { parentPort } from 'node:worker_threads';
import { HostileRun, type HostileStep } from '../fixtures/hostile-run.js';
import { present } from '../fixtures/present.js';

export interface HostileCase {
  readonly transport: 'local' | 'transfer';
  readonly isReplaced: boolean;
  readonly steps: readonly HostileStep[];
}

/** The first fault; undefined: there is none. */
export type HostileReport = string | undefined;

const port = present(parentPort);
const pass = (durationMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, durationMs));

let uncaught: unknown;
process.on('uncaughtException', (error) => (uncaught ??= error));
process.on('unhandledRejection', (error) => (uncaught ??= error));

async function play({ transport, isReplaced, steps }: HostileCase): Promise<HostileReport> {
  uncaught = undefined;
  const run = await HostileRun.connect(transport, pass, {
    recovery: isReplaced ? 'restart' : 'none',
    tickRateHz: 500,
  });
  try {
    // A message of each kind, which a case can change.
    const { simulation } = run;
    const save = simulation.save();
    await run.frames(3);
    await save;
    await simulation.pause();
    await simulation.step(1);
    await simulation.resume();
    await run.play(steps);
    await run.frames(4);
    await run.outcome(false);
    // A message may be a pause like any other; no word is.
    if (steps.every((step) => step.do !== 'change')) await run.requireTicks();
    return uncaught === undefined ? undefined : `uncaught: ${String(uncaught)}`;
  } catch (error) {
    return String(error);
  } finally {
    await run.dispose();
  }
}

port.on('message', (one: HostileCase) => {
  void play(one).then((report) => port.postMessage({ report }));
});
port.postMessage('ready');
