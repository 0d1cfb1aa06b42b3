/** A recording that is shown in place of the run. */
import type {
  Arrival,
  DifferingStateMessage,
  ReplayReport,
  ReplayStoppedMessage,
  SeekRequest,
} from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';
import { warnOnce } from '../../shared/util/development.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { CallOptions, CallQueue } from '../api/call-options.js';
import type { WorkerSupervisor } from '../worker/worker-supervisor.js';
import { withResolvers } from '../util/promises.js';
import { failedBy, revivedError } from '../util/page-errors.js';

/**
 * The current activity of a replay:
 *
 * - `playing`: its ticks run
 * - `paused`: it waits for `resume()` of the simulation
 * - `ended`: it is at its last tick
 * - `closed`: it is no longer shown, and never will be again
 */
export type ReplayState = 'playing' | 'paused' | 'ended' | 'closed';

/** How long to wait for a replay, and where it begins. */
export interface OpenReplayOptions extends CallOptions {
  /** The tick at which it is shown first, at least that of `recording.start`, up to its `lastTick`. Default: the lowest. */
  readonly tick?: number | undefined;
}

/**
 * A recording that is shown: what {@link SimulationHandle.openReplay} resolves with. It is paused, resumed and stepped
 * through the simulation. Its calls fail like those of {@link SimulationHandle}, and also as stated below.
 */
export interface Replay {
  /** The recording that is shown: the object that it was opened with. */
  readonly recording: Recording;
  /** Whether it plays, is paused, has ended, or is closed. */
  readonly state: ReplayState;
  /**
   * How it compares with the recording, as far as this page knows: updated with each compared hash, after each seek,
   * and at the end. It counts from the start, or from the saved state that the last seek started from. Replaced by a
   * new object whenever it changes; the last one stays when the replay is closed.
   */
  readonly report: ReplayReport;
  /**
   * Resolves when it reaches its last tick for the first time, or is closed by {@link Replay.close} before that.
   * Rejects with an Error if something else is shown or restored first, or a query restarts the run; with a
   * WorkerFailedError if one of its steps throws or the worker fails; with a SimulationDisposedError if the simulation
   * is disposed. It need not be awaited.
   */
  readonly ended: Promise<ReplayReport>;
  /**
   * Seeks to a tick of the recording from the nearest saved state, and then pauses or plays as it did before. Like
   * {@link SimulationHandle.seek}, it waits for the calls before it and can be stopped.
   *
   * @param tick From the start of the recording to its `lastTick`.
   * @param options How long to wait, including the time that the seek takes.
   * @returns How the hashes on the way compare.
   * @throws RangeError, by the promise, for another tick.
   * @throws Error, by the promise, if the replay is closed by then: what is shown instead stays; also what a step on
   *   the way throws, which ends the replay.
   */
  seek(tick: number, options?: CallOptions): Promise<ReplayReport>;
  /**
   * Closes the replay: the run continues from its position, with the player's inputs. Waits for the calls before it,
   * like {@link SimulationHandle.seek}.
   *
   * @param options What ends the wait.
   * @returns How the replay compares up to there.
   * @throws Error, by the promise, if the replay is closed by then: what is shown instead stays.
   */
  close(options?: CallOptions): Promise<ReplayReport>;
}

/** The part of a run that a recording shown in its place uses. */
interface ReplacedRun {
  readonly worker: Pick<WorkerSupervisor, 'call' | 'requireRunning'>;
  readonly pauses: { readonly isPaused: boolean };
  readonly queue: CallQueue;
  /** Makes the worker seek. */
  seekWorker(request: SeekRequest): Promise<Arrival>;
  /** Runs a seek while the schedule is paused. */
  whilePaused<T>(run: () => Promise<T>): Promise<T>;
  /** Called when the replay's last tick is reached. */
  endShown(report: ReplayReport): void;
  /** Called when its run continues from this tick as the page's own. */
  adopt(recording: Recording, tick: number): void;
}

/** The error for a call or a replay whose position in the run is lost. */
export const stoppedBy = (thrown: ReplayStoppedMessage['thrown']): Error =>
  thrown === undefined
    ? new Error('a query restarted the run')
    : failedBy(
        revivedError(thrown),
        'tick',
        `the simulation threw in tick ${thrown.tick} of the recording: ${thrown.message}. The previous run was restored`,
      );

