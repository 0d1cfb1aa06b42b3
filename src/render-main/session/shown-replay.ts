/** The handle to a shown recording. */
import type {
  Arrival,
  ReplayReport,
  ReplayStoppedMessage,
  SeekRequest,
} from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { CallOptions } from '../api/call-options.js';
import type { WorkerSupervisor } from '../worker/worker-supervisor.js';
import { withResolvers } from '../util/promises.js';
import type { CallTurns } from '../traffic/call-signal.js';
import type { Replay, ReplayState } from '../api/replay.js';
import { failedBy, revivedError } from '../util/worker-errors.js';

/** What it needs of the run in whose place it is shown. */
interface ReplacedRun {
  readonly worker: Pick<WorkerSupervisor, 'call' | 'requireRunning'>;
  readonly pauses: { readonly isPaused: boolean };
  readonly turns: CallTurns;
  /** Makes the worker seek. */
  take(request: SeekRequest): Promise<Arrival>;
  /** Runs a seek while the schedule is paused. */
  whilePaused<T>(run: () => Promise<T>): Promise<T>;
  /** Its last tick is reached. */
  endShown(report: ReplayReport): void;
  /** Its run continues from this tick as the page's own. */
  adopt(recording: Recording, tick: number): void;
}

/** Why the worker is no longer where a call moved it, or was about to move it. */
export const stoppedBy = (thrown: ReplayStoppedMessage['thrown']): Error =>
  thrown === undefined
    ? new Error('a query restarted the run')
    : failedBy(
        revivedError(thrown),
        'tick',
        `the simulation threw in tick ${thrown.tick} of the recording: ${thrown.message}. The previous run was restored`,
      );

/** Goes to a tick of a recording from the nearest saved state before it, and shows the recording from there on. */
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
    kept,
  };
}

export class ShownReplay implements Replay {
  readonly recording: Recording;
  readonly ended: Promise<ReplayReport>;
  readonly #run: ReplacedRun;
  readonly #end = withResolvers<ReplayReport>();
  #report: ReplayReport;
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
    return this.#run.turns.take(options, async () => {
      // Checked first, so that nothing is paused for a closed replay.
      this.#requireShown();
      return this.#run.whilePaused(async () => {
        this.#requireShown();
        const { start, lastTick } = this.recording;
        requireInteger('tick', tick, start?.tick ?? 0, lastTick);
        const { report } = await this.#run.take(segmentFrom(this.recording, tick));
        this.arrive(report);
        return report;
      });
    });
  }

  close(options?: CallOptions): Promise<ReplayReport> {
    return this.#run.turns.take(options, async () => {
      this.#requireShown();
      const report = await this.#run.worker.call((remote) => remote.closeReplay());
      // It may have stopped by itself in the meantime.
      this.#requireShown();
      // There was nothing to close.
      if (report === undefined) throw stoppedBy(undefined);
      this.end(report);
      this.#run.adopt(this.recording, report.tick);
      return report;
    });
  }

  /** It has reached a tick. At the last one the worker sends no further reports. */
  arrive(report: ReplayReport): void {
    this.note(report);
    if (this.state === 'ended') this.#run.endShown(report);
  }

  /** Updates its report. */
  note(report: ReplayReport): void {
    this.#report = report;
  }

  /** It has ended, at its last tick or before. No effect if it had ended already. */
  end(report: ReplayReport): void {
    this.#report = report;
    this.#end.resolve(report);
  }

  /** It is no longer shown. If it has not ended, it rejects with the reason. */
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
