/**
 * Figures of a contestant's frames: a probe flies at 1 m/s along x and touches nothing, so the x
 * that is drawn, in metres, is the simulated time that is shown, in seconds.
 */
import { distributionOf, meanOf } from '../../engine/samples.js';
import type { MotionFigures, PeerRepeat } from './figures.js';

/** A frame that was drawn. Times in ms. */
export interface DrawnFrame {
  /** Number of the display's frame: its stamp is `frame / displayHz`. Missed frames leave a gap. */
  readonly frame: number;
  /** From the stamp to the page's callback. */
  readonly lateMs: number;
  /** Work on the main thread for this frame, with the messages since the one before. */
  readonly costMs: number;
  /** Age of what is drawn: the stamp minus the time that it represents. NaN if it was not asked for. */
  readonly ageMs: number;
  /** Drawn x of the probes, in m. NaN if the contestant has no such probe. */
  readonly singleX: number;
  readonly instancedX: number;
}

/** A tick of every contestant, in s. */
const TICK_SECONDS = 1 / 60;

/**
 * Less motion than this, in m, is a repeated frame: 10 µs of flight, ten times the rounding of a
 * matrix.
 */
const STILL = 1e-5;
/** A motion of this multiple of the longer of tick and frame is a jump. */
const JUMP = 1.5;
/** Length of a frame on a display of 144 Hz: "over budget" means this at every rate. */
const FRAME_BUDGET_MS = 1000 / 144;

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

/**
 * @param drawn In order.
 * @throws RangeError when fewer than two frames were drawn.
 */
export function figuresOf(drawn: readonly DrawnFrame[], displayHz: number): FrameFigures {
  const [first, last] = [drawn[0], drawn.at(-1)];
  if (first === undefined || last === undefined || drawn.length < 2) {
    throw new RangeError(`at least two frames must be drawn, and ${drawn.length} were`);
  }
  const costsMs = drawn.map(({ costMs }) => costMs);
  const ages = drawn.map(({ ageMs }) => ageMs).filter((ms) => !Number.isNaN(ms));
  return {
    frames: drawn.length,
    missedFrames: last.frame - first.frame + 1 - drawn.length,
    lateFrames: drawn.filter(({ lateMs }) => lateMs > FRAME_BUDGET_MS).length,
    costMs: distributionOf(costsMs),
    overBudget: costsMs.filter((ms) => ms > FRAME_BUDGET_MS).length,
    single: motionOf(drawn, displayHz, ({ singleX }) => singleX),
    instanced: motionOf(drawn, displayHz, ({ instancedX }) => instancedX),
    ageMs: ages.length === 0 ? null : distributionOf(ages),
  };
}

const stepsOf = (values: readonly number[]): number[] =>
  values.slice(1).map((value, index) => value - (values[index] ?? 0));

/** Null if the contestant has no such probe. */
function motionOf(
  drawn: readonly DrawnFrame[],
  displayHz: number,
  xOf: (frame: DrawnFrame) => number,
): MotionFigures | null {
  const seconds = drawn.map(({ frame }) => frame / displayHz);
  const x = drawn.map(xOf);
  if (x.some(Number.isNaN)) return null;
  const shown = stepsOf(x);
  const displayed = stepsOf(seconds);
  const { mean, p99, max } = distributionOf(
    shown.map((step, index) => Math.abs(step - (displayed[index] ?? 0)) * 1000),
  );
  return {
    timeScale: slopeOf(seconds, x),
    repeated: shown.filter((step) => Math.abs(step) <= STILL).length,
    jumps: shown.filter(
      (step, index) => step > JUMP * Math.max(displayed[index] ?? 0, TICK_SECONDS),
    ).length,
    backward: shown.filter((step) => step < -STILL).length,
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
