/** The figures of a contestant's case as columns: the terminal's table and the report's show the same. */
import { meanOf } from '../../engine/samples.js';
import { countText, msText, percentText } from '../../engine/format.js';
import { figureText } from './format.js';
import type { PeerCase, PeerRepeat } from './result.js';
import { motionFor } from './ratios.js';

export interface PeerColumn {
  /** Two lines. */
  readonly title: readonly [string, string];
  /** Empty if there is no such figure. */
  readonly cell: (one: PeerCase) => string;
}

type Of = (repeat: PeerRepeat) => number | null | undefined;

/** Mean of the repeats. */
function mean(of: Of, text: (value: number) => string = msText): PeerColumn['cell'] {
  return ({ repeats }) => {
    const values = repeats.flatMap((repeat) => of(repeat) ?? []);
    return values.length === 0 ? '' : text(meanOf(values));
  };
}

function highest(of: Of): PeerColumn['cell'] {
  return ({ repeats }) => {
    const values = repeats.flatMap((repeat) => of(repeat) ?? []);
    return values.length === 0 ? '' : msText(Math.max(...values));
  };
}

function total(of: Of): PeerColumn['cell'] {
  return ({ repeats }) => {
    const values = repeats.flatMap((repeat) => of(repeat) ?? []);
    return values.length === 0 ? '' : countText(sumOf(values));
  };
}

/** Of the frames of all repeats. */
function shareOf(of: Of): PeerColumn['cell'] {
  return ({ repeats }) => {
    const counts = repeats.flatMap((repeat) => of(repeat) ?? []);
    if (counts.length === 0) return '';
    return percentText(sumOf(counts) / sumOf(repeats.map(({ frames }) => frames)));
  };
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const drawnOf = ({ frames, missedFrames }: PeerRepeat): number => frames / (frames + missedFrames);

export const PEER_COLUMNS: readonly PeerColumn[] = [
  { title: ['frame', 'p50 ms'], cell: mean(({ costMs }) => costMs.p50) },
  { title: ['', 'p95'], cell: mean(({ costMs }) => costMs.p95) },
  { title: ['', 'p99'], cell: mean(({ costMs }) => costMs.p99) },
  { title: ['', 'max'], cell: highest(({ costMs }) => costMs.max) },
  { title: ['over', '6.94 ms'], cell: shareOf(({ overBudget }) => overBudget) },
  { title: ['main th.', 'busy'], cell: mean(({ busyShare }) => busyShare, percentText) },
  { title: ['frames', 'drawn'], cell: mean(drawnOf, percentText) },
  {
    title: ['time', 'scale'],
    cell: mean(
      (one) => motionFor(one)?.timeScale,
      (value) => value.toFixed(3),
    ),
  },
  { title: ['repeated', 'as mesh'], cell: shareOf(({ single }) => single?.repeated) },
  { title: ['', 'as inst.'], cell: shareOf(({ instanced }) => instanced?.repeated) },
  { title: ['jumps', ''], cell: total((one) => motionFor(one)?.jumps) },
  { title: ['back-', 'ward'], cell: total((one) => motionFor(one)?.backward) },
  {
    title: ['anim. err.', 'mean ms'],
    cell: mean((one) => motionFor(one)?.animationErrorMs.mean, figureText),
  },
  { title: ['', 'p99'], cell: mean((one) => motionFor(one)?.animationErrorMs.p99, figureText) },
  { title: ['', 'max'], cell: highest((one) => motionFor(one)?.animationErrorMs.max) },
  { title: ['age', 'p50 ms'], cell: mean(({ ageMs }) => ageMs?.p50) },
  { title: ['', 'p99'], cell: mean(({ ageMs }) => ageMs?.p99) },
  { title: ['input to', 'frame p50'], cell: mean(({ inputReadyMs }) => inputReadyMs?.p50) },
  { title: ['', 'p99'], cell: mean(({ inputReadyMs }) => inputReadyMs?.p99) },
  { title: ['to refresh', 'p50'], cell: mean(({ inputShownMs }) => inputShownMs?.p50) },
  { title: ['', 'p99'], cell: mean(({ inputShownMs }) => inputShownMs?.p99) },
  { title: ['step', 'p99 ms'], cell: mean(({ tick }) => tick?.p99Ms) },
  { title: ['ticks', 'dropped'], cell: total(({ tick }) => tick?.dropped) },
];
