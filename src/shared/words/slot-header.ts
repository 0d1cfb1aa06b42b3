/**
 * Slot header: indices into its Float64Array, see docs/protocol.md. The same record, without states, is also published
 * separately as the *status*. Code that only needs the worker's progress reads that, and so does not replace the slot
 * of a frame that is being drawn.
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
