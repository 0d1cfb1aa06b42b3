/** The options of `connect`: meanings, defaults, and the one place where they are checked. */
import { requireJson } from '../shared/json.js';
import { INVALID_POSE_POLICIES, type InvalidPosePolicy, type Json } from '../shared/recording.js';
import {
  DEFAULT_QUEUES,
  MAX_CAPACITY,
  MAX_STATES,
  MIN_STATES,
  requireQueueWords,
} from '../shared/layout.js';
import { LIMITS } from '../shared/limits.js';
import { DEFAULT_MAX_CATCH_UP_TICKS } from '../shared/schedule.js';
import {
  requireWorkerOptions,
  WORKER_STEPPERS,
  type WorkerStepperOptions,
} from '../shared/steppers/worker-steppers.js';
import { INTERPOLATION_MODES, type InterpolationMode } from '../shared/timeline.js';
import { TRANSPORTS, type Transport } from '../shared/transport.js';
import { requireWatchdogOptions, type WatchdogOptions } from '../shared/watchdog.js';
import {
  requireChoice,
  requireInteger,
  requireKnownKeys,
  requireNumber,
} from '../shared/validate.js';

/** What the simulation does while the page is hidden. */
export type HiddenPolicy = 'pause' | 'run';
const HIDDEN_POLICIES: readonly HiddenPolicy[] = ['pause', 'run'];

/** What happens to a simulation that does not keep up. */
export type OverloadPolicy = 'slow-motion' | 'pause';
const OVERLOAD_POLICIES: readonly OverloadPolicy[] = ['slow-motion', 'pause'];

