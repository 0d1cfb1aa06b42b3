/** For which tick a batch is, and for which side of its step. */

/** Parts of a {@link BatchSide}. */
export const BEFORE_STEP = 1;
export const AFTER_STEP = 2;

/**
 * - 0: of no tick. It is applied as soon as possible.
 * - 1: before the step of a tick that it is given.
 * - 2: after the step of the tick that was given last.
 * - 3: after the step of a tick that it is given.
 */
export type BatchSide = 0 | 1 | 2 | 3;

/**
 * Most ticks of one frame for which callbacks are called, most ticks that are given in advance, and how long what comes
 * after a step waits for the next call: half a second at 60 Hz.
 */
export const MOST_TICKS = 30;

/** The event of what was wrong with a batch that was applied after it was answered. Its value is a `BatchProblem`. */
export const BATCH_PROBLEM = 'betwixt/batch-problem';
