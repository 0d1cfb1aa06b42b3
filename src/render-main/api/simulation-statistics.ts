/** The result of `stats()`. */
import type { ClockOffset } from '../../shared/time/clock-sync.js';
import type { Percentiles } from '../../shared/statistics/histogram.js';
import type { Transport } from '../../shared/protocol/transport.js';
import type { InterpolationMode } from './connect-options.js';

/**
 * The simulation's current activity:
 *
 * - `stalled`: the worker is in a step that does not end, or does not answer.
 * - `restarting`: it has failed, and another one is being started.
 */
export type SimulationState =
  | 'running'
  | 'paused'
  | 'stalled'
  | 'restarting'
  | 'failed'
  | 'disposed';

/** Measurements of frames since the last reset. Times in ms. */
export interface FrameSummary {
  /** Frames sampled. */
  readonly frames: number;
  /** Frames without a state at or after their target. */
  readonly starvedFrames: number;
  /** Frames that show the same simulated time as the previous frame. */
  readonly repeatedFrames: number;
  /**
   * Frames at which drawn time jumped: after a long stall, or if the callback ran so long after the frame's stamp that
   * the history had moved on, as on a machine that takes several ticks to draw a frame.
   */
  readonly timelineResets: number;
  /** Time between frame stamps, in ms. */
  readonly frameMs: Percentiles;
  /** Time to sample a frame, in ms. */
  readonly sampleMs: Percentiles;
  /**
   * Input to picture: from an input's stamp to the stamp of the first frame that shows an effect of the tick that used
   * it, in ms. About half a period, the margin, and half the time between frames; NaN without inputs.
   */
  readonly inputToFrameMs: Percentiles;
  /** Size of the animation error, in ms. */
  readonly animationErrorMs: { readonly mean: number; readonly p99: number; readonly max: number };
}

/** Counts and measurements of the worker since the last reset, and how it keeps up now. */
export interface WorkerCounts {
  /** Ticks that ran. */
  readonly ticks: number;
  /** Ticks that were due and were dropped. */
  readonly droppedTicks: number;
  /**
   * Share of due ticks that ran; 1 when nothing was due. Time scale, pauses and gaps do not count: at half the time
   * scale, a simulation that keeps up has 1.
   */
  readonly effectiveSpeed: number;
  /** Passes of the worker's loop. */
  readonly iterations: number;
  /** Passes that ran more than one tick. */
  readonly catchUpPasses: number;
  /** Times that the worker woke so late that the delay counts as a pause. */
  readonly gaps: number;
  /** Poses refused because a number in them was NaN or infinite. */
  readonly invalidPoses: number;
  /** Number of values that were not published because they were NaN or infinite: each, in each state. */
  readonly invalidValues: number;
  /** Inputs that ticks took, counted individually even if moves were merged. */
  readonly inputs: number;
  /** Inputs and commands that arrived after their input window and went to the next tick. */
  readonly lateInputs: number;
  /** Commands that ticks applied. */
  readonly timedCommands: number;
  /** Events sent to the page. */
  readonly events: number;
  /** From an input's stamp to the tick that used it. */
  readonly inputLatencyMs: Percentiles;
  /** Cost of the simulation's step. */
  readonly stepMs: Percentiles;
  /** Cost of publishing a snapshot. */
  readonly publishMs: Percentiles;
  /** Wake-up time minus due time. */
  readonly latenessMs: Percentiles;
  /** Less than 95 % of the due ticks of the last second ran, and not more than 99 % since then: the status `slow` says so, too. */
  readonly isSlow: boolean;
}

/**
 * How the clock offset was measured: by pings through shared memory, by messages, or by the time origins of the threads
 * (without a bound on the error); `same` if both share a thread and its clock.
 */
export interface ClockAlignment extends ClockOffset {
  /** How it was measured; see above. */
  readonly method: 'ping' | 'message' | 'origin' | 'same';
}

/**
 * How busy the threads were in the last second, or since the previous call of `stats()`, if that is longer: shares of that
 * time, from 0 to 1. NaN at the first call.
 */
export interface ThreadLoad {
  /** Share from 0 to 1 in which the worker was awake: in steps, the loop's own work, calls, and code of your own in it. NaN while it is paused. */
  readonly worker: number;
  /** Share from 0 to 1 in which the page's thread sampled frames for this simulation, and wrote the poses. */
  readonly page: number;
  /** Share from 0 to 1 in which the page's thread was in renderers that `measureRenderer` measures. NaN without one. */
  readonly renderer: number;
}

/** A plain object that can be cloned and printed. Times in ms unless stated otherwise. */
export interface SimulationStatistics extends FrameSummary, WorkerCounts {
  /** The simulation's current activity. */
  readonly state: SimulationState;
  /** The transport of states, inputs and events between page and worker. */
  readonly transport: Transport;
  /** Number of the newest tick. */
  readonly tick: number;
  /** Ticks per second of simulated time, in Hz. */
  readonly tickRateHz: number;
  /** Simulated seconds per second. */
  readonly timeScale: number;
  /** Time since tick 0, less pauses and gaps; ticks and dropped ticks together fill it. */
  readonly elapsedMs: number;
  /** Sum of the steps since tick 0, in s. */
  readonly simulatedS: number;
  /** Bodies that live now. */
  readonly bodies: number;
  /** Most bodies that can exist: the option `capacity`. */
  readonly bodyCapacity: number;

  // Since the start:
  /** Inputs and commands refused because the queue was full or a replay was shown. */
  readonly refusedInputs: number;
  /** Events lost because their queue was full. */
  readonly lostEvents: number;
  /** Events dropped on the page because too many waited to be shown. */
  readonly droppedEvents: number;

  // Now:
  /** How busy worker, page and renderer were in the last second. */
  readonly load: ThreadLoad;
  /** Bytes of the recording: its entries and saved states. At most the option `recording.limitBytes`. */
  readonly recordingBytes: number;
  /** Bytes of the states that the worker has kept for going back. At most 256 MiB. */
  readonly keptBytes: number;
  /** Most ticks between one of these and the next; 0: there are none, or one. */
  readonly keptEveryTicks: number;
  /** The recording is full and ended before the run; the status `recording-full` has its last tick. */
  readonly isRecordingFull: boolean;
  /** How poses are drawn between two states. */
  readonly interpolation: InterpolationMode;
  /** Position of the newest frame between its two states, in [0, 1]: 0 is the earlier one, 1 the later. */
  readonly alpha: number;
  /**
   * How far the display runs behind the schedule, in ms: one period plus the margin, and in a headset how far its time
   * stamps lie ahead.
   */
  readonly delayMs: number;
  /** How long the display waits for late states, in ms. */
  readonly marginMs: number;
  /** Animation error of the newest frame, signed. */
  readonly lastAnimationErrorMs: number;
  /** How the worker's clock was aligned with the page's, and with what uncertainty. */
  readonly clock: ClockAlignment;
}

/** The part of a handle that is not public, for a display of what has happened since its last update. */
export interface CountedHandle {
  /** Opens another reader of the worker's counters, which counts from now on. Its resets and `resetStats()` are independent. */
  openCounters(): Counters;
}

/** Reads the worker's counts, independently of other readers. */
export interface Counters {
  /** Counts from now on. */
  reset(): void;
  /** The counts since the last reset. */
  read(): WorkerCounts;
}
