/**
 * Figures of a contestant's frames: a probe flies at 1 m/s along x and touches nothing, so the x
 * that is drawn, in metres, is the simulated time that is shown, in seconds.
 */
import { distributionOf, quantileOf } from '../../engine/samples.js';
import type { MotionFigures, PeerRepeat } from './figures.js';

/** Frames that were drawn, in order. One array per column, all of one length; times in ms. */
export interface FrameLog {
  readonly displayHz: number;
  /** Number of the display's frame: its stamp is `frame / displayHz`. Missed frames leave a gap. */
  readonly frame: readonly number[];
  /** From the stamp to the page's callback. */
  readonly lateMs: readonly number[];
  /** Work on the main thread for this frame, with the messages since the one before. */
  readonly costMs: readonly number[];
  /**
   * Age of what is drawn: the stamp minus the time that it represents. NaN if it was not asked for.
   */
  readonly ageMs: readonly number[];
  /** Drawn x of the probes, in m. NaN if the contestant has no such probe. */
  readonly singleX: readonly number[];
  readonly instancedX: readonly number[];
}

/** A tick of every contestant, in s. */
export const TICK_SECONDS = 1 / 60;

/**
 * Less motion than this, in m, is a repeated frame: 10 µs of flight, ten times the rounding of a
 * matrix.
 */
const STILL = 1e-5;
/** A motion of this multiple of the longer of tick and frame is a jump. */
const JUMP = 1.5;
/** Length of a frame on a display of 144 Hz: "over budget" means this at every rate. */
export const FRAME_BUDGET_MS = 1000 / 144;

/** The part of a repeat's figures that comes from its frames. */
export type FrameFigures = Pick<
  PeerRepeat,
  | 'frames'
  | 'missedFrames'
  | 'lateFrames'
  | 'costMs'
  | 'overBudget'
  | 'single'
  | 'instanced'
  | 'ageMs'
>;

/** @throws RangeError when fewer than two frames were drawn. */
export function figuresOf(log: FrameLog): FrameFigures {
  const { frame, costMs, lateMs, ageMs } = log;
  const [first, last] = [frame[0], frame.at(-1)];
  if (first === undefined || last === undefined || frame.length < 2) {
    throw new RangeError(`at least two frames must be drawn, and ${frame.length} were`);
  }
  const ages = Float64Array.from(ageMs.filter((ms) => !Number.isNaN(ms))).toSorted();
  return {
    frames: frame.length,
    missedFrames: last - first + 1 - frame.length,
    lateFrames: lateMs.filter((ms) => ms > FRAME_BUDGET_MS).length,
    costMs: distributionOf(costMs),
    overBudget: costMs.filter((ms) => ms > FRAME_BUDGET_MS).length,
    single: motionOf(log, log.singleX),
    instanced: motionOf(log, log.instancedX),
    ageMs:
      ages.length === 0
        ? null
        : { p50: quantileOf(ages, 0.5), p99: quantileOf(ages, 0.99), max: quantileOf(ages, 1) },
  };
}

/** Null if the contestant has no such probe. */
export function motionOf(
  { displayHz, frame }: FrameLog,
  x: readonly number[],
): MotionFigures | null {
  if (x.some(Number.isNaN)) return null;
  const steps = frame.slice(1).map((number, index) => ({
    shownSeconds: (x[index + 1] ?? 0) - (x[index] ?? 0),
    displaySeconds: (number - (frame[index] ?? 0)) / displayHz,
  }));
  const errors = steps.map(
    ({ shownSeconds, displaySeconds }) => Math.abs(shownSeconds - displaySeconds) * 1000,
  );
  const { mean, p99, max } = distributionOf(errors);
  return {
    timeScale: slopeOf(
      frame.map((number) => number / displayHz),
      x,
    ),
    repeated: steps.filter(({ shownSeconds }) => Math.abs(shownSeconds) <= STILL).length,
    jumps: steps.filter(
      ({ shownSeconds, displaySeconds }) =>
        shownSeconds > JUMP * Math.max(displaySeconds, TICK_SECONDS),
    ).length,
    backward: steps.filter(({ shownSeconds }) => shownSeconds < -STILL).length,
    animationErrorMs: { mean, p99, max },
  };
}

/**
 * Slope of the line through all points: the two ends would depend on the phase of their frames
 * between ticks.
 */
function slopeOf(at: readonly number[], values: readonly number[]): number {
  const [middle, level] = [meanOf(at), meanOf(values)];
  let [products, squares] = [0, 0];
  for (const [index, position] of at.entries()) {
    products += (position - middle) * ((values[index] ?? level) - level);
    squares += (position - middle) ** 2;
  }
  return products / squares;
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Times from an input, in ms: until its frame is ready to be rendered, and until the refresh after that. */
export interface InputTimes {
  readonly readyMs: readonly number[];
  readonly shownMs: readonly number[];
}

export function inputFiguresOf({
  readyMs,
  shownMs,
}: InputTimes): Pick<PeerRepeat, 'inputReadyMs' | 'inputShownMs'> {
  return { inputReadyMs: spreadOf(readyMs), inputShownMs: spreadOf(shownMs) };
}

function spreadOf(values: readonly number[]): PeerRepeat['inputReadyMs'] {
  if (values.length === 0) return null;
  const { mean, p50, p99, max } = distributionOf(values);
  return { count: values.length, mean, p50, p99, max };
}

/** The places between which the probe is teleported, in m, and the tolerance. */
export const TELEPORT_FROM = 2;
export const TELEPORT_TO = 1000;
const NEAR = 30;

/** Frames that show a teleported body where it never was: in between. */
export function smearedFrames(x: readonly number[]): number {
  return x.filter((position) => position > TELEPORT_FROM + NEAR && position < TELEPORT_TO - NEAR)
    .length;
}
