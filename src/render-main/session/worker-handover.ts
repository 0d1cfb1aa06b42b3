/**
 * Replaces the worker of a run that continues.
 *
 *     current   ticks ──────────────────────────────▶ paused ─ saved ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ stops
 *     next      created ─ loads ─ initialized ─ waits ──────────────── restored ─ started ─▶ ticks
 *                                                     └ calls wait ─────────────────┘
 *
 * The current worker runs until the next one has taken over, so that any failure before leaves it as it was. If the next
 * one cannot restore the state, a third one may start the run over.
 */
import type {
  BodiesMessage,
  SeekRequest,
  WorkerMessage,
} from '../../shared/protocol/control-protocol.js';
import type { SavedState } from '../../shared/recording/recording.js';
import type { CreateWorker } from '../api/create-worker.js';
import {
  WHEN_STATE_DIFFERS,
  type ReplaceOptions,
  type WhenStateDiffers,
  requireCallOptions,
  untilAborted,
} from '../api/call-options.js';
import { wasFull } from '../recording/run-recorder.js';
import { requireChoice } from '../../shared/util/validate.js';
import { withResolvers } from '../util/promises.js';
import { requireCreateWorker } from '../worker/worker-creation.js';
import type { Session } from './session.js';
import { stoppedBy } from './replay.js';

/** @see SimulationHandle.replaceWorker */
export async function replaceWorker(
  session: Session,
  given?: CreateWorker,
  all?: ReplaceOptions,
): Promise<void> {
  const { whenStateDiffers = 'reject', ...rest } = all ?? {};
  // Invalid options pass through, and are refused.
  const options = Object(all) === all ? rest : all;
  const { worker, run } = session;
  const createWorker = given ?? worker.createWorker;
  requireCreateWorker(createWorker);
  requireCallOptions(options);
  if (worker.liveness.isStalled) {
    return untilAborted(options, async () => {
      run.requireRecorded();
      await worker.replaceStalled(createWorker);
    });
  }
  return run.queue.addMove(options, async () => {
    requireChoice('whenStateDiffers', whenStateDiffers, WHEN_STATE_DIFFERS);
    try {
      await replace(session, createWorker, whenStateDiffers);
    } catch (error) {
      if (!(error instanceof StateDiffers)) throw error;
      if (whenStateDiffers === 'reject') throw error.cause;
      await replace(session, createWorker, 'start over', error.cause);
    }
  });
}

/** An error whose cause is what the next worker threw when it restored the state, or ran ticks again. */
class StateDiffers extends Error {}

/** `'start over'`: without any state. */
type HowToReplace = WhenStateDiffers | 'start over';

async function replace(
  session: Session,
  createWorker: CreateWorker,
  how: HowToReplace,
  restoreError?: unknown,
): Promise<void> {
  const { worker, run, frames, assets, statuses, options } = session;
  const { recorder } = run;
  worker.requireRunning();
  run.requireOwn();
  const described = run.requireRecorded();
  const created = await worker.create(createWorker);
  // At the beginning: what takes longest is done while the current worker runs.
  const { restarts } = recorder;
  const beginning = { run: described, from: undefined, entries: [], untilTick: 0, restarts };
  let bodies: BodiesMessage | undefined;
  const onEarly = (message: WorkerMessage): void => {
    if (message.type === 'betwixt:bodies') bodies = message;
  };
  const next = await worker.unlessClosed(worker.openConnection(created, beginning, onEarly));
  /** The tick after which the next worker takes over. */
  let tick = 0;
  let state: SavedState | undefined;

  const requireSameRun = (): void => {
    if (recorder.run !== described) throw stoppedBy(undefined);
  };
  const segment = (): SeekRequest => {
    requireSameRun();
    const isNewCode = how === 'reset';
    if (state !== undefined) return { ...beginning, from: state, untilTick: tick, isNewCode };
    if (recorder.fullAt !== undefined) throw new Error(wasFull(recorder.fullAt));
    return { ...recorder.leadingTo(tick), isNewCode };
  };
  /** Brings the next worker to where the current one is paused. @returns Ticks that it has run again. */
  const bringUp = async (): Promise<number> => {
    const { client, info } = worker.connection;
    if (info.canSave && how !== 'start over') {
      state = await worker.unlessClosed(client.call((remote) => remote.save()));
    }
    // The worker's answers arrive in order: nothing that it has posted before is missing now.
    if (state === undefined) await worker.unlessClosed(client.call((remote) => remote.ready()));
    // The assets that were added since it was opened.
    assets.send(next.client);
    let replayedTicks = 0;
    if (how !== 'start over') {
      tick = state?.tick ?? run.tick();
      const request = segment();
      replayedTicks = tick - (request.from?.tick ?? 0);
      const seeking = next.seek(request, options.startTimeoutMs);
      await worker.unlessClosed(
        seeking.catch((cause: unknown) => Promise.reject(new StateDiffers('', { cause }))),
      );
    }
    await worker.unlessClosed(next.start(worker.pace));
    return replayedTicks;
  };
  /** Called in the task in which it takes over. @throws Error if it cannot, after all. */
  const requireReady = (): void => {
    // Handlers of events may do anything.
    frames.drainEvents();
    const ended = worker.ended ?? worker.connection.client.ended ?? next.client.ended;
    if (ended !== undefined) throw ended;
    requireSameRun();
    // Later restarts begin here: another script may run the ticks before differently.
    if (how === 'start over') recorder.startFrom(described, undefined);
    else if (state !== undefined) recorder.addState(state);
  };

  let leaving: Promise<void> | undefined;
  try {
    const replayedTicks = await run.whilePaused(() =>
      worker.whileCallsWait(async () => {
        const { promise: done, resolve } = withResolvers<void>();
        const arriving = bringUp();
        // The first rejects if the current worker fails.
        await Promise.race([worker.connection.client.call(() => done), arriving]).finally(resolve);
        requireReady();
        leaving = worker.takeOver(next, createWorker);
        // The list with which it has started: its script may spawn others than the one before.
        if (bodies !== undefined) frames.bodies.receive(bodies);
        return arriving;
      }),
    );
    statuses.emit({ kind: 'replaced', tick, replayedTicks, restoreError });
    // The worker has pushed the end of all pairs, maybe before the page could ask for a message.
    frames.drainEvents();
  } catch (error) {
    if (leaving === undefined) next.abandon(error as Error);
    throw error;
  }
  await leaving;
}
