/** What `connect` resolves with: the page's handle of a running simulation. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type {
  CommandMap,
  RemoteCommands,
  ReplayReport,
} from '../../shared/protocol/control-protocol.js';
import type { InputSink } from '../../shared/input/input-event.js';
import type { Recording, SavedState } from '../../shared/recording/recording.js';
import type { BuiltInEvents, EventMap } from '../../shared/events/simulation-event.js';
import type { CallOptions } from './call-options.js';
import type { InterpolationMode } from './connect-options.js';
import type { ChosenTransport } from './create-worker.js';
import type { EventHandlerOptions, EventOf } from './event-handler.js';
import type { Replay } from './replay.js';
import type { SampledFrame } from './sampled-frame.js';
import type { Counters, SimulationState, SimulationStatistics } from './simulation-statistics.js';

/**
 * A running simulation. What asks its worker waits for the answer, for a worker that is stalled too, until it comes back, and
 * is done then. It rejects with a WorkerFailedError when the worker fails or is replaced first, and with a
 * {@link SimulationDisposedError} after `dispose`: it is not done then. The {@link CallOptions} of a call end its wait sooner.
 *
 * @typeParam C The simulation's commands.
 * @typeParam E The simulation's own events.
 * @typeParam Q The simulation's queries.
 */
export interface SimulationHandle<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
> {
  /**
   * The simulation's own commands. Each is applied right before the tick whose input window covers the call, and is
   * recorded. It rejects with what it throws, with a QueueFullError when the queue of inputs is full, and with a
   * TypeError for arguments that cannot be recorded.
   *
   * A command resolves when its tick is done. Where a worker is replaced, what no finished tick has taken goes to the
   * next one, and so its call waits for that; it rejects only if it is left out because the tick fails with it again.
   */
  readonly commands: RemoteCommands<C>;
  /**
   * The simulation's own queries. Each runs between two ticks, as soon as it arrives. It rejects with what it throws,
   * with an Error that names it if it has changed the simulation, and with a WorkerFailedError when the worker fails first.
   */
  readonly queries: RemoteCommands<Q>;
  /**
   * The same commands, each call of which waits no longer than the options say:
   * `simulation.commandsWith({ timeoutMs: 500 }).spawn(3)`.
   *
   * A call that they end is withdrawn: it rejects with the signal's reason or a CallTimeoutError, no tick is given
   * the command, and no recording has it. One that a tick has taken is answered when that tick is done.
   *
   * @throws TypeError, RangeError for a wrong option.
   */
  commandsWith(options: CallOptions): RemoteCommands<C>;
  /**
   * The same queries, each call of which waits no longer than the options say. A call that they end is withdrawn, as one of
   * {@link commandsWith} is. A query that runs already is not waited for either: it ends by itself, and nobody is told
   * what it answers.
   *
   * @throws TypeError, RangeError for a wrong option.
   */
  queriesWith(options: CallOptions): RemoteCommands<Q>;
  /** `paused` whoever asked for it. */
  readonly state: SimulationState;
  /** What carries states, inputs and events between this page and the simulation, and why that. */
  readonly transport: ChosenTransport;
  /**
   * Takes inputs: the sources of this library push into it, and so can the application. Each goes to the tick
   * whose input window covers its stamp.
   */
  readonly inputs: InputSink;
  /** How poses are drawn between two states. */
  readonly interpolation: InterpolationMode;
  /** Changes it, from the next frame on. @throws TypeError, RangeError if it is not one of the modes. */
  setInterpolation(mode: InterpolationMode): void;
  /**
   * Places a frame between two states, and delivers the events that it shows. Call it once a frame and draw
   * everything from what it returns.
   *
   * @param frameMs The time stamp that requestAnimationFrame gives, in ms; not `performance.now()`, which
   *   is late by up to a frame and jitters. Two calls with one stamp are one frame.
   * @throws TypeError, RangeError if it is not a finite number from 0.
   */
  sample(frameMs: number): SampledFrame;
  /** The frame of the last `sample`, drawn from its later state alone: what no interpolation looks like. */
  readonly latest: SampledFrame;
  /** Animation error of the newest frame, signed, in ms: cheap enough to ask for every frame. */
  readonly lastAnimationErrorMs: number;
  /**
   * A body's pose in the last sampled frame, the very one that its mesh is drawn with.
   *
   * @param out Receives x y z qx qy qz qw.
   * @returns `out`, or undefined when the body does not live at that time.
   */
  pose<Out extends Float32Array | Float64Array>(id: BodyId, out: Out): Out | undefined;
  /**
   * Calls a handler for everything of a name. An error in it is reported as an uncaught one, and stops nobody else.
   *
   * - `contact`, `contactForce`, `sensor`, `sleep`, or one of the simulation's own: for every such event.
   * - `status`: with what happens to the simulation as a whole, at once: it stalls, is restarted, fails, is overloaded or
   *   disposed of, a body goes bad, a replay has come to its end. Where nobody handles it, a failure is an uncaught error.
   *
   * @param options When: as the display shows the event's tick (the default), or as soon as the page has it. A status has
   *   no options.
   * @returns Takes the handler away.
   * @throws TypeError for a wrong type or an unknown option. @throws RangeError for an unknown moment.
   */
  on<Name extends ('status' | keyof BuiltInEvents | keyof E) & string>(
    name: Name,
    handler: (event: EventOf<E, Name>) => void,
    options?: Name extends 'status' ? never : EventHandlerOptions,
  ): () => void;
  /**
   * Stops the schedule. Drawing goes on and shows a standing picture.
   *
   * @param options How long to wait. If that ends it, the simulation goes on.
   * @returns Resolves when the simulation stands: ticks that were due have run, as many as `maxCatchUpTicks` allows.
   * @throws TypeError, RangeError for wrong options.
   */
  pause(options?: CallOptions): Promise<void>;
  /**
   * Aligns the clocks anew and goes on from where the schedule stands. The watchdog begins at `ok` again, also of a
   * simulation that runs: whoever has lowered the load has it judged anew by this.
   *
   * @param options How long to wait. If that ends it, the simulation stays paused.
   * @throws Error, by the promise, at the end of a recording that is shown: nothing comes after it. @throws TypeError,
   *   RangeError, by the promise, for wrong options.
   */
  resume(options?: CallOptions): Promise<void>;
  /**
   * Runs ticks while paused, after the calls before it that take the run elsewhere. The first of them takes all inputs that
   * wait.
   *
   * @param ticks How many, 1 to 10,000. Default 1.
   * @param options How long to wait for the first of them.
   * @returns The number of the last one, when all have run, or as many as a recording that is shown still has.
   * @throws TypeError, RangeError for another number, or wrong options. @throws Error, by the promise, unless the simulation
   *   is paused, or if it is resumed or started over before the last of them. @throws WorkerFailedError, by the promise, if
   *   the worker fails before that. Those that have run are a part of the run.
   */
  step(ticks?: number, options?: CallOptions): Promise<number>;
  /** Ticks per second of simulated time, in Hz: what the worker runs at, so that of {@link setTickRate} when it resolves. */
  readonly tickRateHz: number;
  /**
   * @param tickRateHz 1 to 1000 Hz, from the next tick on. The step of the simulation changes with it.
   * @param options How long to wait. If that ends it, nothing changes.
   * @throws TypeError, RangeError for another number, or wrong options.
   */
  setTickRate(tickRateHz: number, options?: CallOptions): Promise<void>;
  /** Simulated seconds per second: what the worker runs at, so that of {@link setTimeScale} when it resolves. */
  readonly timeScale: number;
  /**
   * @param timeScale Simulated seconds per second, 0.01 to 100. The step stays the same.
   * @param options How long to wait. If that ends it, nothing changes.
   * @throws TypeError, RangeError for another number, or wrong options.
   */
  setTimeScale(timeScale: number, options?: CallOptions): Promise<void>;
  /** Most ticks that one wake-up of the loop `fixed` may catch up: the last that was set, whether or not it is answered yet. */
  readonly maxCatchUpTicks: number;
  /**
   * @param ticks Most ticks that one wake-up may catch up, 1 to 1000.
   * @param options How long to wait. If that ends it, nothing changes.
   * @throws TypeError, RangeError for another number, or wrong options. @throws RangeError, by the promise, for another loop
   *   than `fixed`.
   */
  setMaxCatchUpTicks(ticks: number, options?: CallOptions): Promise<void>;
  /** The simulation has `save` and `restore`: without them going back means running it again from its start. */
  readonly canSave: boolean;
  /**
   * The whole state after the last tick: the engine's and ours, as bytes that can be kept.
   * Of where the calls before it have led: as {@link seek}, it waits for them.
   *
   * @param options How long to wait, also for a state that is being saved.
   * @throws Error, by the promise, if the simulation cannot be saved. @throws TypeError, RangeError for wrong options.
   */
  save(options?: CallOptions): Promise<SavedState>;
  /**
   * Goes back, or on, to a state that {@link save} gave. The recording begins anew from it. As {@link seek}, it waits for
   * the calls before it.
   *
   * @param options How long to wait.
   * @throws TypeError, by the promise, if it is no state at all; RecordingFormatError if its bytes are none; Error if it
   *   is another engine's, the run is not recorded, or a query starts it over first. What runs goes on.
   */
  restore(state: SavedState, options?: CallOptions): Promise<void>;
  /**
   * What decided the run since its start: seed, setup, every input and command with its tick, hashes. While a
   * recording is shown, that one. `encodeRecording` makes a file of it. A long run's begins at a saved state or ends before the
   * run does, when it is full; see the option `recording.limitBytes`. While the run goes on, its last tick is the newest of which
   * this page has been told all.
   *
   * @throws Error if the run is not recorded.
   */
  recording(): Recording;
  /** Ticks of the run that {@link seek} reaches quickly: back to the oldest saved state that is kept. */
  readonly rewindRange: { readonly from: number; readonly to: number };
  /**
   * Goes to a tick of the run: restores the nearest saved state and runs the ticks from there again, at once. What
   * came after it is forgotten. While a recording is shown it is refused: {@link Replay.seek} goes about in that.
   *
   * Calls that take the run elsewhere (`step`, `seek`, `restore`, `openReplay`, and `seek` and `close` of a replay), and `save`, are
   * done one after the other, in the order in which they are made: each begins, and looks at what the run is, when the one before
   * has ended. A seek that rejects leaves the run where it was, unless a query has started it over. A simulation that cannot be
   * saved stays where it has come to when the options end the call, and fails by a step on the way that throws.
   *
   * @param options How long to wait, also while it is under way.
   * @returns How the hashes on the way compare.
   * @throws RangeError, by the promise, if the run has no such tick by then, or its recording was full before it. @throws Error, by
   *   the promise, if a recording is shown by then; if the run is not recorded; if the way there begins at tick 0 and the simulation
   *   has no `reset`; if a query starts the run over; and what a step on the way throws. @throws WorkerFailedError, by the promise,
   *   if the worker fails before it has answered. @throws TypeError, RangeError for wrong options.
   */
  seek(tick: number, options?: CallOptions): Promise<ReplayReport>;
  /**
   * Shows a recording from its start, at the tick rate and time scale of now, in place of what was shown. Inputs are refused
   * meanwhile. It plays on if the simulation runs; while that is paused, by the end of the replay before too, it waits at the
   * start for {@link resume}. At its end the simulation pauses; {@link Replay.close} gives it back to the player.
   *
   * One that begins at tick 0 needs a simulation with a `reset`, or a worker that has not run yet:
   * `connect(…, { startPaused: true, seed, setup })` with those of `recording.run`, then `openReplay()`, then `resume()`.
   * One that begins at a saved state needs `restore`.
   *
   * The run that is left for it comes back, paused, when a step of the recording throws, if the simulation can be saved;
   * and whenever the worker fails, with `recovery: 'restart'`. As {@link seek}, it waits for the calls before it.
   *
   * @param options How long to wait. If that ends it, what is shown goes on.
   * @returns Resolves when it is shown; `ended` of what it resolves with, when it has come to its end.
   * @throws TypeError, by the promise, if it is no recording. @throws Error, by the promise, if it was made with another
   *   engine, calls commands that the simulation has not, or begins at tick 0 and the simulation has run already and has
   *   no `reset`; if a query starts the run over first; or if the part of the library that shows recordings, which loads with the
   *   first one, cannot be loaded: what is shown goes on. @throws WorkerFailedError, by the promise, if the
   *   worker fails before it has answered. @throws TypeError, RangeError, by the promise, for wrong options.
   */
  openReplay(recording: Recording, options?: CallOptions): Promise<Replay>;
  /** The replay that is shown, if one is. */
  readonly replay: Replay | undefined;
  /**
   * Everything that is counted and measured, as one plain object. What nothing was measured of is NaN, which JSON writes as
   * null.
   */
  stats(): SimulationStatistics;
  /** Starts the counts of `stats()` anew. The tick number and the elapsed time go on. */
  resetStats(): void;
  /**
   * Another reader of the worker's counters, from now on and with a start of its own: for a display that
   * shows what happened since it last looked. Its resets and those of `resetStats()` do not concern each other.
   */
  openCounters(): Counters;
  /**
   * Stops the worker: asks it to leave its loop, waits until it says so, and terminates it. Pending calls
   * reject with a {@link SimulationDisposedError}. The status `disposed` is told at once. Safe to call again: it is the same
   * disposal.
   */
  dispose(): Promise<void>;
}