/** The request that seeks to a tick of a recording, from the nearest saved state before it, and shows the recording from there on. */
export function segmentFrom(
  { run, start, lastTick, entries, states, kept }: Recording,
  tick: number,
): SeekRequest {
  const from = states.findLast((state) => state.tick <= tick) ?? start;
  const begin = from?.tick ?? 0;
  return {
    run,
    from,
    // The steps of all earlier ticks are kept: the one in effect at the beginning is among them.
    entries: entries.filter((entry) => entry.tick > begin || entry.kind === 'step'),
    untilTick: tick,
    shownUntil: lastTick,
    checkpoints: states.map((state) => state.tick),
    kept,
  };
}

export class ShownReplay implements Replay {
  readonly recording: Recording;
  readonly ended: Promise<ReplayReport>;
  readonly #run: ReplacedRun;
  readonly #end = withResolvers<ReplayReport>();
  #report: ReplayReport;
  /** The first body that differs, for reports of the difference that begins at this tick. */
  #difference: Pick<ReplayReport, 'differsAt' | 'difference'> | undefined;
  #comparing: Promise<void> | undefined;
  #closedBy: Error | undefined;

  constructor(recording: Recording, report: ReplayReport, run: ReplacedRun) {
    this.recording = recording;
    this.#report = report;
    this.#run = run;
    this.ended = this.#end.promise;
    // `ended` need not be awaited.
    this.ended.catch(() => {});
  }

  get state(): ReplayState {
    if (this.#closedBy !== undefined) return 'closed';
    if (this.#report.tick >= this.recording.lastTick) return 'ended';
    return this.#run.pauses.isPaused ? 'paused' : 'playing';
  }

  get report(): ReplayReport {
    return this.#report;
  }

  seek(tick: number, options?: CallOptions): Promise<ReplayReport> {
    return this.#run.queue.addMove(options, async () => {
      // Checked first, so that nothing is paused for a closed replay.
      this.#requireShown();
      return this.#run.whilePaused(async () => {
        this.#requireShown();
        const { start, lastTick } = this.recording;
        requireInteger('tick', tick, start?.tick ?? 0, lastTick);
        const { report } = await this.#run.seekWorker(segmentFrom(this.recording, tick));
        this.arrive(report);
        return this.#report;
      });
    });
  }

  close(options?: CallOptions): Promise<ReplayReport> {
    return this.#run.queue.addMove(options, async () => {
      this.#requireShown();
      const report = await this.#run.worker.call((remote) => remote.closeReplay());
      // The replay may have stopped by itself in the meantime.
      this.#requireShown();
      // Nothing was shown that could be closed.
      if (report === undefined) throw stoppedBy(undefined);
      this.end(report);
      this.#run.adopt(this.recording, report.tick);
      return this.#report;
    });
  }

  /** Notes that the replay has reached a tick. At the last one the worker sends no further reports. */
  arrive(report: ReplayReport): void {
    this.note(report);
    if (this.state === 'ended') this.#run.endShown(report);
  }

  /** Updates its report. */
  note(report: ReplayReport): void {
    const known = this.#difference;
    this.#report = known?.differsAt === report.differsAt ? { ...report, ...known } : report;
  }

  /** Compares the state of the first checkpoint that differs with the recorded one, in a part that is loaded for that. */
  compare({ state: replayed, differsAt }: DifferingStateMessage): void {
    const recorded = this.recording.states.find(({ tick }) => tick === replayed.tick);
    if (recorded === undefined) return;
    this.#comparing = import('../../shared/recording/state-difference.js')
      .then(({ differenceOf }) => {
        const difference = differenceOf(recorded, replayed);
        this.#difference = { differsAt, difference };
        this.note(this.#report);
        warnOnce('difference in a body', difference);
      })
      // The report has the tick.
      .catch(() => {});
  }

  /** Notes that the replay has ended, at its last tick or before. No effect if it had ended already. */
  end(report: ReplayReport): void {
    this.note(report);
    const { report: noted } = this;
    const compared = this.#comparing?.then(() => this.#report);
    this.#end.resolve(compared ?? noted);
  }

  /** Notes that the replay is no longer shown. If it has not ended, `ended` rejects with the reason. */
  leave(reason: Error): void {
    this.#closedBy ??= reason;
    this.#end.reject(reason);
  }

  #requireShown(): void {
    this.#run.worker.requireRunning();
    if (this.#closedBy === undefined) return;
    throw new Error(`this replay is closed: ${this.#closedBy.message}`);
  }
}
