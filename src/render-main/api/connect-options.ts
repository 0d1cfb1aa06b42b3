/** The options of `connect` and their defaults. Validated and completed by check-options.ts. */
import type { InvalidPosePolicy } from '../../shared/recording/recording.js';
import type { Json } from '../../shared/util/json.js';
import type { Transport } from '../../shared/protocol/transport.js';

/**
 * How poses are drawn: `none` shows the later of the two states, `interpolate` the position between them, `extrapolate`
 * continues from the newest state, for at most one period plus the margin.
 */
export type InterpolationMode = 'none' | 'interpolate' | 'extrapolate';

/** What the simulation does while the page is hidden. */
export type HiddenPolicy = 'pause' | 'run';

/** What happens when a worker dies or hangs. */
export type RecoveryPolicy = 'none' | 'restart';

/** The option `display` of {@link connect}: which moment a frame shows, and how. */
export interface DisplayOptions {
  /** How poses are drawn. Default `'interpolate'`. */
  readonly interpolation?: InterpolationMode;
  /**
   * Whether velocities are published with poses, for `frame.velocity`. It doubles the memory of a state. Default
   * false.
   */
  readonly velocities?: boolean;
  /**
   * How many numbers of the simulation's own are published with each state, 0 to 65,536: the length of
   * `context.values` in the worker and of `frame.newestValues` on the page. Default 0.
   */
  readonly values?: number;
}

/** The option `recording` of {@link connect}: what is recorded of the run. */
export interface RecordingOptions {
  /**
   * Most bytes of the recording, entries and saved states, 2^12 to 2^40. When it is full, a simulation with `save` and
   * `restore` drops the older half, and its recording begins at a saved state; otherwise the recording ends there and
   * the status `recording-full` is emitted. Default 2^26, 64 MiB: eight hours of continuous pointer dragging at 60 Hz.
   */
  readonly limitBytes?: number;
  /** Ticks between two state hashes, 1 to 1,000,000; 0: none. Default 60. */
  readonly hashEveryTicks?: number;
  /**
   * Seconds for which saved states are kept, so that seeking back is fast, 0 to 3600; less if they do not fit in half
   * of `limitBytes`. Default 0: none.
   */
  readonly rewindSeconds?: number;
  /**
   * Seconds of simulated time between two saved states, 0.1 to 60. They are used by `rewindSeconds` and by restarts:
   * refused without either. Default 2.
   */
  readonly saveEverySeconds?: number;
}

/** Options of {@link connect}, all optional. One that has no effect in combination with the others is refused. */
export interface ConnectOptions {
  /** Ticks per second of simulated time, 1 to 1000 Hz. Default 60. */
  readonly tickRateHz?: number;
  /**
   * Most bodies at any time, 1 to 2^20; fixed for the life of the connection. Room for bodies that never exist takes
   * addresses, and no memory. Default 4096.
   */
  readonly capacity?: number;
  /** Simulated seconds per second, 0.01 to 100. Default 1. */
  readonly timeScale?: number;
  /** Most ticks that one wake-up may catch up, 1 to 1000; ticks beyond that are dropped. Default 5. */
  readonly maxCatchUpTicks?: number;
  /**
   * Least turns of the event loop per second that the worker gives to code of your own in it, 1 to 1000: timers,
   * promises, `fetch`, `import()`, messages that you post to the worker yourself. Each costs about ten times as much as
   * the rest of a tick's overhead. The library's own calls, commands and inputs do not wait for them, and while a query has not
   * answered there is one after each tick. As many as ticks: one after each tick. Memory that is not shared needs one
   * after each tick in any case. Default 2.
   */
  readonly turnsPerSecond?: number;
  /** Which moment a frame shows, and how. Default: see {@link DisplayOptions}. */
  readonly display?: DisplayOptions;
  /** What the simulation does while the page is hidden. Default `'pause'`. */
  readonly whenHidden?: HiddenPolicy;
  /** Start paused at tick 0 and wait for `resume()`. Default false. */
  readonly startPaused?: boolean;
  /** Seed of the run's random source, an integer from 0 to 2^32 − 1. Default 1. */
  readonly seed?: number;
  /** Plain data from which the simulation is built: its `context.setup`, stored in recordings. Default null. */
  readonly setup?: Json;
  /**
   * Merge consecutive pointer moves within a tick into the last of them, and consecutive turns of the wheel into one: a
   * fast mouse moves sixteen times in a tick. Disable it where each of them counts, or where `pointermove` inputs are
   * relative movements instead of positions. Default true.
   */
  readonly mergeMoves?: boolean;
  /**
   * What is recorded so that the run can be saved, rewound and replayed; `false` records nothing. Default: see
   * {@link RecordingOptions}.
   */
  readonly recording?: RecordingOptions | false;
  /**
   * What happens when a worker dies, or hangs for six seconds in one step. `'restart'`: another worker continues from the
   * last tick, using the last saved state and the inputs since, which needs the recording. `'none'`: the simulation fails
   * if its worker dies, and a worker that hangs is waited for. Default `'none'`.
   */
  readonly recovery?: RecoveryPolicy;
  /**
   * What happens to a body whose pose becomes NaN or infinite: `'freeze'` holds its last valid pose, `'remove'` removes
   * it, `'stop'` pauses the simulation. Default `'freeze'`.
   */
  readonly invalidPosePolicy?: InvalidPosePolicy;
  /**
   * What carries states, inputs and events. `'shared'`: shared memory, for pages that are cross-origin isolated.
   * `'transfer'`: buffers that are sent back and forth, for pages that are not. `'local'`: no worker but the page's own
   * thread, for a simulation that `createWorker` runs by `runLocally`. Default `'auto'`: the best available one.
   */
  readonly transport?: Transport | 'auto';
  /**
   * Whether page and worker draw what they do in the performance panel of Chromium's developer tools, while that records:
   * ticks from due to done, steps, publications, sleep, gaps; frames, starved frames, inputs until their tick and their
   * frame, restarts. Without it, nothing is called. Default false.
   */
  readonly devtools?: boolean;
  /**
   * Ends connecting when it is aborted: `connect` rejects with its reason, and the worker is terminated. If that is
   * before the first microtask after the call, no worker is created: React's StrictMode mounts each component twice in
   * this way. Once `connect` has resolved, it has no effect: use `dispose()`. Default: none.
   */
  readonly signal?: AbortSignal | undefined;
}
