/** The figures of a contestant, and the rows of the tables with them. */
import type { Metric } from '../../tables/figures.js';

/** The flight of one probe. */
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
  /** Share of time in which the main thread was busy. */
  readonly busyShare: number;
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

export interface FaultRepeat {
  readonly teleports: number;
  /** Frames that drew the body in between; null if it has no such probe. */
  readonly smearedSingle: number | null;
  readonly smearedInstanced: number | null;
  /** Null: it has no worker. */
  readonly afterThrow: { readonly isAlive: boolean; readonly stoodMs: number } | null;
}

/** The single probe's, or that of the instanced one if a contestant has only that. */
const motionFor = (repeat: PeerRepeat): MotionFigures | null => repeat.single ?? repeat.instanced;

export const METRICS: readonly Metric<PeerRepeat>[] = [
  { what: 'frame p50', unit: 'ms', of: ({ costMs }) => costMs.p50 },
  { what: 'frame p95', unit: 'ms', of: ({ costMs }) => costMs.p95 },
  { what: 'frame p99', unit: 'ms', of: ({ costMs }) => costMs.p99 },
  { what: 'frames over 6.94 ms', unit: '%', of: (one) => percent(one.overBudget, one.frames) },
  { what: 'page busy', unit: '%', of: ({ busyShare }) => percent(busyShare) },
  {
    what: 'missed frames',
    unit: '%',
    of: ({ missedFrames, frames }) => percent(missedFrames, frames + missedFrames),
  },
  { what: 'time scale off by', unit: '%', of: (repeat) => offBy(motionFor(repeat)?.timeScale) },
  {
    what: 'repeated frames',
    unit: '%',
    of: (one) => percent(motionFor(one)?.repeated, one.frames),
  },
  {
    what: 'repeated frames, instances',
    unit: '%',
    of: ({ instanced, frames }) => percent(instanced?.repeated, frames),
  },
  { what: 'jumps', unit: '', of: (repeat) => motionFor(repeat)?.jumps },
  { what: 'steps backward', unit: '', of: (repeat) => motionFor(repeat)?.backward },
  {
    what: 'animation error mean',
    unit: 'ms',
    of: (repeat) => motionFor(repeat)?.animationErrorMs.mean,
  },
  {
    what: 'animation error p99',
    unit: 'ms',
    of: (repeat) => motionFor(repeat)?.animationErrorMs.p99,
  },
  { what: 'pose age p50', unit: 'ms', of: ({ ageMs }) => ageMs?.p50 },
  { what: 'input to frame mean', unit: 'ms', of: ({ inputReadyMs }) => inputReadyMs?.mean },
  { what: 'input to refresh mean', unit: 'ms', of: ({ inputShownMs }) => inputShownMs?.mean },
  { what: 'step p99', unit: 'ms', of: ({ tick }) => tick?.p99Ms },
  { what: 'ticks dropped', unit: '', of: ({ tick }) => tick?.dropped },
];

export const FAULT_METRICS: readonly Metric<FaultRepeat>[] = [
  { what: 'frames in between, of a mesh', unit: '', of: ({ smearedSingle }) => smearedSingle },
  { what: 'of an instance', unit: '', of: ({ smearedInstanced }) => smearedInstanced },
  {
    what: 'no motion after an error in its worker',
    unit: 's',
    of: ({ afterThrow }) => (afterThrow === null ? null : afterThrow.stoodMs / 1000),
  },
];

const percent = (part: number | null | undefined, all = 1): number | null =>
  part === null || part === undefined ? null : (part / all) * 100;
/** To a tenth of a per cent: the end of a recovery of the display's delay, 1 ms a second, is smaller. */
const offBy = (timeScale: number | undefined): number | undefined =>
  timeScale === undefined ? undefined : Math.round(Math.abs(1 - timeScale) * 1000) / 10;
