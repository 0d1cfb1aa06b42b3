/** The run of a session: its recording, its tick, seeking in it, and the recording that is shown in place of it. */
import { warnOnce } from '../../shared/util/development.js';
import { SLOT_HEADER } from '../../shared/memory/layout.js';
import type {
  Arrival,
  DifferingStateMessage,
  JournalItem,
  ReplayReport,
  ReplayStoppedMessage,
  SeekRequest,
} from '../../shared/protocol/control-protocol.js';
import { requireRecording, requireSavedState } from '../../shared/recording/recording-checks.js';
import type { Recording, RunDescription, SavedState } from '../../shared/recording/recording.js';
import type { WorkerFailedError } from '../../shared/util/errors.js';
import { requireInteger } from '../../shared/util/validate.js';
import { type CallOptions, CallQueue } from '../api/call-options.js';
import type { ResolvedOptions } from '../api/connect-options.js';
import {
  type OpenReplayOptions,
  type Replay,
  ShownReplay,
  segmentFrom,
  stoppedBy,
} from './replay.js';
import type { InputSender } from '../traffic/input-sender.js';
import { RunRecorder, wasFull } from '../recording/run-recorder.js';
import type { WorkerConnection } from '../worker/worker-connection.js';
import type { FailurePoint, WorkerSupervisor } from '../worker/worker-supervisor.js';
import type { PageAssets } from './page-assets.js';
import type { Pauses } from './pauses.js';
import type { StatusHandlers } from './simulation-status.js';

interface RunDeps {
  readonly options: ResolvedOptions;
  readonly worker: Pick<WorkerSupervisor, 'call' | 'requireRunning'>;
  readonly pauses: Pauses;
  readonly inputs: InputSender;
  readonly assets: PageAssets;
  readonly statuses: StatusHandlers;
  /** Delivers the events of before a jump. */
  readonly deliverAll: () => void;
}

const WAYS_OUT =
  "replay.seek() goes to a tick of it, replay.close() returns to the player's own run";

/** The reason for a recording that another replaces. */
const replaced = (): Error => new Error('another replay was opened before this one ended');

export class SessionRun {
  readonly recorder: RunRecorder;
  /** Serialises the calls that change or save the state of the run. */
  readonly queue = new CallQueue();
  /** In development: whether the worker has other code than the recording. */
  hasNewCode?: () => boolean;
  readonly worker: RunDeps['worker'];
  readonly pauses: Pauses;
  readonly #deps: Omit<RunDeps, 'worker' | 'pauses'>;
  /** The current worker's; undefined: the first one is not used yet, and may report ticks already. */
  #connection: WorkerConnection | undefined;
  /** Journals received from the current worker. */
  #journals = 0;
  #shown: ShownReplay | undefined;
  /** The page's own run, while a recording is shown or a pending call may move the worker elsewhere. */
  #left: { readonly run: RunDescription | undefined; readonly tick: number } | undefined;
  /** From the failure of a worker until another one runs, the tick at which the run continues: the memory is not valid then. */
  #resumesAt: number | undefined;
  /** Whether a seek has succeeded since the last failure. */
  #hasJumped = false;
  /** Why a replay has stopped, until the worker that brings the previous run back runs. */
  #replayStoppedBy: WorkerFailedError | undefined;

  constructor({ worker, pauses, ...deps }: RunDeps) {
    this.worker = worker;
    this.pauses = pauses;
    this.#deps = deps;
    const { options, assets, statuses } = deps;
    const { limitBytes, rewindSeconds } = options.recording;
    this.recorder = new RunRecorder({
      keptTicks: () => rewindSeconds * this.tickRateHz,
      limitBytes,
      assets,
      onStateWanted: () => this.#saveForRecording(),
      onFull: (tick) => statuses.emit({ kind: 'recording-full', tick, limitBytes }),
    });
  }

  follow(connection: WorkerConnection): void {
    // Another worker continues the run, of which the page has every entry.
    if (this.#connection !== undefined) this.#journals = 0;
    this.#connection = connection;
  }

  get #status(): Float64Array | undefined {
    return this.#connection?.status.read();
  }

  get tickRateHz(): number {
    return this.#status?.[SLOT_HEADER.tickRateHz] || this.#deps.options.tickRateHz;
  }

  /**
   * Number of the newest tick.
   *
   * @param status Read before: while a worker is replaced, the memory says where the old one was, or the new one is.
   */
  tick(status = this.#status): number {
    return this.#resumesAt ?? status?.[SLOT_HEADER.newestTick] ?? 0;
  }

