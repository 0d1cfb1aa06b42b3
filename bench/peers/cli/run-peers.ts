/**
 * Runs the plan and collects the results, in the order of the plan; uses no browser and no clock
 * directly.
 */
import { firstLineOf } from '../../../scripts/cli/errors.js';
import type { Machine } from '../../engine/result.js';
import { planRuns, secondsLeft, type PlannedRun } from '../engine/plan.js';
import {
  subjectKey,
  type CaseSubject,
  type FaultRepeat,
  type PeerFailure,
  type PeerRepeat,
  type PeersOptions,
  type PeersResult,
} from '../engine/result.js';

export interface PeersProgress {
  readonly done: number;
  readonly all: number;
  readonly run: PlannedRun;
  readonly secondsLeft: number;
}

export interface PeersParts {
  readonly options: PeersOptions;
  readonly machine: Machine;
  readonly motion: (run: PlannedRun) => Promise<PeerRepeat>;
  readonly faults: (run: PlannedRun) => Promise<FaultRepeat>;
  readonly isStopRequested: () => boolean;
  readonly onProgress: (progress: PeersProgress) => void;
  /** Called after each run with the result so far. */
  readonly onPart: (part: PeersResult) => void;
  /** A clock, in ms. */
  readonly now: () => number;
}

export async function runPeers(parts: PeersParts): Promise<PeersResult> {
  const plan = planRuns(parts.options);
  const cases = new Map<string, CaseSubject & { repeats: PeerRepeat[] }>();
  const faults = new Map<string, CaseSubject & { repeats: FaultRepeat[] }>();
  const failures: PeerFailure[] = [];
  const tookSeconds: number[] = [];
  const made = new Date().toISOString();
  const result = (wasCancelled: boolean): PeersResult => ({
    format: 'betwixt-bench-peers',
    version: 1,
    made,
    machine: parts.machine,
    options: parts.options,
    cases: [...cases.values()],
    faults: [...faults.values()],
    failures,
    wasCancelled,
  });
  for (const [done, run] of plan.entries()) {
    if (parts.isStopRequested()) return result(true);
    parts.onProgress({ done, all: plan.length, run, secondsLeft: secondsLeft(plan, tookSeconds) });
    const startMs = parts.now();
    try {
      if (run.kind === 'motion') keep(cases, run, await parts.motion(run));
      else keep(faults, run, await parts.faults(run));
    } catch (error) {
      // A cancelled run is not a failure.
      if (parts.isStopRequested()) return result(true);
      failures.push({ ...subjectOf(run), message: firstLineOf(error) });
    }
    tookSeconds.push((parts.now() - startMs) / 1000);
    parts.onPart(result(done < plan.length - 1));
  }
  return result(false);
}

function keep<T>(
  into: Map<string, CaseSubject & { repeats: T[] }>,
  run: PlannedRun,
  repeat: T,
): void {
  const subject = subjectOf(run);
  const found = into.get(subjectKey(subject));
  if (found === undefined) into.set(subjectKey(subject), { ...subject, repeats: [repeat] });
  else found.repeats.push(repeat);
}

const subjectOf = ({ contestant, bodies, displayHz }: PlannedRun): CaseSubject => {
  return { contestant, bodies, displayHz };
};
