/** Bits of the flags of a record in the event queue. */

export const on = 1;
export const late = 2;
export const replayed = 4;