/** Options of {@link connect}. All may be left out. */
export interface ConnectOptions {
  /** Ticks per second of simulated time, 1 to 1000 Hz. Default 60. */
  readonly tickRateHz?: number;
  /** Most bodies at any time, 1 to 2^20; fixed for the connection's life. Default 4096. */
  readonly capacity?: number;
  /**
   * States that a snapshot holds, 2 to 4. More give the margin more room. With 2 there is none: a tick or a frame's
   * callback that comes late is seen. Default 4.
   */
  readonly history?: number;
  /** Simulated seconds per second, 0.01 to 100. Default 1. */
  readonly timeScale?: number;
  /**
   * Most ticks that one wake-up may catch up, 1 to 1000; what is beyond is dropped. For the loop `fixed` alone: the
   * others have bounds of their own. Default 5.
   */
  readonly maxCatchUpTicks?: number;
  /**
   * The loop that paces the worker, one of those that make sense there, with the options of its article;
   * its tick rate is `tickRateHz` unless it names one. Default `{ kind: 'fixed' }`.
   */
  readonly stepper?: WorkerStepperOptions;
  /** How poses are drawn. Default `'interpolate'`. */
  readonly interpolation?: InterpolationMode;
  /**
   * How far the display runs behind beyond one period: a time in ms (0 to 1000), or `'auto'`, which
   * follows the lateness of publications. Never more than the history reaches back, which is
   * `history` − 2 periods less the time from frames' stamps to their callbacks. Default `'auto'`.
   */
  readonly marginMs?: number | 'auto';
  /** Default `'pause'`. */
  readonly whenHidden?: HiddenPolicy;
  /** Start at tick 0 and stand there until `resume()`. Default false. */
  readonly startPaused?: boolean;
  /**
   * How long a worker may take to load and to run `init`, 1 to 600,000 ms of the time that the page itself is awake. Default
   * 30,000.
   */
  readonly startTimeoutMs?: number;
  /** Seed of the run's random source, a whole number from 0 to 2^32 − 1. Default 1. */
  readonly seed?: number;
  /** What the simulation is built from, plain data: its `context.setup`, kept in recordings. Default null. */
  readonly setup?: Json;
  /**
   * Give a tick the last of the moves of a pointer that come in a row within it, and one turn of the wheel for all of them:
   * a fast mouse moves sixteen times in a tick. Off where each of them counts, or where `pointermove` inputs say how far the
   * pointer went and not where it is. Default true.
   */
  readonly mergeMoves?: boolean;
  /** Keep what decides the run, so that it can be saved and replayed. Default true. */
  readonly record?: boolean;
  /**
   * Most bytes of the recording, entries and saved states, 2^12 to 2^40. When it is full, a simulation that has `save` and
   * `restore` forgets the older half, and its recording begins at a saved state; otherwise the recording ends there, and the
   * status `recording-full` says so. Default 2^26, 64 MiB: eight hours of a pointer that is dragged without a break, at 60 Hz.
   */
  readonly recordingLimitBytes?: number;
  /** Ticks between two state hashes of a recording, 1 to 1,000,000; 0: none. Default 60. */
  readonly hashEveryTicks?: number;
  /**
   * For how many seconds back saved states are kept, so that going back is quick, 0 to 3600; fewer where they have no room in
   * half of `recordingLimitBytes`. Default 0: none.
   */
  readonly rewindS?: number;
  /** Seconds of simulated time between two of these states, 0.1 to 60; a restart needs them too. Default 2. */
  readonly saveEveryS?: number;
  /**
   * What happens when the worker dies or hangs. `'restart'`: another one goes on from the last tick, by the last saved
   * state and the inputs since. Default `'none'`.
   */
  readonly recovery?: RecoveryPolicy;
  /**
   * A step that takes so long counts as hanging: `stalled` is told, and calls wait. 100 ms to Infinity, of the time that
   * the page itself is awake. Default 2000: a machine that is short of processors makes a step last many times as long.
   */
  readonly hangLimitMs?: number;
  /**
   * With `recovery: 'restart'`: a worker that hangs for so long is given up. 100 ms to Infinity, of the time that the page
   * itself is awake; less than `hangLimitMs` is as much as that. Default 6000: three times that limit, and more than a
   * system has been seen to keep one thread of several from running.
   */
  readonly restartAfterMs?: number;
  /**
   * What happens to a body whose pose becomes NaN or infinite: `'freeze'` holds it where it last was well,
   * `'remove'` takes it out, `'stop'` pauses the simulation. Default `'freeze'`.
   */
  readonly invalidPoses?: InvalidPosePolicy;
  /** Thresholds of the watchdog that looks at the ticks owed at each wake-up. Default: those of its article. */
  readonly watchdog?: WatchdogOptions;
  /**
   * What happens when the watchdog calls the simulation unresponsive: it goes on in slow motion, or pauses. An application
   * that lowers the load instead handles the status `watchdog`, and then has it judged anew by `resume()`. Default
   * `'slow-motion'`.
   */
  readonly whenUnresponsive?: OverloadPolicy;
  /** Size of the queue of inputs in 32-bit words, a power of two from 2^6 to 2^22. Default 2^14: 1,000 inputs. */
  readonly inputWords?: number;
  /** Size of the queue of events in 32-bit words, as `inputWords`. Default 2^16: 5,000 events. */
  readonly eventWords?: number;
  /**
   * What carries states, inputs and events. `'shared'`: shared memory, for pages that are cross-origin isolated.
   * `'transfer'`: buffers that go to and fro, for pages that are not. `'local'`: no worker but this very thread, for a
   * simulation that `createWorker` runs by `runLocally`. Default `'auto'`: the best of them that is possible here.
   */
  readonly transport?: Transport | 'auto';
}

export type ResolvedOptions = Readonly<Required<ConnectOptions>>;

/** What happens when a worker dies or hangs. */
export type RecoveryPolicy = 'none' | 'restart';
const RECOVERY_POLICIES: readonly RecoveryPolicy[] = ['none', 'restart'];

const DEFAULTS: ResolvedOptions = {
  tickRateHz: 60,
  capacity: 4096,
  history: 4,
  timeScale: 1,
  maxCatchUpTicks: DEFAULT_MAX_CATCH_UP_TICKS,
  stepper: { kind: 'fixed' },
  interpolation: 'interpolate',
  marginMs: 'auto',
  whenHidden: 'pause',
  startPaused: false,
  startTimeoutMs: 30_000,
  seed: 1,
  setup: null,
  mergeMoves: true,
  record: true,
  recordingLimitBytes: 2 ** 26,
  hashEveryTicks: 60,
  rewindS: 0,
  saveEveryS: 2,
  recovery: 'none',
  hangLimitMs: 2000,
  restartAfterMs: 6000,
  invalidPoses: 'freeze',
  watchdog: {},
  whenUnresponsive: 'slow-motion',
  ...DEFAULT_QUEUES,
  transport: 'auto',
};

/**
 * Checks the options, but for those of a loop, and fills in the defaults.
 *
 * @returns A frozen, complete object.
 * @throws TypeError for a wrong type or an unknown option. @throws RangeError for a value out of range.
 */
