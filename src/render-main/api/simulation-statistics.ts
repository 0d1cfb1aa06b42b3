/** What `stats()` answers. */
import type { ClockOffset } from '../../shared/time/clock-sync.js';
import type { Percentiles } from '../../shared/statistics/histogram.js';
import type { Transport } from '../../shared/protocol/transport.js';
import type { WatchdogState } from '../../shared/statistics/watchdog.js';
import type { InterpolationMode } from './connect-options.js';

/**
 * - `stalled`: the worker is in a step that does not end.
 * - `restarting`: it has failed, and another one is being brought up.
 */
export type SimulationState =
  | 'running'
  | 'paused'
  | 'stalled'
  | 'restarting'
  | 'failed'
  | 'disposed';

/** What is measured of frames, since the last reset. Times in ms. */
export interface FrameSummary {
  /** Frames sampled. */
  readonly frames: number;
  /** Frames for whose target there was no state yet. */
  readonly starvedFrames: number;
  /** Frames that show the simulated time of the frame before. */
  readonly repeatedFrames: number;
  /**
   * Frames at which drawn time jumped: after a long stall, or where the callback came so late after the frame's
   * stamp that the history had moved on, as on a machine that takes several ticks to draw a frame.
   */
  readonly timelineResets: number;
  /** Time between frame stamps, in ms. */
  readonly frameMs: Percentiles;
  /** Time that sampling took, in ms. */
  readonly sampleMs: Percentiles;
  /** From an input's stamp to the stamp of the first frame that shows something of the tick that used it, in ms. */
  readonly inputToFrameMs: Percentiles;
  /** Size of the animation error, in ms. */
  readonly animationErrorMs: { readonly mean: number; readonly p99: number; readonly max: number };
}

/**
 * How the offset was found: by pings through shared memory, by messages, by the wall-clock origins of the threads
 * (without a bound on the error), or both are one thread and have the same clock.
 */
export interface ClockAlignment extends ClockOffset {
  /** How it was found; see above. */
  readonly method: 'ping' | 'message' | 'origin' | 'same';
}

/** A plain object that can be cloned and printed. Times in ms unless named otherwise. */
export interface SimulationStatistics extends FrameSummary {
  /** What the simulation does at this moment. */
  readonly state: SimulationState;
  /** How states, inputs and events cross between page and worker. */
  readonly transport: Transport;
  /** Number of the newest tick. */
  readonly tick: number;
  /** Ticks per second of simulated time, in Hz. */
  readonly tickRateHz: number;
  /** Simulated seconds per second. */
  readonly timeScale: number;
  /** Time since tick 0 less pauses and gaps; ticks and dropped ticks together fill it. */
  readonly elapsedMs: number;
  /** Sum of the steps since tick 0, in s. */
  readonly simulatedS: number;
  /** Bodies that live now. */
  readonly bodies: number;
  /** Most bodies that there may be: the option `capacity`. */
  readonly bodyCapacity: number;

  // Since the last resetStats():
  /** Ticks that ran. */
  readonly ticks: number;
  /** Ticks that were due and given up. */
  readonly droppedTicks: number;
  /**
   * Share of due ticks that ran; 1 when nothing was due. Time scale, pauses and gaps are left out: at half the time scale
   * a simulation that keeps up has 1.
   */
  readonly effectiveSpeed: number;
  /** Passes of the worker's loop. */
  readonly iterations: number;
  /** Passes that ran more than one tick. */
  readonly catchUpPasses: number;
  /** Times that the worker woke so late that it counts as a pause. */
  readonly gaps: number;
  /** Poses refused because a number in them was NaN or infinite. */
  readonly invalidPoses: number;
  /** Inputs that ticks took, each of them, also where moves were merged. */
  readonly inputs: number;
  /** Inputs and commands that came when their input window was over, and went to the next tick. */
  readonly lateInputs: number;
  /** Commands that ticks applied. */
  readonly timedCommands: number;
  /** Events told to the page. */
  readonly events: number;
  /** From an input's stamp to the tick that used it. */
  readonly inputLatencyMs: Percentiles;
  /** Cost of the simulation's step. */
  readonly stepMs: Percentiles;
  /** Cost of publishing a snapshot. */
  readonly publishMs: Percentiles;
  /** Wake-up minus due time. */
  readonly latenessMs: Percentiles;

  // Since the start:
  /** Inputs and commands refused because the queue was full or a replay was shown. */
  readonly refusedInputs: number;
  /** Events that found no room in their queue. */
  readonly lostEvents: number;
  /** Events dropped on the page because too many waited to be shown. */
  readonly droppedEvents: number;

  // Now:
  /** Bytes of the recording: its entries and saved states. At most the option `recording.limitBytes`. */
  readonly recordingBytes: number;
  /** The recording has ended before the run, because it is full; the status `recording-full` says at which tick. */
  readonly isRecordingFull: boolean;
  /** How well the worker keeps up, by the ticks owed at its last wake-up. */
  readonly watchdog: WatchdogState;
  /** Less than 95 % of the due ticks of the last second ran. */
  readonly isSlow: boolean;
  /** How poses are drawn between two states. */
  readonly interpolation: InterpolationMode;
  /** Place of the newest frame between its two states, in [0, 1]: 0 the earlier one, 1 the later. */
  readonly alpha: number;
  /** How far the display runs behind the schedule: one period and the margin. */
  readonly delayMs: number;
  /** How far the display runs behind beyond one period, in ms. */
  readonly marginMs: number;
  /** Animation error of the newest frame, signed. */
  readonly lastAnimationErrorMs: number;
  /** How the worker's clock was aligned with the page's, and to within what. */
  readonly clock: ClockAlignment;
}

/** What the worker did since the last reset of {@link Counters}: those members of {@link SimulationStatistics}. */
export type WorkerCounts = Pick<
  SimulationStatistics,
  | 'ticks'
  | 'droppedTicks'
  | 'effectiveSpeed'
  | 'iterations'
  | 'catchUpPasses'
  | 'gaps'
  | 'invalidPoses'
  | 'inputs'
  | 'lateInputs'
  | 'timedCommands'
  | 'events'
  | 'stepMs'
  | 'publishMs'
  | 'latenessMs'
  | 'inputLatencyMs'
  | 'watchdog'
  | 'isSlow'
>;

/** Reads what the worker counts, from a start of its own. */
export interface Counters {
  /** Counts from here on: what was before is left out. */
  reset(): void;
  /** The counts since the last reset. */
  read(): WorkerCounts;
}
