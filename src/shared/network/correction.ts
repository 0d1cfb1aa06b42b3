/**
 * Keeps a client's ticks at a distance from its room's: behind it, so that packets have arrived by then, or ahead of it, so
 * that actions arrive in time.
 *
 * The client's own schedule decides when its ticks are due. It is only made a little faster or slower, so that nothing
 * jumps on the screen; if it is too far off, ticks are skipped or repeated at once.
 */

/** What to do about the distance. */
export interface Correction {
  /** Speed of the client's time, 0.95 to 1.05. */
  readonly timeScale: number;
  /** Ticks to skip; negative: to wait for. 0 unless the distance is far off. */
  readonly skippedTicks: number;
}

export interface CorrectionLimits {
  /** Most by which the client's time runs faster. */
  readonly maxGain: number;
  /** Most by which it runs slower. */
  readonly maxFall: number;
  /** A larger error is gone in one step, in ms. */
  readonly jumpMs: number;
  /** A smaller error is left alone, in ms. */
  readonly deadZoneMs: number;
  /** Within this time, a client that is too far behind reduces the error to a third, in ms. One that is too far ahead: a second. */
  readonly gainMs: number;
}

const NOTHING: Correction = { timeScale: 1, skippedTicks: 0 };
const FALL_MS = 1000;

/**
 * @param errorMs How far the client's ticks are too far behind, in ms; negative: too far ahead. Not finite: it is not known.
 * @param periodMs From one of the client's ticks to the next.
 */
export function correctionOf(
  errorMs: number,
  periodMs: number,
  { maxGain, maxFall, jumpMs, deadZoneMs, gainMs }: CorrectionLimits,
): Correction {
  if (!Number.isFinite(errorMs) || Math.abs(errorMs) < deadZoneMs) return NOTHING;
  if (Math.abs(errorMs) > jumpMs) {
    return { timeScale: 1, skippedTicks: Math.round(errorMs / periodMs) };
  }
  const slew = Math.max(-maxFall, Math.min(maxGain, errorMs / (errorMs < 0 ? FALL_MS : gainMs)));
  return { timeScale: 1 + slew, skippedTicks: 0 };
}
