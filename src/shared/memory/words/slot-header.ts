/**
 * Slot header: indices into its Float64Array.
 *
 * | field | unit | meaning |
 * |---|---|---|
 * | sequence | | publications so far, 1 for the first |
 * | epoch | | changes of the schedule so far: for tests and tools, the page does not read it |
 * | newestState | | ordinal of the newest state; state n is at index n mod stateCapacity |
 * | stateCount | | how many of the newest states are valid |
 * | bodyLimit | | bodies from this index on have never been used |
 * | bodyCount | | bodies alive |
 * | tickRateHz | Hz | ticks per second of simulated time |
 * | timeScale | | simulated seconds per second |
 * | shiftMs | ms | page time − virtual time, while running |
 * | pausedVirtualMs | ms | virtual time at which the schedule is paused, NaN while running |
 * | originVirtualMs | ms | virtual time at which tick 0 was due |
 * | droppedMs | ms | time of the ticks dropped since tick 0 |
 * | newestTick | | number of the newest state's tick |
 * | newestSimulatedSeconds | s | simulated time of the newest state |
 * | journals | | journal messages posted before it: the page may not have all of them yet |
 *
 * The same record, without states, is also published separately as the *status*. Code that only needs the worker's
 * progress reads that, and so does not replace the slot of a frame that is being drawn.
 */

export const sequence = 0;
export const epoch = 1;
export const newestState = 2;
export const stateCount = 3;
export const bodyLimit = 4;
export const bodyCount = 5;
export const tickRateHz = 6;
export const timeScale = 7;
export const shiftMs = 8;
export const pausedVirtualMs = 9;
export const originVirtualMs = 10;
export const droppedMs = 11;
export const newestTick = 12;
export const newestSimulatedSeconds = 13;
export const journals = 14;
