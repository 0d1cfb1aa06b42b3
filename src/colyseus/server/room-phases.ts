/**
 * When within a period a new room has its ticks: far from those of the others.
 *
 *     others     │A       B       C       │A       B       C
 *     a new one  │    ▲                   │    ▲              as far from A and B as it gets
 *
 * Rooms whose ticks are due at the same moment are late behind each other, however much of the period is left.
 */

/** Phases that are tried. At 60 Hz, they are 0.07 ms apart. */
const CANDIDATES = 240;

/** What a room does to others, for this choice. */
export interface PeriodicRoom {
  /** When its next tick is due, in ms. */
  readonly nextDueMs: number;
  readonly periodMs: number;
}

/**
 * Chooses when the first tick is due. Each tick of another room counts by the inverse of its distance: so of several gaps of the
 * same size, the one with the emptier neighborhood is taken, and places that rooms have left are taken again.
 *
 * @param periodMs Of the new room. Rooms of rates that have no common multiple nearby drift past each other; nothing helps there.
 * @param afterMs The first tick is due at most one period later than that, and not at this time itself.
 */
export function quietDueMs(
  rooms: Iterable<PeriodicRoom>,
  periodMs: number,
  afterMs: number,
): number {
  const phases: number[] = [];
  for (const room of rooms) {
    // Those of a faster room are several.
    for (let since = 0; since < periodMs; since += room.periodMs) {
      phases.push((((room.nextDueMs + since - afterMs) % periodMs) + periodMs) % periodMs);
    }
  }
  let [best, least] = [periodMs, Number.POSITIVE_INFINITY];
  for (let index = CANDIDATES; index > 0; index--) {
    const candidate = (index / CANDIDATES) * periodMs;
    let crowd = 0;
    for (const phase of phases) {
      const distance = Math.abs(candidate - phase);
      crowd += 1 / Math.min(distance, periodMs - distance);
    }
    if (crowd < least) [best, least] = [candidate, crowd];
  }
  return afterMs + best;
}
