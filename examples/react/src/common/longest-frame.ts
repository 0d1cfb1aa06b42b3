/** The most that a frame adds to the time of a scene, in s: after a page was stopped, its scene continues where it was. */
export const LONGEST_FRAME = 0.05;
