/** The columns of a comparison: what one stepper did in one scenario. */
import type { WatchdogState } from './watchdog.js';
import type { StepperKind } from './loops/registry.js';

/** Counts for one second of the run; an event exactly on a full second belongs to the next. */
export interface SecondCounts {
  /** Turns of the loop. */
  iterations: number;
  updated: number;
  rendered: number;
  refreshed: number;
}

/** Statistics of an error. 0 if there was nothing to compare. */
export interface ErrorSummary {
  readonly mean: number;
  readonly max: number;
}

export interface WatchdogReport {
  readonly worst: WatchdogState;
  readonly slowFrames: number;
  readonly criticalFrames: number;
  /** When the application would have stopped; null if never. */
  readonly unresponsiveAtMs: number | null;
}

export interface RunReport {
  readonly stepper: StepperKind;
  /** Value of the option tickRateHz; null for a loop that has none. */
  readonly tickHz: number | null;
  readonly passes: number;
  readonly updates: number;
  /** Frames drawn: distinct ones and repeated ones. */
  readonly frames: number;
  readonly distinctFrames: number;
  readonly repeatedFrames: number;
  /** Frames that were not drawn because of the limit or `skipRepeats`. */
  readonly skippedFrames: number;
  readonly refreshes: number;
  readonly simulatedS: number;
  readonly realS: number;
  /** Simulated time over real time. */
  readonly effectiveSpeed: number;
  readonly largestStepMs: number;
  readonly droppedMs: number;
  readonly inventedMs: number;
  /** Time not simulated at the end; negative where the simulation is ahead. */
  readonly leftMs: number;
  /**
   * The maximum time that a pass found not simulated: it grows without limit in a spiral of death.
   */
  readonly largestBacklogMs: number;
  /** Rounding error of adding up speed × step, for a body of 1 unit a second. */
  readonly driftS: number;
  readonly sleptMs: number;
  /** Time that drawing waited for the display. */
  readonly waitedMs: number;
  /**
   * Mean age of a frame when it is displayed: since the due time of what it shows. Time dropped or
   * lost in slow motion is not included.
   */
  readonly latencyMs: number;
  /** Mean time from an input to the first frame that shows it. */
  readonly inputLatencyMs: number;
  /** |change of simulated time shown − change of display time|, frame by frame. */
  readonly animationErrorMs: { readonly mean: number; readonly p99: number; readonly max: number };
  /**
   * Error of drawn positions at the time of display, in units, and in radians for the top: caused
   * only by the frame's age, interpolation and prediction.
   */
  readonly drawnError: {
    readonly flyer: ErrorSummary;
    readonly ball: ErrorSummary;
    readonly top: ErrorSummary;
  };
  /** Frames that show the ball below the floor. */
  readonly framesInFloor: number;
  /** The deepest of them, in units; the ball rises to 1. Exactly 0 if there are none. */
  readonly deepestInFloor: number;
  /** Shots that went through a wall 50 ms thick, because a step was longer. */
  readonly shotsThrough: number;
  readonly watchdog: WatchdogReport;
  readonly perSecond: readonly SecondCounts[];
  /** Hash of the simulation's last state. */
  readonly stateHash: string;
}

/** A row of the comparison. */
export interface LabRow extends RunReport {
  /**
   * Whether the same input gives the same states on displays of other rates; see determinism.ts.
   */
  readonly deterministic: boolean;
}

/** Turns of the loop a second. */
export function turnsPerSecond({ passes, realS }: Pick<RunReport, 'passes' | 'realS'>): number {
  return realS === 0 ? 0 : passes / realS;
}
