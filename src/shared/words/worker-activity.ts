/** Values of the `activity` control word: only a busy worker can hang. */

/** Asleep until the next due time, or parked. */
export const idle = 0;
/** In a tick, or about to be. */
export const ticking = 1;
/** Giving its event loop turns: control calls and queries run. */
export const answering = 2;
