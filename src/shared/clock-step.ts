/**
 * By how much a clock moves at a time. Browsers make clocks coarse, so that pages cannot measure what is none of their
 * business: a fraction of a microsecond in Node, 5 to 20 µs on isolated pages, 0.1 to 1 ms on others.
 */

/** One step may be several, where the thread lost its processor; the smallest of so many counts. */
const STEPS = 3;
/** Of a clock whose steps are longer the first one is enough, in ms. */
const ENOUGH_MS = 5;
/** At 30 to 100 ns a reading this ends after 15 to 50 ms, also with a clock that stands still. */
const MOST_READINGS = 500_000;

/**
 * Spins until the clock has moved a few times.
 *
 * @returns Its step in ms; Infinity for a clock that does not move.
 */
export function clockStepMs(now: () => number): number {
  let stepMs = Number.POSITIVE_INFINITY;
  const startMs = now();
  let lastMs = startMs;
  let steps = 0;
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const nowMs = now();
    if (nowMs === lastMs) continue;
    stepMs = Math.min(stepMs, Math.abs(nowMs - lastMs));
    lastMs = nowMs;
    steps += 1;
    if (steps === STEPS || nowMs - startMs > ENOUGH_MS) break;
  }
  return stepMs;
}
