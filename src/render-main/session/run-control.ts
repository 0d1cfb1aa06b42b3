/** Recordings of the run, seeking, and showing recordings. */
import { isDevelopment } from '../../shared/development/is-development.js';
import type { Arrival, SeekRequest, ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { Recording, RunDescription, SavedState } from '../../shared/recording/recording.js';
import { requireSavedState } from '../../shared/recording/recording-checks.js';
import { requireInteger } from '../../shared/util/validate.js';
import { requireCallOptions, untilAborted } from '../queues/call-signal.js';
import type { CreateWorker } from '../api/create-worker.js';
import type { CallOptions } from '../api/call-options.js';
import type { ReplaceOptions } from '../api/replace-options.js';
import { WAYS_OUT, replaced, stoppedBy } from './run-position.js';
import { wasFull } from '../recording/run-recorder.js';
import type { Session } from './session.js';
import { showReplay } from './shown-replay.js';
import { replaceWorker } from './worker-replacement.js';
import { requireCreateWorker } from '../worker/transport.js';
import type { OpenReplayOptions, Replay } from '../api/replay.js';

export class RunControl {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  get replay(): Replay | undefined {
    const { shown } = this.session.position;
    return shown?.state === 'closed' ? undefined : shown;
  }

  recording(): Recording {
    this.requireRecorded();
    const { position, recorder, reportedTick } = this.session;
    return position.shown?.recording ?? recorder.recording(position.leftAt ?? reportedTick);
  }

  /** Ticks of the run that can be reached quickly, from the oldest saved state that is kept to the newest tick. */
  get range(): { readonly from: number; readonly to: number } {
    const { earliestTick, fullAt = this.#tick } = this.session.recorder;
    const to = Math.min(this.#tick, fullAt);
    return { from: Math.min(to, earliestTick), to };
  }

  /** @throws Error if the shown recording is at its end and no pending call leaves it. */
  requireMore(): void {
    const { position, tick, turns } = this.session;
    if (!turns.isEmpty || tick < (position.shown?.recording.lastTick ?? Infinity)) return;
    throw new Error(`the recording that is shown is at its end: ${WAYS_OUT}`);
  }

  restore(state: SavedState, options?: CallOptions): Promise<void> {
    const { position, recorder, turns } = this.session;
    return turns.take(options, async () => {
      requireSavedState('state', state);
      await this.whilePaused(async () => {
        const run = this.requireRecorded();
        const request = { run, from: state, entries: [], untilTick: state.tick };
        const arrival = await this.take(request);
        position.show(undefined, replaced());
        // The state may be from another run, with its own seed and setup.
        recorder.startFrom(arrival.run, state);
        this.session.assets.needAll();
      });
    });
  }

  seek(tick: number, options?: CallOptions): Promise<ReplayReport> {
    const { position, recorder, turns } = this.session;
    return turns.take(options, async () => {
      if (position.shown !== undefined) throw new Error(`a recording is shown: ${WAYS_OUT}`);
      return this.whilePaused(async () => {
        this.requireRecorded();
        requireInteger('tick', tick, recorder.startTick, this.#tick);
        const { fullAt = tick } = recorder;
        if (tick > fullAt) {
          throw new RangeError(`there is no way to tick ${tick}: ${wasFull(fullAt)}`);
        }
        const { report } = await this.take(recorder.leadingTo(tick));
        recorder.truncate(report.tick);
        return report;
      });
    });
  }

  openReplay(recording: Recording, all?: OpenReplayOptions): Promise<Replay> {
    const { tick, ...rest } = all ?? {};
    // What is no object is refused.
    const options = Object(all) === all ? rest : all;
    return this.session.turns.take(options, () => showReplay(this, recording, tick));
  }

  async replaceWorker(given?: CreateWorker, all?: ReplaceOptions): Promise<void> {
    const { whenStateDiffers, ...rest } = all ?? {};
    // What is no object is refused.
    const options = Object(all) === all ? rest : all;
    const { supervisor, turns } = this.session;
    const createWorker = given ?? supervisor.createWorker;
    requireCreateWorker(createWorker);
    requireCallOptions(options);
    if (supervisor.liveness.isStalled) {
      await untilAborted(options, async () => {
        this.requireRecorded();
        await supervisor.giveUp(createWorker);
      });
      return;
    }
    await turns.take(options, () => replaceWorker(this, createWorker, whenStateDiffers));
  }

  /** Number of the newest tick of the page's own run. */
  get #tick(): number {
    return this.session.position.leftAt ?? this.session.tick;
  }

  /** Makes the worker seek. If this rejects, the run is where it was, or was restarted. */
  async take(request: SeekRequest): Promise<Arrival> {
    const { session } = this;
    const { run, restarts } = session.recorder;
    const arrival = await session.supervisor.call((remote) =>
      remote.seek(run === undefined ? request : { ...request, restarts }),
    );
    if (run !== session.recorder.run) throw stoppedBy(undefined);
    if (isDevelopment) session.onReport?.(arrival.report, true);
    return arrival;
  }

  /** Runs a seek while the schedule is paused. */
  async whilePaused<T>(run: () => Promise<T>): Promise<T> {
    const { pauses, position } = this.session;
    try {
      await pauses.pauseFor('seeking');
      position.leave(this.session.tick);
      return await run();
    } finally {
      position.settle();
      await pauses.resumeFrom('seeking');
    }
  }

  requireRecorded(): RunDescription {
    const { run } = this.session.recorder;
    if (run === undefined) {
      throw new Error('the run is not recorded: leave out the option recording: false of connect');
    }
    return run;
  }
}
