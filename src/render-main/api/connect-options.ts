/** The options of `connect`: what they mean, their limits and defaults, and the constants behind them. */
import {
  type InvalidPosePolicy,
  INVALID_POSE_POLICIES,
  RUN_DEFAULTS,
} from '../../shared/recording/recording.js';
import { type Json, copyOfJson } from '../../shared/util/json.js';
import { type Transport, TRANSPORTS } from '../../shared/protocol/transport.js';
import { MAX_CAPACITY, MAX_VALUES, MAX_STATES, inputWordsOf } from '../../shared/memory/layout.js';
import { DEFAULT_MAX_CATCH_UP_TICKS } from '../../shared/time/schedule.js';
import {
  checkOptions,
  choice,
  flag,
  group,
  integer,
  number,
  type Check,
  type Checked,
} from '../../shared/util/options.js';
import * as LIMITS from '../../shared/util/limits.js';

/**
 * How poses are drawn: `none` shows the later of the two states, `interpolate` the position between them, `extrapolate`
 * continues from the newest state, for at most one period plus the margin.
 */
export type InterpolationMode = 'none' | 'interpolate' | 'extrapolate';

/** Whether the simulation pauses or runs while the page is hidden. */
export type HiddenPolicy = 'pause' | 'run';

/** How to recover when a worker dies or hangs. */
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
   * `context.values` in the worker, which `frame.writeValues` and `frame.newestValues` read on the page. Default 0.
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
   * Most bodies at any time, 1 to 2^20; fixed until `dispose`. Room for bodies that never exist takes
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
  /** Whether the simulation pauses or runs while the page is hidden. Default `'pause'`. */
  readonly whenHidden?: HiddenPolicy;
  /** Start paused at tick 0 and wait for `resume()`. Default false. */
  readonly startPaused?: boolean;
  /** Seed of the run's random source, an integer from 0 to 2^32 − 1. Default 1. */
  readonly seed?: number;
  /** Plain data from which the simulation is built: its `context.setup`, stored in recordings. Default null. */
  readonly setup?: Json;
  /**
   * How the run is recorded so that it can be saved, rewound and replayed; `false` records nothing. Default: see
   * {@link RecordingOptions}.
   */
  readonly recording?: RecordingOptions | false;
  /**
   * How to recover when a worker fails, or neither answers nor ends its step for six seconds. `'restart'`: another worker
   * continues from the last tick, using the last saved state and the inputs since, which needs the recording. `'none'`: the
   * simulation fails if its worker reports an error, and a worker that does not answer is waited for. Default `'none'`.
   */
  readonly recovery?: RecoveryPolicy;
  /**
   * How to treat a body whose pose becomes NaN or infinite: `'freeze'` holds its last valid pose, `'remove'` removes
   * it, `'stop'` pauses the simulation. Default `'freeze'`.
   */
  readonly invalidPosePolicy?: InvalidPosePolicy;
  /**
   * How states, inputs and events travel. `'shared'`: shared memory, for pages that are cross-origin isolated.
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

export const INTERPOLATION_MODES: readonly InterpolationMode[] = [
  'none',
  'interpolate',
  'extrapolate',
];

/** An AbortSignal or undefined. */
export const abortSignal = (name: string, value: unknown): AbortSignal | undefined => {
  const signal = value as AbortSignal | null | undefined;
  if (signal === undefined || typeof signal?.throwIfAborted === 'function') return signal;
  throw new TypeError(`${name} must be an AbortSignal`);
};

const RECORDING = group('connect', {
  limitBytes: integer(2 ** 12, 2 ** 40, 2 ** 26),
  hashEveryTicks: integer(0, 1_000_000, 60),
  rewindSeconds: number(0, 3600, 0),
  saveEverySeconds: number(0.1, 60, 2),
});

const OPTIONS = {
  tickRateHz: number(...LIMITS.tickRateHz, RUN_DEFAULTS.tickRateHz),
  capacity: integer(1, MAX_CAPACITY, RUN_DEFAULTS.capacity),
  timeScale: number(...LIMITS.timeScale, 1),
  maxCatchUpTicks: integer(...LIMITS.maxCatchUpTicks, DEFAULT_MAX_CATCH_UP_TICKS),
  turnsPerSecond: number(...LIMITS.turnsPerSecond, 2),
  display: group('connect', {
    interpolation: choice(INTERPOLATION_MODES, 'interpolate'),
    velocities: flag(false),
    values: integer(0, MAX_VALUES, 0),
  }),
  whenHidden: choice(['pause', 'run'], 'pause'),
  startPaused: flag(false),
  seed: integer(...LIMITS.seed, RUN_DEFAULTS.seed),
  setup: (name: string, value: unknown = null) => copyOfJson(name, value),
  recording: Object.assign(
    (name: string, value: unknown, all: readonly string[], what?: string) =>
      RECORDING(name, value === false ? {} : value, all, what),
    { table: RECORDING.table },
  ),
  recovery: choice(['none', 'restart'], 'none'),
  invalidPosePolicy: choice(INVALID_POSE_POLICIES, RUN_DEFAULTS.invalidPosePolicy),
  transport: choice(['auto', ...TRANSPORTS], 'auto'),
  devtools: flag(false),
  signal: abortSignal,
} satisfies Readonly<Record<keyof ConnectOptions, Check<unknown>>>;

