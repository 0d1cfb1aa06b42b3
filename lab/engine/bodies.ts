/**
 * Three bodies whose position at any time is a formula, so that what is drawn can be compared with
 * the truth exactly. Lengths in units, times in ms.
 *
 *     flyer   constant speed: shows judder, lag, and drift
 *     ball    bounces off a floor at 0: interpolation cuts its corner, prediction goes below the
 *     floor
 *     top     turns at a constant rate: its rotation is interpolated by the shorter arc
 */

export const BODIES = ['flyer', 'ball', 'top'] as const;
export type BodyName = (typeof BODIES)[number];

/** 1 unit a second, per ms. */
export const FLYER_SPEED = 0.001;
/**
 * Time from bounce to bounce; the ball rises to 1 unit in between. Not a whole number of ticks at
 * any usual rate: bounces fall between updates, as in practice.
 */
export const BALL_PERIOD_MS = 970;
/** From h = g T² / 8 with a height of 1 unit; units a second squared. */
export const BALL_GRAVITY = 8 / (BALL_PERIOD_MS / 1000) ** 2;
const BALL_TAKE_OFF = (BALL_GRAVITY * BALL_PERIOD_MS) / 2000;
/** Half a turn a second, in radians per ms. */
export const TOP_RATE = Math.PI / 1000;

export function flyerAt(ms: number): number {
  return FLYER_SPEED * ms;
}

/** Height above the floor. */
export function ballAt(ms: number): number {
  const s = sinceBounce(ms) / 1000;
  return BALL_TAKE_OFF * s - (BALL_GRAVITY * s * s) / 2;
}

/** Units a second, upwards. */
export function ballSpeedAt(ms: number): number {
  return BALL_TAKE_OFF - (BALL_GRAVITY * sinceBounce(ms)) / 1000;
}

/** Angle in radians, not wrapped. */
export function topAt(ms: number): number {
  return TOP_RATE * ms;
}

/** Which part of simulated time a frame shows, and how: the input for drawing. */
export interface DrawnTime {
  /** Simulated times of the two states, in ms. */
  readonly previousMs: number;
  readonly currentMs: number;
  /** Place between them, in [0, 1]. */
  readonly alpha: number;
  /** Extrapolation from the current state by its speed, in ms. */
  readonly predictMs: number;
}

/** Simulated time that a frame shows, in ms. */
export function shownMs(time: DrawnTime): number {
  const { previousMs, currentMs, alpha, predictMs } = time;
  return between(previousMs, currentMs, alpha) + predictMs;
}

/** Where a frame shows the bodies: between the two states, or beyond the current one. */
export function drawnFlyer(time: DrawnTime): number {
  return (
    between(flyerAt(time.previousMs), flyerAt(time.currentMs), time.alpha) +
    FLYER_SPEED * time.predictMs
  );
}

export function drawnBall(time: DrawnTime): number {
  return (
    between(ballAt(time.previousMs), ballAt(time.currentMs), time.alpha) +
    (ballSpeedAt(time.currentMs) * time.predictMs) / 1000
  );
}

/** A slerp about a fixed axis: the shorter arc from the previous angle to the current one. */
export function drawnTop(time: DrawnTime): number {
  const from = topAt(time.previousMs);
  return from + shorterArc(topAt(time.currentMs) - from) * time.alpha + TOP_RATE * time.predictMs;
}

/** The same turn, in [−π, π). */
export function shorterArc(angle: number): number {
  const turns = Math.floor(angle / (2 * Math.PI) + 0.5);
  return angle - turns * 2 * Math.PI;
}

/** Exact at both ends. */
function between(from: number, to: number, alpha: number): number {
  return alpha === 1 ? to : from + (to - from) * alpha;
}

function sinceBounce(ms: number): number {
  return ms - Math.floor(ms / BALL_PERIOD_MS) * BALL_PERIOD_MS;
}