export function resolveOptions(options: ConnectOptions = {}): ResolvedOptions {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('options must be an object');
  }
  requireKnownKeys('connect', options, Object.keys(DEFAULTS));
  const given = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  const merged: ResolvedOptions = { ...DEFAULTS, ...given };
  requireNumber('tickRateHz', merged.tickRateHz, ...LIMITS.tickRateHz);
  requireInteger('capacity', merged.capacity, 1, MAX_CAPACITY);
  requireInteger('history', merged.history, MIN_STATES, MAX_STATES);
  requireNumber('timeScale', merged.timeScale, ...LIMITS.timeScale);
  requireInteger('maxCatchUpTicks', merged.maxCatchUpTicks, ...LIMITS.maxCatchUpTicks);
  requireWorkerStepper(merged.stepper);
  const { stepper } = merged;
  if ('maxCatchUpTicks' in given && stepper.kind !== 'fixed') {
    throw new RangeError(
      `maxCatchUpTicks bounds the loop 'fixed' alone: '${stepper.kind}' has a bound of its own, or none`,
    );
  }
  requireChoice('interpolation', merged.interpolation, INTERPOLATION_MODES);
  if (merged.marginMs !== 'auto') requireMargin(merged.marginMs);
  requireChoice('whenHidden', merged.whenHidden, HIDDEN_POLICIES);
  requireNumber('startTimeoutMs', merged.startTimeoutMs, 1, 600_000);
  requireInteger('seed', merged.seed, ...LIMITS.seed);
  requireJson('setup', merged.setup);
  for (const name of ['startPaused', 'mergeMoves', 'record'] as const) {
    if (typeof merged[name] !== 'boolean') throw new TypeError(`${name} must be a boolean`);
  }
  requireInteger('recordingLimitBytes', merged.recordingLimitBytes, 2 ** 12, 2 ** 40);
  requireInteger('hashEveryTicks', merged.hashEveryTicks, 0, 1_000_000);
  requireNumber('rewindS', merged.rewindS, 0, 3600);
  requireNumber('saveEveryS', merged.saveEveryS, 0.1, 60);
  requireChoice('recovery', merged.recovery, RECOVERY_POLICIES);
  requireNumber('hangLimitMs', merged.hangLimitMs, 100, Number.POSITIVE_INFINITY);
  requireNumber('restartAfterMs', merged.restartAfterMs, 100, Number.POSITIVE_INFINITY);
  requireChoice('invalidPoses', merged.invalidPoses, INVALID_POSE_POLICIES);
  requireWatchdogOptions(merged.watchdog);
  requireChoice('whenUnresponsive', merged.whenUnresponsive, OVERLOAD_POLICIES);
  requireQueueWords('inputWords', merged.inputWords);
  requireQueueWords('eventWords', merged.eventWords);
  requireChoice('transport', merged.transport, ['auto', ...TRANSPORTS]);
  // As it comes out of a recording: JSON makes 0 of −0, for one.
  const setup = JSON.parse(JSON.stringify(merged.setup)) as Json;
  return Object.freeze({ ...merged, tickRateHz: tickRateOf(merged), setup });
}

function requireMargin(value: unknown): void {
  if (typeof value === 'string') {
    throw new RangeError(`marginMs must be 'auto' or a number from 0 to 1000, and is "${value}"`);
  }
  requireNumber('marginMs', value, 0, 1000);
}

function requireWorkerStepper(options: unknown): void {
  if (typeof options !== 'object' || options === null || !('kind' in options)) {
    throw new TypeError("stepper must be an object with a kind, such as { kind: 'fixed' }");
  }
  requireWorkerOptions({
    ...options,
    kind: requireChoice('stepper.kind', options.kind, WORKER_STEPPERS),
  });
}

/** The loop `fixed` runs on the schedule itself, so a rate of its own is the schedule's. */
function tickRateOf({ stepper, tickRateHz }: ResolvedOptions): number {
  if (stepper.kind !== 'fixed' || stepper.tickRateHz === undefined) return tickRateHz;
  return requireNumber('stepper.tickRateHz', stepper.tickRateHz, ...LIMITS.tickRateHz);
}

/**
 * Checks a loop's own options. The loops are loaded for it only if there are any.
 *
 * @throws TypeError, RangeError naming the option that is wrong and the rule that it broke.
 */
export async function requireStepperOptions(options: WorkerStepperOptions): Promise<void> {
  if (options.kind === 'fixed' || Object.keys(options).length === 1) return;
  const { resolveStepperOptions } = await import('../shared/steppers/registry.js');
  resolveStepperOptions(options);
}
