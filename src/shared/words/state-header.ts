/** State header: indices into the Float64 words of one state, see docs/protocol.md. Times are in ms. */

export const ordinal = 0;
export const tick = 1;
export const virtualMs = 2;
export const simulatedSeconds = 3;
export const latenessMs = 4;
export const inputMs = 5;
