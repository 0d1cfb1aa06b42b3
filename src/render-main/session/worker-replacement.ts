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
import type { RunDescription, SavedState } from '../../shared/recording/recording.js';
import type { CreateWorker } from '../api/create-worker.js';
import { WHEN_STATE_DIFFERS, type WhenStateDiffers } from '../api/replace-options.js';
import { wasFull } from '../recording/run-recorder.js';
import { requireChoice } from '../../shared/util/validate.js';
import { withResolvers } from '../util/promises.js';
import type { WorkerLink } from '../worker/worker-link.js';
import type { RunControl } from './run-control.js';
import { WAYS_OUT, stoppedBy } from './run-position.js';
import type { Session } from './session.js';

/** @param whenStateDiffers What happens if the next worker cannot restore the state. */
export async function replaceWorker(
  runs: RunControl,
  createWorker: CreateWorker,
  whenStateDiffers: WhenStateDiffers = 'reject',
): Promise<void> {
  requireChoice('whenStateDiffers', whenStateDiffers, WHEN_STATE_DIFFERS);
  try {
    await replace(runs, createWorker, whenStateDiffers);
  } catch (error) {
    if (!(error instanceof StateDiffers)) throw error;
    if (whenStateDiffers === 'reject') throw error.cause;
    await replace(runs, createWorker, 'start over', error.cause);
  }
}

/** What the next worker has thrown when it restored the state, or ran ticks again. */
class StateDiffers extends Error {}

/** `'start over'`: without any state. */
type HowToReplace = WhenStateDiffers | 'start over';

async function replace(
  runs: RunControl,
  createWorker: CreateWorker,
  how: HowToReplace,
  restoreError?: unknown,
): Promise<void> {
  const { session } = runs;
  const { supervisor, recorder, position } = session;
  supervisor.requireRunning();
  if (position.shown !== undefined) throw new Error(`a recording is shown: ${WAYS_OUT}`);
  const run = runs.requireRecorded();
  const created = await supervisor.create(createWorker);
  // At the beginning: what takes longest is done while the current worker runs.
  const { restarts } = recorder;
  const beginning = { run, from: undefined, entries: [], untilTick: 0, restarts };
  let bodies: BodiesMessage | undefined;
  const onEarly = (message: WorkerMessage): void => {
    if (message.type === 'betwixt:bodies') bodies = message;
  };
  const next = await supervisor.unlessClosed(supervisor.openLink(created, beginning, onEarly));
  const replacement = new Replacement(session, run, next, how);
  let leaving: Promise<void> | undefined;
  try {
    const replayedTicks = await runs.whilePaused(() =>
      supervisor.whileCallsWait(async () => {
        const { promise: done, resolve } = withResolvers<void>();
        const arriving = replacement.bringUp();
        // The first rejects if the current worker fails.
        await Promise.race([supervisor.link.client.call(() => done), arriving]).finally(resolve);
        replacement.requireReady();
        leaving = supervisor.takeOver(next, createWorker);
        // The list with which it has started: its script may spawn others than the one before.
        if (bodies !== undefined) session.bodies.receive(bodies);
        return arriving;
      }),
    );
    session.statuses.emit({
      kind: 'replaced',
      tick: replacement.tick,
      replayedTicks,
      restoreError,
    });
    // The worker has pushed the end of all pairs, maybe before the page could ask for a message.
    session.drainEvents();
  } catch (error) {
    if (leaving === undefined) next.abandon(error as Error);
    throw error;
  }
  await leaving;
}

class Replacement {
  readonly #session: Session;
  readonly #run: RunDescription;
  readonly #next: WorkerLink;
  readonly #how: HowToReplace;
  /** Where the next worker takes over. */
  tick = 0;
  #state: SavedState | undefined;

  constructor(session: Session, run: RunDescription, next: WorkerLink, how: HowToReplace) {
    this.#how = how;
    this.#session = session;
    this.#run = run;
    this.#next = next;
  }

  /**
   * Brings the next worker to where the current one is paused.
   *
   * @returns Ticks that it has run again.
   */
  async bringUp(): Promise<number> {
    const { supervisor, options } = this.#session;
    const { client, info } = supervisor.link;
    const startsOver = this.#how === 'start over';
    const state =
      info.canSave && !startsOver
        ? await this.#within(client.call((remote) => remote.save()))
        : undefined;
    // Its answers arrive in order: nothing that it has posted before is missing now.
    if (state === undefined) await this.#within(client.call((remote) => remote.ready()));
    this.#state = state;
    const next = this.#next;
    // Those that were added since it was opened.
    this.#session.assets.send(next.client);
    let replayedTicks = 0;
    if (!startsOver) {
      this.tick = state?.tick ?? this.#session.tick;
      const segment = this.#segmentFrom(state);
      replayedTicks = this.tick - (segment.from?.tick ?? 0);
      const seeking = next.seek(segment, options.startTimeoutMs);
      await this.#within(
        seeking.catch((cause: unknown) => Promise.reject(new StateDiffers('', { cause }))),
      );
    }
    // It was opened with an earlier one.
    next.setPace(supervisor.pace);
    await this.#within(next.start());
    return replayedTicks;
  }

  /** Called in the task in which it takes over. @throws Error if it cannot, after all. */
  requireReady(): void {
    // Handlers of events may do anything.
    this.#session.drainEvents();
    const { supervisor } = this.#session;
    const ended = supervisor.ended ?? supervisor.link.client.ended ?? this.#next.client.ended;
    if (ended !== undefined) throw ended;
    this.#requireSameRun();
    // Later restarts begin here: another script may run the ticks before differently.
    const { recorder } = this.#session;
    if (this.#how === 'start over') recorder.startFrom(this.#run, undefined);
    else if (this.#state !== undefined) recorder.addState(this.#state);
  }

  #segmentFrom(state: SavedState | undefined): SeekRequest {
    this.#requireSameRun();
    const { recorder } = this.#session;
    const isNewCode = this.#how === 'reset';
    if (state !== undefined) {
      const { restarts } = recorder;
      const { tick: untilTick } = state;
      return { run: this.#run, from: state, entries: [], untilTick, restarts, isNewCode };
    }
    if (recorder.fullAt !== undefined) throw new Error(wasFull(recorder.fullAt));
    return { ...recorder.leadingTo(this.tick), isNewCode };
  }

  #within<T>(work: Promise<T>): Promise<T> {
    return this.#session.supervisor.unlessClosed(work);
  }

  #requireSameRun(): void {
    if (this.#session.recorder.run !== this.#run) throw stoppedBy(undefined);
  }
}
