/** What a frame adds to the time of a scene at most, in s: after a page stood still, its scene continues where it was. */
export const LONGEST_FRAME = 0.05;
