/** Pace: indices into its Float64 words, see docs/protocol.md. */

export const isPaused = 0;
export const resumes = 1;
export const tickRateHz = 2;
export const timeScale = 3;
export const maxCatchUpTicks = 4;