  /** Number of the newest tick of the page's own run. */
  get #ownTick(): number {
    return this.#leftAt ?? this.tick();
  }

  /** The tick at which the page's own run was left; undefined while the worker is in it. */
  get #leftAt(): number | undefined {
    // A query may have restarted the run in the meantime.
    return this.#left?.run === this.recorder.run ? this.#left?.tick : undefined;
  }

  /** Newest tick that the journals cover completely: later entries may be in transit, or lost with their worker. */
  get #reportedTick(): number {
    const tick = this.tick();
    const isAll = this.#journals >= (this.#status?.[SLOT_HEADER.journals] ?? 0);
    const isKnown = isAll || this.#resumesAt !== undefined;
    return isKnown ? tick : Math.min(tick, this.recorder.reportedTick);
  }

  addJournal(items: readonly JournalItem[]): void {
    this.#journals += 1;
    this.recorder.add(items);
  }

  /** Saves a state from which a full recording can continue. */
  #saveForRecording(): void {
    if (this.#connection?.info.canSave !== true) return;
    this.queue
      .add(undefined, async () => {
        // While a recording is shown, the run is paused and nothing of it is reported.
        if (this.#shown !== undefined) return;
        this.recorder.addState(await this.worker.call((remote) => remote.save()));
      })
      // Another is requested later. The recording continues until it is full, which is reported.
      .catch(() => this.recorder.noteFailedState());
  }

  /**
   * Prepares a restart after a failure.
   *
   * @returns The part of the recording that leads to the last tick, and the failed tick's entries.
   *
   * @param drainEvents Called before another queue takes the place of the worker's, with the last tick whose events count:
   *   those after it run again, and so report theirs again.
   */
  failureAt(error: WorkerFailedError, drainEvents: (lastTick?: number) => void): FailurePoint {
    const { recorder } = this;
    const leftAt = this.#leftAt;
    this.#resumesAt = undefined;
    if (this.#shown !== undefined) {
      // A worker that restores the previous run itself pauses, too.
      this.pauses.notePaused();
      this.#replayStoppedBy = error;
    }
    this.#show(undefined, error);
    const tick = leftAt ?? this.#reportedTick;
    drainEvents(leftAt === undefined ? tick : undefined);
    // Neither what led to the tick nor the entries of the next one are known.
    if (recorder.fullAt !== undefined) throw new Error(wasFull(recorder.fullAt));
    const entries = recorder.entriesOf(tick + 1);
    recorder.truncate(tick);
    this.#resumesAt = tick;
    const isElsewhere = this.#hasJumped || leftAt !== undefined;
    this.#hasJumped = false;
    return { segment: recorder.leadingTo(tick), entries, isElsewhere };
  }

  /** Another worker runs after a failure. @returns Why the replay that was shown has stopped. */
  endFailure(): WorkerFailedError | undefined {
    const error = this.#replayStoppedBy;
    this.#resumesAt = undefined;
    this.#replayStoppedBy = undefined;
    return error;
  }

  recording(): Recording {
    this.requireRecorded();
    return this.#shown?.recording ?? this.recorder.recording(this.#leftAt ?? this.#reportedTick);
  }

  /** Ticks of the run that can be reached quickly, from the oldest saved state that is kept to the newest tick. */
  get range(): { readonly from: number; readonly to: number } {
    const { earliestTick, fullAt = this.#ownTick } = this.recorder;
    const to = Math.min(this.#ownTick, fullAt);
    return { from: Math.min(to, earliestTick), to };
  }

  requireRecorded(): RunDescription {
    const { run } = this.recorder;
    if (run === undefined) {
      throw new Error('the run is not recorded: leave out the option recording: false of connect');
    }
    return run;
  }

  /** @throws Error if a recording is shown. */
  requireOwn(): void {
    if (this.#shown !== undefined) throw new Error(`a recording is shown: ${WAYS_OUT}`);
  }

  /** @throws Error if the shown recording is at its end and no pending call leaves it. */
  requireMore(): void {
    const lastTick = this.#shown?.recording.lastTick ?? Infinity;
    if (!this.queue.isEmpty || this.tick() < lastTick) return;
    throw new Error(`the recording that is shown is at its end: ${WAYS_OUT}`);
  }

  restore(state: SavedState, options?: CallOptions): Promise<void> {
    return this.queue.addMove(options, async () => {
      requireSavedState('state', state);
      await this.whilePaused(async () => {
        const run = this.requireRecorded();
        const request = { run, from: state, entries: [], untilTick: state.tick };
        const arrival = await this.seekWorker(request);
        this.#show(undefined, replaced());
        // The state may be from another run, with its own seed and setup.
        this.recorder.startFrom(arrival.run, state);
        this.#deps.assets.needAll();
      });
    });
  }

  seek(tick: number, options?: CallOptions): Promise<ReplayReport> {
    const { recorder } = this;
    return this.queue.addMove(options, async () => {
      this.requireOwn();
      return this.whilePaused(async () => {
        this.requireRecorded();
        requireInteger('tick', tick, recorder.startTick, this.#ownTick);
        const { fullAt = tick } = recorder;
        if (tick > fullAt) {
          throw new RangeError(`there is no way to tick ${tick}: ${wasFull(fullAt)}`);
        }
        const { report } = await this.seekWorker(recorder.leadingTo(tick));
        recorder.truncate(report.tick);
        return report;
      });
    });
  }

  /** Makes the worker seek. If this rejects, the run is where it was, or was restarted. */
  async seekWorker(request: SeekRequest): Promise<Arrival> {
    const { run, restarts } = this.recorder;
    const arrival = await this.worker.call((remote) =>
      remote.seek({ ...request, isJump: true, ...(run && { restarts }) }),
    );
    if (run !== this.recorder.run) throw stoppedBy(undefined);
    this.#hasJumped = true;
    this.#deps.deliverAll();
    this.#warnOf(arrival.report);
    return arrival;
  }

  /** Runs a seek while the schedule is paused. */
  async whilePaused<T>(run: () => Promise<T>): Promise<T> {
    const { pauses } = this;
    try {
      await pauses.pauseFor('seeking');
      this.#left ??= { run: this.recorder.run, tick: this.tick() };
      return await run();
    } finally {
      if (this.#shown === undefined) this.#left = undefined;
      await pauses.resumeFrom('seeking');
    }
  }

  /** The replay that is shown. Kept when the simulation has ended, as its last position. */
  get replay(): Replay | undefined {
    return this.#shown?.state === 'closed' ? undefined : this.#shown;
  }

  openReplay(recording: Recording, all?: OpenReplayOptions): Promise<Replay> {
    const { tick, ...rest } = all ?? {};
    // Invalid options pass through, and are refused.
    return this.queue.addMove(Object(all) === all ? rest : all, async () => {
      requireRecording(recording);
      const first = recording.start?.tick ?? 0;
      const begin = requireInteger('tick', tick ?? first, first, recording.lastTick);
      this.#deps.assets.addRecorded(recording.assets);
      return this.whilePaused(async () => {
        const { report } = await this.seekWorker(segmentFrom(recording, begin));
        const replay = new ShownReplay(recording, report, this);
        this.#show(replay, replaced());
        replay.arrive(report);
        return replay;
      });
    });
  }

  /** @param reason The reason for the previous replay, which is closed. */
  #show(next: ShownReplay | undefined, reason: Error): void {
    this.#shown?.leave(reason);
    this.#shown = next;
    if (next === undefined) this.#left = undefined;
    this.#deps.inputs.isOpen = next === undefined;
  }

  /** The run of a recording continues as the page's own. */
  adopt(recording: Recording, tick: number): void {
    this.recorder.adopt(recording);
    this.recorder.truncate(tick);
    this.#show(undefined, new Error('its run was given to the player'));
  }

  noteReport(report: ReplayReport): void {
    this.#warnOf(report);
    this.#shown?.note(report);
  }

  compareReplayed(message: DifferingStateMessage): void {
    // Checkpoints of a replay that is shown count, too: a seek begins at the last checkpoint on its way.
    this.#shown?.compare(message);
  }

  #warnOf({ differsAt }: ReplayReport): void {
    if (differsAt === undefined || this.hasNewCode?.() === true) return;
    warnOnce(
      'difference',
      `a replay differs from its recording from tick ${differsAt} on: the simulation depends on something that is not ` +
        'recorded, or that restore() does not bring back. See docs/troubleshooting.md',
    );
  }

  /** The shown recording has reached its last tick. */
  endShown(report: ReplayReport): void {
    this.#warnOf(report);
    this.#shown?.end(report);
    this.pauses.notePaused();
    this.#deps.statuses.emit({ kind: 'replayed', report });
  }

  stopReplay(thrown: ReplayStoppedMessage['thrown']): void {
    if (thrown !== undefined) this.pauses.notePaused();
    const error = stoppedBy(thrown);
    this.#show(undefined, error);
    this.#deps.statuses.emit({ kind: 'replay-stopped', error });
  }

  /** The simulation has ended. */
  close(reason: Error): void {
    this.#shown?.leave(reason);
  }
}
