/** What the comparison with the peers leaves behind, as it stands in its JSON file. */
import type { Distribution, Machine } from '../../engine/result.js';
import type { ContestantName } from './contestants.js';

export const PEERS_FORMAT = 'betwixt-bench-peers';
export const PEERS_VERSION = 1;

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
  /** Frames that go on by more than half as far again as a tick or a frame is long. */
  readonly jumps: number;
  readonly backward: number;
  readonly animationErrorMs: { readonly mean: number; readonly p99: number; readonly max: number };
}

export interface PeerRepeat {
  /** Frames that were drawn, and that the display would have had room for beside them. */
  readonly frames: number;
  readonly missedFrames: number;
  /** Frames that began over 6.94 ms after their stamp: the page was busy, or the machine. */
  readonly lateFrames: number;
  readonly costMs: Distribution;
  /** Frames that cost over 6.94 ms. */
  readonly overBudget: number;
  /** Of these, the cost and that of the same work done once more at once; where it can be done again. */
  readonly doneAgainMs: readonly (readonly [costMs: number, againMs: number])[];
  /** Share of time in which the main thread did anything at all; null where the browser was not asked. */
  readonly busyShare: number | null;
  readonly single: MotionFigures | null;
  readonly instanced: MotionFigures | null;
  readonly ageMs: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  /** Cost of a step in the worker, and ticks given up; null where it cannot be had. */
  readonly tick: TickFigures | null;
  readonly costCurve: readonly (readonly [share: number, ms: number])[];
}

export interface TickFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly dropped: number;
}

export interface PeerCase extends CaseSubject {
  readonly repeats: readonly PeerRepeat[];
}

/** What a contestant makes of a teleport and of an error in its worker. */
export interface FaultResult extends CaseSubject {
  readonly repeats: readonly FaultRepeat[];
}

export interface FaultRepeat {
  readonly teleports: number;
  /** Frames that drew the body on its way; null where it has no such probe. */
  readonly smearedSingle: number | null;
  readonly smearedInstanced: number | null;
  /** Null: it has no worker. */
  readonly afterThrow: { readonly isAlive: boolean; readonly stoodMs: number } | null;
}

export interface PeerFailure extends CaseSubject {
  readonly message: string;
}

export interface PeersResult {
  readonly format: typeof PEERS_FORMAT;
  readonly version: typeof PEERS_VERSION;
  /** When, in ISO 8601. */
  readonly made: string;
  readonly machine: Machine;
  readonly options: PeersOptions;
  readonly cases: readonly PeerCase[];
  readonly faults: readonly FaultResult[];
  readonly failures: readonly PeerFailure[];
  readonly wasCancelled: boolean;
}

export const subjectKey = ({ contestant, bodies, displayHz }: CaseSubject): string =>
  `${contestant} ${bodies} ${displayHz}`;

export function findCase(
  cases: readonly PeerCase[],
  contestant: ContestantName,
  bodies: number,
  displayHz: number,
): PeerCase | undefined {
  const key = subjectKey({ contestant, bodies, displayHz });
  return cases.find((one) => subjectKey(one) === key);
}
