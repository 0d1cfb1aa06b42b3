/** Stepping, saving, going back, and showing recordings: what can be done with a run beside letting it go on. */
import type {
  Arrival,
  ReplayOrder,
  ReplayReport,
  ReplayStoppedMessage,
} from '../shared/control-protocol.js';
import { WorkerFailedError } from '../shared/errors.js';
import type { Recording, RunDescription, SavedState } from '../shared/recording.js';
import { requireInteger } from '../shared/validate.js';
import { isNotWaitedFor, withinLimits, type CallLimit, type CallOptions } from './call-limits.js';
import { withResolvers } from './promises.js';
import { wasFull } from './run-recorder.js';
import { stretchTo } from './run-stretch.js';
import { requireRecording, requireSavedState } from './require-recording.js';
import type { Session } from './session.js';

/** A recording that is being shown. */
interface Showing {
  readonly recording: Recording;
  resolve(report: ReplayReport): void;
  reject(reason: Error): void;
}

/** A run, and the tick at which it stands while the worker is elsewhere. */
interface LeftRun {
  readonly run: RunDescription | undefined;
  readonly tick: number;
}

export class RunHistory {
  readonly #session: Session;
  #showing: Showing | undefined;
  /** The page's own run, while a recording is shown or a call is under way that may take it elsewhere. */
  #left: LeftRun | undefined;
  /** Calls that change where the run stands: each begins, and looks at what there is, when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  /** How many of them have not ended. */
  #turns = 0;

  constructor(session: Session) {
    this.#session = session;
    session.statuses.follow((status) => {
      if (status.kind === 'replayed') this.#showing?.resolve(status.report);
      if (status.kind === 'failed') this.#showing?.reject(status.error);
    });
    session.leftAt = (error) => {
      const { tick } = this.#leftRun ?? {};
      this.#show(undefined, error);
      return tick;
    };
    session.onStateWanted = () => this.#saveForRecording();
    session.onReplayStopped = (thrown) => {
      const error = stoppedBy(thrown);
      this.#show(undefined, error);
      session.tell({ kind: 'replay-stopped', error });
    };
  }

  /** The recording that is being shown, if one is. */
  get shown(): Recording | undefined {
    return this.#showing?.recording;
  }

  /** What decided the run so far. */
  recording(): Recording {
    this.#requireRecorded();
    const { recorder, toldTick } = this.#session;
    return this.shown ?? recorder.recording(this.#leftRun?.tick ?? toldTick);
  }

  /** Ticks that can be gone to quickly, from the oldest saved state that is kept to the newest tick. */
  get range(): { readonly from: number; readonly to: number } {
    if (this.shown !== undefined)
      return { from: this.shown.start?.tick ?? 0, to: this.shown.lastTick };
    const { earliestTick, fullAt = this.#tick } = this.#session.recorder;
    const to = Math.min(this.#tick, fullAt);
    return { from: Math.min(to, earliestTick), to };
  }

  /** @throws Error if the recording that is shown has come to its end, and nothing is on its way that goes elsewhere. */
  requireMore(): void {
    const { shown } = this;
    if (this.#turns > 0 || shown === undefined || this.#session.tick < shown.lastTick) return;
    throw new Error(
      'the recording that is shown is at its end: goTo() goes back in it, endReplay() gives the run to the player',
    );
  }

  save(options?: CallOptions): Promise<SavedState> {
    return this.#inTurn('save', options, (limit) =>
      this.#session.call((remote) => remote.save(), limit, isNotWaitedFor),
    );
  }

  step(ticks: number, options?: CallOptions): Promise<number> {
    return this.#inTurn('step', options, (limit) =>
      this.#session.call((remote) => remote.step(ticks), limit),
    );
  }

  async restore(state: SavedState, options?: CallOptions): Promise<void> {
    requireSavedState(state);
    await this.#whilePaused('restore', options, async (limit) => {
      const { recorder } = this.#session;
      const run = this.#requireRecorded();
      const order = { run, from: state, entries: [], untilTick: state.tick };
      const arrival = await this.#take(order, limit);
      this.#show(undefined, REPLACED());
      // It may be the state of another run, with a seed and a setup of its own.
      recorder.startFrom(arrival.run, state);
    });
  }

