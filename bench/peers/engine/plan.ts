/** The plan of measurements, and how long is left. */
import { CONTESTANT_NAMES, type ContestantName } from './contestants.js';
import type { CaseSubject, PeersOptions } from './result.js';

export interface PlannedRun extends CaseSubject {
  readonly kind: 'motion' | 'faults';
  readonly repeat: number;
  /** How long it should take. */
  readonly plannedSeconds: number;
}

/** Loading the page and the engine, building the scene, ending it. */
const RUN_OVERHEAD_SECONDS = 2;
/** Teleports and the wait after an error. */
const FAULTS_SECONDS = 9;
/** Few bodies: the faults do not depend on their number. */
export const FAULT_BODIES = 50;

/**
 * All runs in order: for each number of bodies and rate the contestants alternate, once for each
 * repeat, so that other load affects all of them alike. Faults come first because they are quick;
 * then small counts.
 */
export function planRuns(options: PeersOptions): PlannedRun[] {
  const { bodies, displayHz, repeats, seconds, warmUpSeconds, isQuick } = options;
  const names = CONTESTANT_NAMES.filter((name) => options.contestants.includes(name));
  const turns = (
    kind: PlannedRun['kind'],
    count: number,
    hz: number,
    plannedSeconds: number,
    times = repeats,
  ) =>
    Array.from({ length: times }, (_, repeat) =>
      names.map((contestant: ContestantName): PlannedRun => {
        return { kind, contestant, bodies: count, displayHz: hz, repeat, plannedSeconds };
      }),
    ).flat();
  const fastest = Math.max(...displayHz);
  return [
    // They are counts, without a spread: a rough run does them once.
    ...turns(
      'faults',
      FAULT_BODIES,
      fastest,
      RUN_OVERHEAD_SECONDS + FAULTS_SECONDS,
      isQuick ? 1 : repeats,
    ),
    ...bodies
      .toSorted((a, b) => a - b)
      .flatMap((count) =>
        displayHz
          .toSorted((a, b) => a - b)
          .flatMap((hz) =>
            turns('motion', count, hz, RUN_OVERHEAD_SECONDS + warmUpSeconds + seconds),
          ),
      ),
  ];
}

/** How long is left, from the time that finished runs took compared with their plan. */
export function secondsLeft(plan: readonly PlannedRun[], tookSeconds: readonly number[]): number {
  const planned = (runs: readonly PlannedRun[]): number =>
    runs.reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
  const doneSeconds = tookSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const plannedDoneSeconds = planned(plan.slice(0, tookSeconds.length));
  const pace = plannedDoneSeconds > 0 ? doneSeconds / plannedDoneSeconds : 1;
  return pace * planned(plan.slice(tookSeconds.length));
}
