/** The result of `connect`: the page's handle to a running simulation. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type {
  CommandMap,
  RemoteCommands,
  ReplayReport,
} from '../../shared/protocol/control-protocol.js';
import type { InputSink } from '../../shared/input/tick-inputs.js';
import type { Recording, SavedState } from '../../shared/recording/recording.js';
import type { Json } from '../../shared/util/json.js';
import type {
  BodyEvents,
  BuiltInEvents,
  EventMap,
  UserEvent,
} from '../../shared/events/simulation-event.js';
import type { AssetStore } from '../session/page-assets.js';
import type { CallOptions, ReplaceOptions } from './call-options.js';
import type { InterpolationMode } from './connect-options.js';
import type { ChosenTransport, CreateWorker } from './create-worker.js';
import type { OpenReplayOptions, Replay } from '../session/replay.js';
import type { SampledFrame } from '../frame/frame.js';
import type { SimulationState, SimulationStatistics } from './simulation-statistics.js';
import type { SimulationStatus } from '../session/simulation-status.js';
import type { CommandCalls } from '../traffic/command-calls.js';

/**
 * A running simulation. Calls to its worker wait for the answer; if the worker is stalled, they wait until it comes
 * back and executes them. A call rejects with a WorkerFailedError if the worker fails or is replaced first, and with a
 * {@link SimulationDisposedError} after `dispose`: it is not executed then. {@link CallOptions} end the wait; each
 * method that returns a promise rejects with a TypeError or RangeError if its arguments are invalid; the others throw it.
 * Saving, seeking and showing recordings are parts of the library that load when first used; if that fails, the call
 * rejects with an Error and the current run continues.
 *
 * @typeParam C The simulation's commands.
 * @typeParam E The simulation's own events.
 * @typeParam Q The simulation's queries.
 * @typeParam T The tags of its bodies.
 */
