/**
 * Ours against theirs, figure by figure, with the conclusion of the repeats about the difference.
 */
import { changeOf, type Change } from '../../engine/compare.js';
import { meanOf } from '../../engine/samples.js';
import { PAIRS, type Pair } from './contestants.js';
import { findCase, type PeerCase, type PeerRepeat, type PeersResult } from './result.js';

export interface Metric {
  readonly name: string;
  /** Of a repeat; undefined if it has no such figure. Less is better, in all of them. */
  readonly of: (repeat: PeerRepeat) => number | undefined;
}

/** Of the single probe, or of the instanced one if a contestant has only that. */
export const motionFor = (repeat: PeerRepeat) => repeat.single ?? repeat.instanced;

/** The compared figures. Less is better in each; losses are listed next to wins. */
export const METRICS: readonly Metric[] = [
  { name: 'frame p50 ms', of: ({ costMs }) => costMs.p50 },
  { name: 'frame p95 ms', of: ({ costMs }) => costMs.p95 },
  { name: 'frame p99 ms', of: ({ costMs }) => costMs.p99 },
  { name: 'main thread busy %', of: ({ busyShare }) => percent(busyShare) },
  {
    name: 'missed frames %',
    of: ({ missedFrames, frames }) => share(missedFrames, frames + missedFrames),
  },
  { name: 'animation error p99 ms', of: (repeat) => motionFor(repeat)?.animationErrorMs.p99 },
  { name: 'repeated frames %', of: (repeat) => share(motionFor(repeat)?.repeated, repeat.frames) },
  {
    name: 'repeated frames, instances %',
    of: (repeat) => share(repeat.instanced?.repeated, repeat.frames),
  },
  { name: 'time scale off by %', of: (repeat) => offBy(motionFor(repeat)?.timeScale) },
  { name: 'pose age p50 ms', of: ({ ageMs }) => ageMs?.p50 },
  { name: 'input to frame p50 ms', of: ({ inputReadyMs }) => inputReadyMs?.p50 },
  { name: 'input to frame mean ms', of: ({ inputReadyMs }) => inputReadyMs?.mean },
  { name: 'input to refresh mean ms', of: ({ inputShownMs }) => inputShownMs?.mean },
  { name: 'step p99 ms', of: ({ tick }) => tick?.p99Ms },
];

const percent = (value: number | null): number | undefined =>
  value === null ? undefined : value * 100;
const share = (part: number | undefined, all: number): number | undefined =>
  part === undefined ? undefined : (part / all) * 100;
/** To a tenth of a per cent: the end of a recovery of the display's delay, 1 ms a second, is smaller. */
const offBy = (timeScale: number | undefined): number | undefined =>
  timeScale === undefined ? undefined : Math.round(Math.abs(1 - timeScale) * 1000) / 10;

export interface Ratio {
  readonly metric: Metric;
  /** Means of the repeats. */
  readonly ours: number;
  readonly theirs: number;
  /** Ours over theirs, if neither is 0. */
  readonly change: Change;
  readonly outcome: 'less' | 'more' | 'no difference' | 'cannot tell' | 'too few repeats';
}

export interface ComparedPair extends Pair {
  readonly bodies: number;
  readonly displayHz: number;
  readonly ratios: readonly Ratio[];
}

export function comparedPairs({ cases, options }: PeersResult): ComparedPair[] {
  return PAIRS.flatMap((pair) =>
    options.displayHz.flatMap((displayHz) =>
      options.bodies.flatMap((bodies) => {
        const ours = findCase(cases, pair.ours, bodies, displayHz);
        const theirs = findCase(cases, pair.theirs, bodies, displayHz);
        if (ours === undefined || theirs === undefined) return [];
        const ratios = METRICS.flatMap((metric) => ratioOf(metric, ours, theirs) ?? []);
        return [{ ...pair, bodies, displayHz, ratios }];
      }),
    ),
  );
}

/** Undefined if one of them has no such figure. */
export function ratioOf(metric: Metric, ours: PeerCase, theirs: PeerCase): Ratio | undefined {
  const [a, b] = [ours, theirs].map(({ repeats }) =>
    repeats.map(metric.of).filter((value) => value !== undefined),
  );
  if (a === undefined || b === undefined || a.length === 0 || b.length === 0) return undefined;
  const [mine, other] = [meanOf(a), meanOf(b)];
  const change = changeOf(b, a);
  return { metric, ours: mine, theirs: other, change, outcome: outcomeOf(a, b, change) };
}

/** With a 0 among the figures there is no ratio; the ranges decide then. */
function outcomeOf(
  ours: readonly number[],
  theirs: readonly number[],
  { kind }: Change,
): Ratio['outcome'] {
  if (ours.concat(theirs).every((value) => value > 0)) {
    return kind === 'faster' ? 'less' : kind === 'slower' ? 'more' : kind;
  }
  if (ours.length < 2 || theirs.length < 2) return 'too few repeats';
  if (Math.max(...ours) < Math.min(...theirs)) return 'less';
  if (Math.min(...ours) > Math.max(...theirs)) return 'more';
  return ours.concat(theirs).every((value) => value === 0) ? 'no difference' : 'cannot tell';
}
