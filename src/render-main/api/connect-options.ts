/** The options of `connect`: what they mean, and their defaults. Checked and filled in by check-options.ts. */
import type { InvalidPosePolicy } from '../../shared/recording/recording.js';
import type { Json } from '../../shared/util/json.js';
import type { WorkerStepperOptions } from '../../shared/loops/worker-steppers.js';
import type { Transport } from '../../shared/protocol/transport.js';
import type { WatchdogOptions } from '../../shared/statistics/watchdog-options.js';

/**
 * How poses are drawn: `none` shows the later of the two states as it is, `interpolate` the place
 * between them, `extrapolate` goes on from the newest state, for one period and the margin at most.
 */
export type InterpolationMode = 'none' | 'interpolate' | 'extrapolate';

/** What the simulation does while the page is hidden. */
export type HiddenPolicy = 'pause' | 'run';

/** What happens to a simulation that does not keep up. */
export type OverloadPolicy = 'slow-motion' | 'pause';

/** What happens when a worker dies or hangs. */
export type RecoveryPolicy = 'none' | 'restart';

/** The option `display` of {@link connect}: which moment a frame shows, and how. */
export interface DisplayOptions {
  /** How poses are drawn. Default `'interpolate'`. */
  readonly interpolation?: InterpolationMode;
  /**
   * How far the display runs behind beyond one period: a time in ms (0 to 1000), or `'auto'`, which
   * follows the lateness of publications. Never more than the history reaches back, which is
   * `history` − 2 periods less the time from frames' stamps to their callbacks: with a history of 2, one is refused. Default
   * `'auto'`.
   */
  readonly marginMs?: number | 'auto';
  /**
   * States that a snapshot holds, 2 to 4. More give the margin more room. With 2 there is none: a tick or a frame's
   * callback that comes late is seen. Default 4.
   */
  readonly history?: number;
}

/** The option `recording` of {@link connect}: what is kept of the run. */
export interface RecordingOptions {
  /**
   * Most bytes of the recording, entries and saved states, 2^12 to 2^40. When it is full, a simulation that has `save` and
   * `restore` forgets the older half, and its recording begins at a saved state; otherwise the recording ends there, and the
   * status `recording-full` says so. Default 2^26, 64 MiB: eight hours of a pointer that is dragged without a break, at 60 Hz.
   */
  readonly limitBytes?: number;
  /** Ticks between two state hashes, 1 to 1,000,000; 0: none. Default 60. */
  readonly hashEveryTicks?: number;
  /**
   * For how many seconds back saved states are kept, so that going back is quick, 0 to 3600; fewer where they have no room in
   * half of `limitBytes`. Default 0: none.
   */
  readonly rewindSeconds?: number;
  /**
   * Seconds of simulated time between two saved states, 0.1 to 60. They are there for `rewindSeconds` and for a restart:
   * refused without either. Default 2.
   */
  readonly saveEverySeconds?: number;
}

/** The option `recovery` of {@link connect}: what becomes of a worker that dies or hangs. */
export interface RecoveryOptions {
  /**
   * `'restart'`: another one goes on from the last tick, by the last saved state and the inputs since. `'none'`: the
   * simulation has failed. Default `'none'`.
   */
  readonly mode?: RecoveryPolicy;
  /**
   * A step that takes so long counts as hanging: `stalled` is told, and calls wait. 100 ms to Infinity, of the time that
   * the page itself is awake. Default 2000: a machine that is short of processors makes a step last many times as long.
   */
  readonly hangLimitMs?: number;
  /**
   * With the mode `'restart'`, and refused without: a worker that hangs for so long is given up. 100 ms to Infinity, of the
   * time that the page itself is awake; less than `hangLimitMs` is as much as that. Default 6000: three times that limit, and
   * more than a system has been seen to keep one thread of several from running.
   */
  readonly restartAfterMs?: number;
}

/** The option `queues` of {@link connect}: their sizes in 32-bit words, a power of two from 2^6 to 2^22. */
export interface QueueOptions {
  /** The queue of inputs, in words, 2^6 to 2^22. Default 2^14: 1,000 inputs. */
  readonly inputWords?: number;
  /** The queue of events, in words, 2^6 to 2^22. Default 2^16: 5,000 events. */
  readonly eventWords?: number;
}

/** Options of {@link connect}. All may be left out. One that would do nothing beside the others is refused. */
export interface ConnectOptions {
  /** Ticks per second of simulated time, 1 to 1000 Hz. Default 60. */
  readonly tickRateHz?: number;
  /** Most bodies at any time, 1 to 2^20; fixed for the connection's life. Default 4096. */
  readonly capacity?: number;
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
  /** Which moment a frame shows, and how. Default: see {@link DisplayOptions}. */
  readonly display?: DisplayOptions;
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
  /**
   * What is kept of what decides the run, so that it can be saved, gone back in and replayed; `false` for nothing. Default:
   * see {@link RecordingOptions}.
   */
  readonly recording?: RecordingOptions | false;
  /**
   * What becomes of a worker that dies or hangs; a mode by itself stands for `{ mode }`. A restart goes on by the recording.
   * Default: see {@link RecoveryOptions}.
   */
  readonly recovery?: RecoveryPolicy | RecoveryOptions;
  /**
   * What happens to a body whose pose becomes NaN or infinite: `'freeze'` holds it where it last was well,
   * `'remove'` takes it out, `'stop'` pauses the simulation. Default `'freeze'`.
   */
  readonly invalidPosePolicy?: InvalidPosePolicy;
  /** Thresholds of the watchdog that looks at the ticks owed at each wake-up. Default: those of its article. */
  readonly watchdog?: WatchdogOptions;
  /**
   * What happens when the watchdog calls the simulation unresponsive: it goes on in slow motion, or pauses. An application
   * that lowers the load instead handles the status `watchdog`, and then has it judged anew by `resume()`. Default
   * `'slow-motion'`.
   */
  readonly whenUnresponsive?: OverloadPolicy;
  /** How much the queues between page and worker hold. Default: see {@link QueueOptions}. */
  readonly queues?: QueueOptions;
  /**
   * What carries states, inputs and events. `'shared'`: shared memory, for pages that are cross-origin isolated.
   * `'transfer'`: buffers that go to and fro, for pages that are not. `'local'`: no worker but this very thread, for a
   * simulation that `createWorker` runs by `runLocally`. Default `'auto'`: the best of them that is possible here.
   */
  readonly transport?: Transport | 'auto';
}
