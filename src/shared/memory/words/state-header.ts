/**
 * State header: indices into the Float64 words of one state.
 *
 * | field | unit | meaning |
 * |---|---|---|
 * | ordinal | | states published so far; never goes back, unlike the tick of a restarted run |
 * | tick | | tick number |
 * | virtualMs | ms | virtual time at which the tick was due |
 * | simulatedSeconds | s | simulated time after the tick |
 * | latenessMs | ms | publication minus due time, on the schedule of that moment |
 * | inputMs | ms | page time of the earliest input of this tick, or of an earlier one whose state was not fetched; NaN: none |
 */

export const ordinal = 0;
export const tick = 1;
export const virtualMs = 2;
export const simulatedSeconds = 3;
export const latenessMs = 4;
export const inputMs = 5;