/** Complete options, without short forms. */
export interface ResolvedOptions extends Checked<typeof OPTIONS>, Tunables {
  readonly inputWords: number;
  /** Whether the run is recorded. */
  readonly isRecorded: boolean;
}

/**
 * Validates the options and fills in the defaults.
 *
 * @param what That has them, for errors.
 * @param others Names of its further options, for errors.
 * @returns A frozen, complete object.
 * @throws TypeError for a wrong type or an unknown option.
 * @throws RangeError for a value out of range, and for options that have no effect together.
 */
export function resolveOptions(
  options: ConnectOptions = {},
  what = 'connect',
  others: readonly string[] = [],
): ResolvedOptions {
  const checked = checkOptions(what, options, OPTIONS, others);
  const { recording } = options;
  const isRestarted = checked.recovery === 'restart';
  if (recording === false && isRestarted) {
    throw new RangeError(
      "recovery: 'restart' continues from the recording: remove recording: false",
    );
  }
  // An explicit rewindSeconds of 0 is allowed: it may come from a setting.
  const { saveEverySeconds, rewindSeconds } = recording || {};
  if (saveEverySeconds !== undefined && rewindSeconds === undefined && !isRestarted) {
    throw new RangeError(
      "recording.saveEverySeconds has no effect without recording.rewindSeconds or recovery: 'restart'",
    );
  }
  const tunables = tunablesOf(options);
  const inputWords = tunables.inputWords ?? inputWordsOf(checked.capacity);
  return Object.freeze({ ...checked, ...tunables, inputWords, isRecorded: recording !== false });
}

/**
 * Constants that no application has to set, with their reasons. Tests and benchmarks replace some of them with
 * {@link tuned}.
 */
export interface Tunables {
  /** States in a snapshot. As many as a slot may have: more allow a longer margin, and cost memory only. */
  readonly history: number;
  /**
   * How far the display runs behind beyond one period. `'auto'`: the shortest time with which a frame in a thousand
   * starves. A number of ms is for tests, whose delay must not change.
   */
  readonly marginMs: number | 'auto';
  /** How long a worker may take to load and to run `init`: long enough for a slow network and a large scene. */
  readonly startTimeoutMs: number;
  /**
   * A worker that is silent for this long is stalled, in a step or elsewhere; after half of it, it is asked. On a machine
   * short of processors, a step takes many times as long as usual.
   */
  readonly hangLimitMs: number;
  /**
   * How long a worker may be silent before it is given up: three times that limit, and longer than any observed time for which
   * a system did not schedule one of several threads.
   */
  readonly restartAfterMs: number;
  /** Most bytes of the states that the worker keeps during `rewindSeconds`: enough to keep one about each second in the largest scenes. */
  readonly keptBytes: number;
  /** Words of the input queue. Undefined: by the capacity; see {@link inputWordsOf}. */
  readonly inputWords: number | undefined;
  /** Words of the event queue: about five thousand events. */
  readonly eventWords: number;
}

const TUNABLES: Tunables = {
  history: MAX_STATES,
  marginMs: 'auto',
  startTimeoutMs: 30_000,
  hangLimitMs: 2000,
  restartAfterMs: 6000,
  keptBytes: 2 ** 28,
  inputWords: undefined,
  eventWords: 2 ** 16,
};

const KEY = Symbol('tunables');
interface Tuned {
  readonly [KEY]?: Partial<Tunables>;
}

/** @returns The options, with these values in place of the constants, unless the options replace them already. */
export const tuned = <const Options extends object>(
  options: Options,
  tunables: Partial<Tunables>,
): Options => ({ ...options, [KEY]: { ...tunables, ...(options as Tuned)[KEY] } });

export const tunablesOf = (options: object): Tunables => ({
  ...TUNABLES,
  ...(options as Tuned)[KEY],
});
