/**
 * Statistics: scalar counters, indices into the Int32Array at `statisticsOffset`. Written only by the worker, one
 * aligned 32-bit word each, so a word never tears; the set is not one consistent moment.
 */

export const passes = 0;
export const ticks = 1;
export const droppedTicks = 2;
export const gaps = 3;
export const catchUpPasses = 4;
export const invalidPoses = 5;
export const publications = 6;
export const overwrittenPublications = 7;
export const slow = 8;
export const gapMs = 9;
export const inputs = 10;
export const lateInputs = 11;
export const timedCommands = 12;
export const events = 13;
export const lostEvents = 14;
/** Time asleep, and the time of the last wake-up, both in µs of the worker's page time, modulo 2^32. */
export const asleepUs = 15;
export const wokenUs = 16;
