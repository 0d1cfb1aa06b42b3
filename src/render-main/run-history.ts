/** Saving, going back, and showing recordings: what can be done with a run beside letting it go on. */
import type { ReplayReport } from '../shared/control-protocol.js';
import type { Recording, SavedState } from '../shared/recording.js';
import { requireInteger } from '../shared/validate.js';
import { withinLimits, type CallOptions } from './call-limits.js';
import { withResolvers } from './promises.js';
import { stretchTo } from './run-recorder.js';
import { requireRecording, requireSavedState } from './require-recording.js';
import type { Session } from './session.js';

/** A recording that is being shown. */
interface Showing {
  readonly recording: Recording;
  resolve(report: ReplayReport): void;
  reject(reason: Error): void;
}

export class RunHistory {
  readonly #session: Session;
  #showing: Showing | undefined;
  /** One after the other: each begins where the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
    session.statuses.follow((status) => {
      if (status.kind === 'replayed') this.#showing?.resolve(status.report);
      // Another worker stands at the tick that the one before had shown last.
      if (status.kind === 'restarted' && this.shown !== undefined) this.#followAgain(this.shown);
      if (status.kind === 'failed') this.#showing?.reject(status.error);
    });
    session.shownRecording = () => this.shown;
  }

  /** The recording that is being shown, if one is. */
  get shown(): Recording | undefined {
    return this.#showing?.recording;
  }

  /** What decided the run so far. */
  recording(): Recording {
    this.#requireRecorded();
    return this.shown ?? this.#session.recorder.recording(this.#session.tick);
  }

  /** Ticks that can be gone to quickly, from the oldest saved state that is kept to the newest tick. */
  get range(): { readonly from: number; readonly to: number } {
    const { recorder, tick } = this.#session;
    if (this.shown !== undefined)
      return { from: this.shown.start?.tick ?? 0, to: this.shown.lastTick };
    return { from: Math.min(tick, recorder.earliestTick), to: tick };
  }

  /** @throws Error if the recording that is shown has come to its end. */
  requireMore(): void {
    if (this.shown === undefined || this.#session.tick < this.shown.lastTick) return;
    throw new Error(
      'the recording that is shown is at its end: goTo() goes back in it, endReplay() gives the run to the player',
    );
  }

  save(options?: CallOptions): Promise<SavedState> {
    return withinLimits('save', options, (limit) =>
      this.#session.call((remote) => remote.save(), limit, true),
    );
  }

  async restore(state: SavedState): Promise<void> {
    requireSavedState(state);
    await this.#whilePaused(async () => {
      const { recorder } = this.#session;
      const { run } = recorder;
      this.#requireRecorded();
      if (run === undefined) return;
      await this.#session.call((remote) =>
        remote.goTo({ run, from: state, entries: [], untilTick: state.tick }),
      );
      this.#stopShowing();
      // It may be the state of another run, with a seed and a setup of its own.
      recorder.startFrom(await this.#session.call((remote) => remote.describeRun()), state);
    });
  }

  goTo(tick: number): Promise<ReplayReport> {
    const recording = this.recording();
    requireInteger('tick', tick, recording.start?.tick ?? 0, recording.lastTick);
    return this.#whilePaused(async () => {
      const report = await this.#session.call((remote) => remote.goTo(stretchTo(recording, tick)));
      if (this.shown === recording) await this.#follow(recording);
      else this.#session.recorder.truncate(tick);
      return report;
    });
  }

  async replay(recording: Recording): Promise<ReplayReport> {
    requireRecording(recording);
    this.#stopShowing();
    const { inputs } = this.#session;
    const { promise: ended, resolve, reject } = withResolvers<ReplayReport>();
    // Where it does not even begin, the error of that is what the caller is told.
    ended.catch(() => {});
    await this.#whilePaused(async () => {
      // All entries: what the simulation cannot replay is refused before its run is left.
      const { entries } = recording;
      const start = { ...stretchTo(recording, recording.start?.tick ?? 0), entries };
      await this.#session.call((remote) => remote.goTo(start));
      inputs.setOpen(false);
      this.#showing = { recording, resolve, reject };
      await this.#follow(recording).catch((error: unknown) => {
        // Another worker takes the place of the one that was asked, and is asked then.
        if (this.#session.supervisor.isRestarting) return;
        this.#stopShowing();
        throw error;
      });
    });
    return ended;
  }

  /** How the recording that is shown compares so far. */
  report(): Promise<ReplayReport | undefined> {
    return this.#session.call((remote) => remote.replayReport());
  }

  /** The run goes on from where the replay is, with the player's inputs. */
  async endReplay(): Promise<ReplayReport | undefined> {
    const showing = this.#showing;
    if (showing === undefined) return undefined;
    const report = await this.#session.call((remote) => remote.endReplay());
    this.#session.recorder.adopt(showing.recording);
    this.#session.recorder.truncate(report?.tick ?? this.#session.tick);
    if (report !== undefined) showing.resolve(report);
    this.#stopShowing();
    return report;
  }

  /** From the tick that it stands at on, the worker does what the recording says. */
  async #follow(recording: Recording): Promise<void> {
    await this.#session.call((remote) =>
      remote.replay(recording.entries, recording.lastTick, recording.run.invalidPoses),
    );
  }

  #followAgain(recording: Recording): void {
    this.#follow(recording).catch(() => {});
  }

  /** There is no simulation any more. */
  close(reason: Error): void {
    this.#showing?.reject(reason);
  }

  #stopShowing(): void {
    // Without effect on one that has ended.
    this.#showing?.reject(
      new Error('something else was shown before this recording had come to its end'),
    );
    this.#showing = undefined;
    this.#session.inputs.setOpen(true);
  }

  #whilePaused<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      try {
        await this.#session.pauseFor('seeking');
        return await run();
      } finally {
        await this.#session.resumeFrom('seeking');
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  #requireRecorded(): void {
    if (this.#session.recorder.run !== undefined) return;
    throw new Error('the run is not recorded: connect with the option record: true');
  }
}
