/** What a probe has in the block of values. */

/** 0: it was not cast; 1: it hits nothing; 2: it hits something. */
export const ANSWER = 0;
/** The collider's handle, two numbers. */
export const COLLIDER = 1;
export const TIME_OF_IMPACT = 3;
/** Where it hits, x y z. */
export const POINT = 4;
/** Of what it hits, x y z. */
export const NORMAL = 7;
/** How many of them. */
export const COUNT = 10;

export const NOT_CAST = 0;
export const NO_HIT = 1;
export const HIT = 2;