  goTo(tick: number, options?: CallOptions): Promise<ReplayReport> {
    return this.#whilePaused('goTo', options, async (limit) => {
      const { shown } = this;
      const { recorder } = this.#session;
      this.#requireRecorded();
      const first = shown === undefined ? recorder.startTick : (shown.start?.tick ?? 0);
      requireInteger('tick', tick, first, shown?.lastTick ?? this.#tick);
      const { fullAt = tick } = recorder;
      if (shown === undefined && tick > fullAt) {
        throw new RangeError(`there is no way to tick ${tick}: ${wasFull(fullAt)}`);
      }
      const recording = shown ?? recorder.leadingTo(tick);
      const { report } = await this.#take(stretchTo(recording, tick, shown?.lastTick), limit);
      if (shown === undefined) recorder.truncate(report.tick);
      else this.#tellIfOver(report);
      return report;
    });
  }

  async replay(recording: Recording): Promise<ReplayReport> {
    requireRecording(recording);
    const { promise: ended, resolve, reject } = withResolvers<ReplayReport>();
    // Nobody may wait for it yet when it ends.
    ended.catch(() => {});
    await this.#whilePaused('replay', undefined, async () => {
      const { start, lastTick } = recording;
      const { report } = await this.#take(stretchTo(recording, start?.tick ?? 0, lastTick));
      this.#show({ recording, resolve, reject }, REPLACED());
      this.#tellIfOver(report);
    });
    return ended;
  }

  /** How the recording that is shown compares so far. */
  report(): Promise<ReplayReport | undefined> {
    return this.#session.call((remote) => remote.replayReport());
  }

  /** The run goes on from where the replay is, with the player's inputs. */
  endReplay(): Promise<ReplayReport | undefined> {
    return this.#inTurn('endReplay', undefined, async () => {
      const showing = this.#showing;
      if (showing === undefined) return undefined;
      const report = await this.#session.call((remote) => remote.endReplay());
      // It has stopped by itself.
      if (report === undefined || showing !== this.#showing) return undefined;
      this.#session.recorder.adopt(showing.recording);
      this.#session.recorder.truncate(report.tick);
      showing.resolve(report);
      this.#show(undefined, REPLACED());
      return report;
    });
  }

  /** There is no simulation any more. */
  close(reason: Error): void {
    this.#showing?.reject(reason);
  }

  /** A run that the recording has no room for begins at the state that it is in. */
  #saveForRecording(): void {
    const { recorder, link } = this.#session;
    if (!link.info.canSave) return;
    this.#inTurn('save', undefined, async () => {
      // Where a recording is shown, the run stands and nothing of it is told.
      if (this.shown !== undefined) return;
      recorder.addState(await this.#session.call((remote) => remote.save()));
    }).catch(() => {
      // It goes on until it is full, and says so.
    });
  }

  /** Number of the newest tick of the page's own run. */
  get #tick(): number {
    return this.#leftRun?.tick ?? this.#session.tick;
  }

  get #leftRun(): LeftRun | undefined {
    // A query may have started it over meanwhile.
    return this.#left?.run === this.#session.recorder.run ? this.#left : undefined;
  }

  /** Has the worker take the run elsewhere. If it rejects, the run is where it was, or was started over. */
  async #take(order: ReplayOrder, limit?: CallLimit): Promise<Arrival> {
    const { run, restarts } = this.#session.recorder;
    let stopping: Promise<boolean> | undefined;
    const stop = (): Promise<boolean> => {
      stopping = this.#session
        .call((remote) => remote.stopGoTo())
        // The worker is gone, and the next one goes on from where the run was.
        .catch(() => true);
      return stopping;
    };
    try {
      const arrival: Arrival | undefined = await this.#session.call(
        (remote) => remote.goTo(run === undefined ? order : { ...order, restarts }),
        limit,
        stop,
      );
      // Without one it was withdrawn, and its caller has been told.
      if (arrival === undefined || run !== this.#session.recorder.run) throw stoppedBy(undefined);
      return arrival;
    } finally {
      // First the caller is told why it was stopped.
      await stopping;
    }
  }

  #show(next: Showing | undefined, reason: Error): void {
    // Without effect on one that has ended.
    this.#showing?.reject(reason);
    this.#showing = next;
    if (next === undefined) this.#left = undefined;
    this.#session.inputs.setOpen(next === undefined);
  }

  /** The recording that is shown stands at its last tick: there will be none of which the worker could tell it. */
  #tellIfOver(report: ReplayReport): void {
    if (this.shown?.lastTick === report.tick) this.#session.onNotice({ kind: 'replayed', report });
  }

  #inTurn<T>(
    name: string,
    options: CallOptions | undefined,
    run: (limit: CallLimit | undefined) => Promise<T>,
  ): Promise<T> {
    return withinLimits(name, options, (limit) => {
      const turn = this.#last.then(() =>
        limit?.isWithdrawn === true ? (undefined as T) : run(limit),
      );
      this.#turns += 1;
      const end = (): void => {
        this.#turns -= 1;
      };
      this.#last = turn.then(end, end);
      return turn;
    });
  }

  #whilePaused<T>(
    name: string,
    options: CallOptions | undefined,
    run: (limit: CallLimit | undefined) => Promise<T>,
  ): Promise<T> {
    const { recorder } = this.#session;
    return this.#inTurn(name, options, async (limit) => {
      try {
        await this.#session.pauseFor('seeking');
        this.#left ??= { run: recorder.run, tick: this.#session.tick };
        return await run(limit);
      } finally {
        if (this.#showing === undefined) this.#left = undefined;
        await this.#session.resumeFrom('seeking');
      }
    });
  }

  #requireRecorded(): RunDescription {
    const { run } = this.#session.recorder;
    if (run === undefined) {
      throw new Error('the run is not recorded: connect with the option record: true');
    }
    return run;
  }
}

const REPLACED = (): Error =>
  new Error('something else was shown before this recording had come to its end');

const stoppedBy = (thrown: ReplayStoppedMessage['thrown']): Error =>
  thrown === undefined
    ? new Error('a query has started the run over')
    : new WorkerFailedError(
        `the simulation threw in tick ${thrown.tick} of the recording: ${thrown.message}. The run from before it is back`,
        'tick',
        thrown.stack,
      );
