/**
 * Keeps a client's ticks at a distance from its room's: behind it, so that packets have arrived by then, or ahead of it, so
 * that actions arrive in time.
 *
 * The client's own schedule decides when its ticks are due. It is only made a little faster or slower, so that nothing
 * jumps on the screen; if it is too far off, ticks are skipped or repeated at once.
 */

/** Most by which the client's time runs faster or slower: 5 % is hard to see. */
const MAX_SLEW = 0.05;
/** An error this large is gone in one step, in ms. */
const JUMP_MS = 500;
/** Within this time, an error is reduced to a third, in ms. */
const TIME_CONSTANT_MS = 1000;
/** Errors below this are left alone: they are smaller than what is known of the clocks, in ms. */
const DEAD_ZONE_MS = 0.5;

/** What to do about the distance. */
export interface Correction {
  /** Speed of the client's time, 0.95 to 1.05. */
  readonly timeScale: number;
  /** Ticks to skip; negative: to wait for. 0 unless the distance is far off. */
  readonly skippedTicks: number;
}

const NOTHING: Correction = { timeScale: 1, skippedTicks: 0 };

export class TickAlignment {
  readonly #periodMs: number;
  #least = Number.POSITIVE_INFINITY;

  /** @param periodMs From one of the client's ticks to the next. */
  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  /**
   * Notes a tick of the client.
   *
   * @param behindMs Time on the room's clock minus the time at which the room's tick of this number is due; negative if the
   *   client is ahead. A tick that runs late is farther behind than it should be, so the least of some counts.
   */
  note(behindMs: number): void {
    this.#least = Math.min(this.#least, behindMs);
  }

  /**
   * Compares the ticks since the last call.
   *
   * @param wantedMs How far behind they should be, in ms; negative: ahead.
   */
  correct(wantedMs: number): Correction {
    const errorMs = this.#least - wantedMs;
    this.#least = Number.POSITIVE_INFINITY;
    if (!Number.isFinite(errorMs) || Math.abs(errorMs) < DEAD_ZONE_MS) return NOTHING;
    if (Math.abs(errorMs) > JUMP_MS) {
      return { timeScale: 1, skippedTicks: Math.round(errorMs / this.#periodMs) };
    }
    // Too far behind: faster.
    const slew = Math.max(-MAX_SLEW, Math.min(MAX_SLEW, errorMs / TIME_CONSTANT_MS));
    return { timeScale: 1 + slew, skippedTicks: 0 };
  }
}
