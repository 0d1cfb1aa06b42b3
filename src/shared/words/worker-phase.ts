/** Values of the `phase` control word. */

export const starting = 0;
export const running = 1;
export const paused = 2;
export const stopped = 3;
export const failed = 4;