export interface SimulationHandle<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  T extends Json = Json,
> {
  /**
   * The simulation's commands. Each is applied right before the tick whose input window covers the call, and is
   * recorded. It rejects with what it throws, with a QueueFullError when the input queue is full, and with a TypeError
   * for arguments that cannot be recorded.
   *
   * A command resolves when its tick is done. If the worker is replaced, commands that no finished tick has taken are
   * passed to the next worker, and their calls keep waiting; such a call only rejects if the command is left out
   * because the tick fails with it again.
   */
  readonly commands: RemoteCommands<C>;
  /**
   * The simulation's queries. Each runs between two ticks, as soon as it arrives. It rejects with what it throws, with
   * an Error that names it if it has changed the simulation, and with a WorkerFailedError if the worker fails first.
   */
  readonly queries: RemoteCommands<Q>;
  /** Whether the simulation runs, waits or has ended; `paused` for any reason. */
  readonly state: SimulationState;
  /** The transport of states, inputs and events between this page and the simulation, and why it was chosen. */
  readonly transport: ChosenTransport;
  /**
   * Receives inputs from the sources of this library and from the application. Each goes to the tick whose input window
   * covers its stamp.
   */
  readonly inputs: InputSink & {
    /** Inputs and commands refused since the start, because the queue was full or a replay was shown. */
    readonly refused: number;
  };
  /**
   * Loads the part of the library with which the page gives bytes to the simulation that commands name, such as the
   * vertices of a mesh. They are sent once, however many commands name them, and need not fit into the input queue.
   *
   * @returns Always the same store.
   * @throws Error, by the promise, if that part does not load.
   */
  openAssets(): Promise<AssetStore>;
  /** How poses are drawn between two states. */
  readonly interpolation: InterpolationMode;
  /** Changes the interpolation from the next frame on. @throws TypeError, RangeError if it is not one of the modes. */
  setInterpolation(mode: InterpolationMode): void;
  /**
   * Places a frame between two states, and delivers the events that it shows. Call it once per frame and draw
   * everything from what it returns.
   *
   * @param frameMs The time stamp from requestAnimationFrame, in ms; not `performance.now()`, which is late by up to a
   *   frame and jitters. In a headset, `predictedDisplayTime` of the XRFrame, or else the time stamp of its session: it may
   *   lie up to 100 ms ahead. Two calls with the same stamp are one frame.
   * @throws TypeError, RangeError if it is not a finite number from 0.
   */
  sample(frameMs: number): SampledFrame;
  /** The frame of the last `sample`, drawn only from its later state: what it looks like without interpolation. Read it again after each `sample`. */
  readonly latest: SampledFrame;
  /** Animation error of the newest frame, signed, in ms: cheap enough to read every frame. */
  readonly lastAnimationErrorMs: number;
  /**
   * A body's pose in the last sampled frame, identical to the one that its mesh is drawn with.
   *
   * @param out Receives x y z qx qy qz qw.
   * @returns `out`, or undefined when the body does not live at that time.
   */
  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * The tags of the bodies that live at the moment that the last `sample` drew, by id; null for those without a tag.
   * Always the same map: it changes only within `sample`. A page that was blocked, so that it could not yet receive
   * which bodies a state has, may show this state in one frame before the map follows.
   */
  readonly bodies: ReadonlyMap<BodyId, T>;
  /**
   * Calls a handler for every event with a given name. An error in it is reported as uncaught and does not affect other
   * handlers.
   *
   * - `contact`, `contactForce`, `sensor`, `sleep`, or one of the simulation's own: for every such event.
   * - `spawn`, `despawn`: for every body that comes to life, or ceases to; {@link bodies} has changed already. Never
   *   lost. Within a tick they come before its other events, first `despawn`, then `spawn`. After a jump, such as a
   *   `seek`, a restart of the run, or a replay that opens or closes, they report the bodies that are others: one with
   *   the same id and the same tag lives on. A body that lived too briefly to be drawn may be reported too.
   * - `status`: immediately, except for `jumped`, with what happens to the simulation as a whole: it stalls, is restarted, is replaced, fails, is
   *   overloaded or disposed, the run jumps, a body has an invalid pose, a replay has ended. Without a handler, a failure is an
   *   uncaught error.
   *
   * @param options When to call it: when the display shows the event's tick (the default), or as soon as the page has
   *   the event. A status has no options.
   * @returns Removes the handler.
   * @throws TypeError for a wrong type or an unknown option.
   * @throws RangeError for an unknown moment.
   */
  on<Name extends ('status' | keyof BuiltInEvents | keyof BodyEvents | keyof E) & string>(
    name: Name,
    handler: (event: EventOf<E, Name, T>) => void,
    options?: Name extends 'status' ? never : EventHandlerOptions,
  ): () => void;
  /**
   * Pauses the schedule. Drawing continues and shows a still frame.
   *
   * @param options What ends the wait.
   * @returns Resolves when the simulation is paused: ticks that were due have run, up to `maxCatchUpTicks`.
   */
  pause(options?: CallOptions): Promise<void>;
  /**
   * Aligns the clocks again and continues from where the schedule was paused.
   *
   * @param options What ends the wait.
   * @throws Error, by the promise, at the end of a recording that is shown: it has no further ticks.
   */
  resume(options?: CallOptions): Promise<void>;
  /**
   * Runs ticks while paused, after earlier calls that move the run elsewhere. The first tick takes all waiting inputs.
   *
   * @param ticks How many, 1 to 10,000. Default 1.
   * @param options How long to wait for the first of them.
   * @returns The number of the last tick, when all have run, or all that a shown recording has left.
   * @throws TypeError, RangeError, by the promise, for another number.
   * @throws Error, by the promise, unless the simulation is paused, or if it is resumed or restarted before the last of
   *   them.
   * @throws WorkerFailedError, by the promise, if the worker fails before that. The ticks that have run are part of the
   *   run.
   */
  step(ticks?: number, options?: CallOptions): Promise<number>;
  /** The worker's current ticks per second of simulated time, in Hz; up to date when {@link setTickRate} resolves. */
  readonly tickRateHz: number;
  /**
   * Sets the tick rate.
   *
   * @param tickRateHz 1 to 1000 Hz, from the next tick on. The step of the simulation changes with it.
   * @param options What ends the wait.
   * @throws TypeError, RangeError, by the promise, for another number.
   */
  setTickRate(tickRateHz: number, options?: CallOptions): Promise<void>;
  /** The worker's current simulated seconds per second; up to date when {@link setTimeScale} resolves. */
  readonly timeScale: number;
  /**
   * Sets the time scale.
   *
   * @param timeScale Simulated seconds per second, 0.01 to 100. The step stays the same.
   * @param options What ends the wait.
   * @throws TypeError, RangeError, by the promise, for another number.
   */
  setTimeScale(timeScale: number, options?: CallOptions): Promise<void>;
  /** Most ticks that one wake-up may catch up: the value set last, answered or not. */
  readonly maxCatchUpTicks: number;
  /**
   * Sets `maxCatchUpTicks`.
   *
   * @param ticks Most ticks that one wake-up may catch up, 1 to 1000.
   * @param options What ends the wait.
   * @throws TypeError, RangeError, by the promise, for another number.
   */
  setMaxCatchUpTicks(ticks: number, options?: CallOptions): Promise<void>;
  /** Whether the simulation has `save` and `restore`: without them, seeking back runs it again from its start. */
  readonly canSave: boolean;
  /**
   * Saves the whole state after the last tick, the engine's and the library's, as bytes that can be stored. Like
   * {@link seek}, it waits for the calls before it and saves the state that they lead to.
   *
   * @param options How long to wait, including the time that saving takes.
   * @throws Error, by the promise, if the simulation cannot be saved.
   */
  save(options?: CallOptions): Promise<SavedState>;
  /**
   * Moves the run back, or forward, to a state from {@link save}. The recording restarts from it. Like {@link seek}, it
   * waits for the calls before it. When it resolves, all events of before have been delivered: reset then what you count.
   *
   * @param options How long to wait.
   * @throws TypeError, RangeError, by the promise, naming what is impossible in it; RecordingFormatError if its bytes
   *   are invalid; Error if it is another engine's, the run is not recorded, or a query restarts it first. The current
   *   run then continues.
   */
  restore(state: SavedState, options?: CallOptions): Promise<void>;
  /**
   * Everything that determines the run since its start: seed, setup, every input and command with its tick, hashes.
   * While a recording is shown, returns that one. `encodeRecording` makes a file of it. When a long run's recording is
   * full, it begins at a saved state or ends before the run does; see the option `recording.limitBytes`. While the run
   * continues, its last tick is the newest that has been completely reported to this page.
   *
   * @throws Error if the run is not recorded.
   */
  recording(): Recording;
  /** Ticks of the run that {@link seek} reaches quickly: back to the oldest saved state that is kept. */
  readonly rewindRange: { readonly from: number; readonly to: number };
  /**
   * Seeks to a tick of the run: restores the nearest saved state and immediately runs the ticks from there again.
   * Everything after that tick is dropped, and the next one begins with inputs that release what is held: the player may hold
   * something else by now. Refused while a recording is shown: use {@link Replay.seek} to seek in that.
   *
   * Calls that move the run elsewhere (`step`, `seek`, `restore`, `openReplay`, and `seek` and `close` of a replay),
   * and `save`, are executed in sequence, in the order in which they are made: each begins, and reads the state of the
   * run, when the previous one has ended. A seek that rejects leaves the run where it was, unless a query has restarted
   * it. A simulation that cannot be saved stays where it is when the options end the call, and fails if a step on the
   * way throws.
   *
   * @param options How long to wait, including the time that the seek takes.
   * @returns How the hashes on the way compare.
   * @throws RangeError, by the promise, if the run has no such tick by then, or its recording was full before it.
   * @throws Error, by the promise, if a recording is shown by then; if the run is not recorded; if the way there begins
   *   at tick 0 and the simulation has no `reset`; if a query restarts the run; and what a step on the way throws.
   */
  seek(tick: number, options?: CallOptions): Promise<ReplayReport>;
  /**
   * Shows a recording from its start, or from the option `tick`, at the current tick rate and time scale, replacing what was shown. Inputs are
   * refused while it is shown. It plays if the simulation is running; if that is paused, also by the end of the
   * previous replay, it waits at the start for {@link resume}. At its end the simulation pauses; {@link Replay.close}
   * returns it to the player.
   *
   * A recording that begins at tick 0 needs a simulation with a `reset`, or a worker that has not run yet:
   * `connect(…, { startPaused: true, seed, setup })` with those of `recording.run`, then `openReplay()`, then
   * `resume()`. A recording that begins at a saved state needs `restore`.
   *
   * The previous run comes back, paused, when a step of the recording throws, if the simulation can be saved; and
   * whenever the worker fails, with `recovery: 'restart'`. Like {@link seek}, it waits for the calls before it.
   *
   * @param options Where it begins, and what ends the wait.
   * @returns Resolves with the replay when it is shown; its `ended` resolves when it has ended.
   * @throws TypeError, RangeError, by the promise, naming what is impossible in it.
   * @throws Error, by the promise, if it was made with another engine, calls commands that the simulation does not
   *   have, or begins at tick 0 and the simulation has already run and has no `reset`; or if a query restarts the run
   *   first: what is shown continues.
   */
  openReplay(recording: Recording, options?: OpenReplayOptions): Promise<Replay>;
  /** The open replay, if any. */
  readonly replay: Replay | undefined;
  /**
   * Replaces the worker while the run continues: with the same script, or after it has changed. The next worker is
   * created while the current one runs. When its simulation has been built, the current one is paused and saved, the next
   * one restores its state and takes over, and the current one ends. A simulation that cannot be saved stays paused
   * while the next worker runs the recording again. Handlers, bodies and their ids, settings, pauses, and inputs and
   * commands that no tick has taken continue; a query that is still running rejects with an Error. Emits the status
   * `replaced`. If the next script has other commands or queries, {@link commands} and {@link queries} are those.
   *
   * Like {@link seek}, it waits for the calls before it. If it rejects, the current worker continues as before; if that
   * one has failed in the meantime, the option `recovery` applies. A worker that is stalled answers nothing:
   * it is given up at once as with `recovery: 'restart'`, whatever that option says, and emits the same statuses.
   *
   * @param createWorker Creates this worker and those of later restarts: a new one in each call. Default: the function
   *   given last, to this method or to `connect`.
   * @param options How long to wait, until the next worker takes over, and what happens if it cannot restore the state.
   * @throws TypeError, by the promise, if it is not a function, or does not return a worker.
   * @throws WorkerFailedError, by the promise, if the next worker does not load, does not answer within
   *   `startTimeoutMs`, or its `init` throws; or what it throws when it restores the state or runs ticks again.
   * @throws Error, by the promise, if the run is not recorded, or was not recorded to its end and cannot be saved; if a
   *   recording is shown; if the next worker has another engine, or no `restore`; or if a query restarts the run.
   */
  replaceWorker(createWorker?: CreateWorker, options?: ReplaceOptions): Promise<void>;
  /**
   * Everything that is counted and measured, as one plain object. A value without measurements is NaN, which JSON
   * writes as null.
   */
  stats(): SimulationStatistics;
  /** Resets the counts of `stats()`. The tick number and the elapsed time continue. */
  resetStats(): void;
  /**
   * Stops the worker: asks it to leave its loop, waits until it acknowledges, and terminates it. Pending calls reject
   * with a {@link SimulationDisposedError}. Emits the status `disposed` immediately. Safe to call again: it returns the
   * same promise.
   */
  dispose(): Promise<void>;
}

/** The part of a handle that is not public, for worlds that the page changes. */
export interface BatchedHandle extends Pick<CommandCalls, 'applyBatch'> {
  /** Whether a call that may move the run is under way, or the run has jumped to a state that is not shown yet. */
  readonly isMoving: boolean;
}

/** The event with a given name: one of the library's, or one of the simulation's own. */
export type EventOf<E extends EventMap, Name, T = Json> = Name extends 'status'
  ? SimulationStatus
  : Name extends keyof BuiltInEvents
    ? BuiltInEvents[Name]
    : Name extends keyof BodyEvents
      ? BodyEvents<T>[Name]
      : Name extends keyof E
        ? UserEvent<E[Name]>
        : never;

/**
 * When a handler is called:
 *
 * - `shown`: when the display shows the tick in which the event happened.
 * - `now`: as soon as the page has received it.
 */
export type EventMoment = 'shown' | 'now';

/** Options of an event handler. */
export interface EventHandlerOptions {
  /** When the handler is called. Default `shown`. */
  readonly when?: EventMoment;
}
