/** The result of the comparison with the peers, as its JSON file contains it. */
import type { Machine } from '../../engine/result.js';
import type { ContestantName } from './contestants.js';

export interface PeersOptions {
  readonly contestants: readonly ContestantName[];
  readonly bodies: readonly number[];
  readonly displayHz: readonly number[];
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly repeats: number;
  readonly seed: number;
  readonly isQuick: boolean;
}

export interface CaseSubject {
  readonly contestant: ContestantName;
  readonly bodies: number;
  readonly displayHz: number;
}

/** Of one probe. */
export interface MotionFigures {
  /** Simulated time over display time. */
  readonly timeScale: number;
  /** Frames that show the same as the one before. */
  readonly repeated: number;
  /** Frames that advance by more than 1.5 times the length of a tick or a frame. */
  readonly jumps: number;
  readonly backward: number;
  readonly animationErrorMs: { readonly mean: number; readonly p99: number; readonly max: number };
}

export interface TickFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly dropped: number;
}

/** From an input to a picture in which a body reacts, in ms. */
export interface InputFigures {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface PeerRepeat {
  /** Frames that were drawn, and frames of the display that were missed. */
  readonly frames: number;
  readonly missedFrames: number;
  /** Frames that began over 6.94 ms after their stamp: the page was busy, or the machine. */
  readonly lateFrames: number;
  readonly costMs: Readonly<Record<'p50' | 'p95' | 'p99' | 'max' | 'mean', number>>;
  /** Frames that cost over 6.94 ms. */
  readonly overBudget: number;
  /** Share of time in which the main thread was busy; null if the browser was not asked. */
  readonly busyShare: number | null;
  /** Null if it has no such probe. */
  readonly single: MotionFigures | null;
  readonly instanced: MotionFigures | null;
  readonly ageMs: Readonly<Record<'p50' | 'p99' | 'max', number>> | null;
  /**
   * Until the frame was ready to be rendered, and until the first refresh of the display after that; null if no body
   * reacted.
   */
  readonly inputReadyMs: InputFigures | null;
  readonly inputShownMs: InputFigures | null;
  /** Cost of a step in the worker, and dropped ticks; null if unavailable. */
  readonly tick: TickFigures | null;
}

export interface PeerCase extends CaseSubject {
  readonly repeats: readonly PeerRepeat[];
}

export interface FaultRepeat {
  readonly teleports: number;
  /** Frames that drew the body in between; null if it has no such probe. */
  readonly smearedSingle: number | null;
  readonly smearedInstanced: number | null;
  /** Null: it has no worker. */
  readonly afterThrow: { readonly isAlive: boolean; readonly stoodMs: number } | null;
}

/** How a contestant handles a teleport and an error in its worker. */
export interface FaultResult extends CaseSubject {
  readonly repeats: readonly FaultRepeat[];
}

export interface PeerFailure extends CaseSubject {
  readonly message: string;
}

export interface PeersResult {
  readonly format: 'betwixt-bench-peers';
  readonly version: 1;
  /** When, in ISO 8601. */
  readonly made: string;
  readonly machine: Machine;
  readonly options: PeersOptions;
  readonly cases: readonly PeerCase[];
  readonly faults: readonly FaultResult[];
  readonly failures: readonly PeerFailure[];
  readonly wasCancelled: boolean;
}

export function subjectKey({ contestant, bodies, displayHz }: CaseSubject): string {
  return `${contestant} ${bodies} ${displayHz}`;
}

export function findCase(
  cases: readonly PeerCase[],
  contestant: ContestantName,
  bodies: number,
  displayHz: number,
): PeerCase | undefined {
  const key = subjectKey({ contestant, bodies, displayHz });
  return cases.find((one) => subjectKey(one) === key);
}
