/** The handle to a shown recording. */
import type { SeekRequest, ReplayReport } from '../../shared/protocol/control-protocol.js';
import type { Recording } from '../../shared/recording/recording.js';
import { requireRecording } from '../../shared/recording/recording-checks.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { CallOptions } from '../api/call-options.js';
import { withResolvers } from '../util/promises.js';
import type { Replay, ReplayState } from '../api/replay.js';
import { replaced, stoppedBy } from './run-position.js';
import type { RunControl } from './run-control.js';

/**
 * Shows a recording, replacing the one that is shown.
 *
 * @param tick Where; at its start when left out.
 * @throws TypeError, RangeError naming what is impossible in it.
 */
export async function showReplay(
  runs: RunControl,
  recording: Recording,
  tick: number | undefined,
): Promise<Replay> {
  requireRecording(recording);
  const first = recording.start?.tick ?? 0;
  const begin = requireInteger('tick', tick ?? first, first, recording.lastTick);
  runs.session.assets.addRecorded(recording.assets);
  return runs.whilePaused(async () => {
    const request = segmentFrom(recording, begin);
    const { report } = await runs.take(request);
    const replay = new ShownReplay(recording, report, runs);
    runs.session.position.show(replay, replaced());
    replay.arrive(report);
    return replay;
  });
}

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
  readonly #runs: RunControl;
  readonly #end = withResolvers<ReplayReport>();
  #report: ReplayReport;
  #closedBy: Error | undefined;

  constructor(recording: Recording, report: ReplayReport, runs: RunControl) {
    this.recording = recording;
    this.#report = report;
    this.#runs = runs;
    this.ended = this.#end.promise;
    // `ended` need not be awaited.
    this.ended.catch(() => {});
  }

  get state(): ReplayState {
    if (this.#closedBy !== undefined) return 'closed';
    if (this.#report.tick >= this.recording.lastTick) return 'ended';
    return this.#runs.session.pauses.isPaused ? 'paused' : 'playing';
  }

  get report(): ReplayReport {
    return this.#report;
  }

  seek(tick: number, options?: CallOptions): Promise<ReplayReport> {
    return this.#runs.session.turns.take(options, async () => {
      // Checked first, so that nothing is paused for a closed replay.
      this.#requireShown();
      return this.#runs.whilePaused(async () => {
        this.#requireShown();
        const { start, lastTick } = this.recording;
        requireInteger('tick', tick, start?.tick ?? 0, lastTick);
        const { report } = await this.#runs.take(segmentFrom(this.recording, tick));
        this.arrive(report);
        return report;
      });
    });
  }

  close(options?: CallOptions): Promise<ReplayReport> {
    const { session } = this.#runs;
    return session.turns.take(options, async () => {
      this.#requireShown();
      const report = await session.supervisor.call((remote) => remote.closeReplay());
      // It may have stopped by itself in the meantime.
      this.#requireShown();
      // There was nothing to close.
      if (report === undefined) throw stoppedBy(undefined);
      session.recorder.adopt(this.recording);
      session.recorder.truncate(report.tick);
      this.end(report);
      session.position.show(undefined, new Error('its run was given to the player'));
      return report;
    });
  }

  /** It has reached a tick. At the last one the worker sends no further reports. */
  arrive(report: ReplayReport): void {
    this.note(report);
    if (this.state === 'ended') this.#runs.session.endShown(report);
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
    this.#runs.session.supervisor.requireRunning();
    if (this.#closedBy === undefined) return;
    throw new Error(`this replay is closed: ${this.#closedBy.message}`);
  }
}
