/** The words that the worker that draws shares with a page that is blocked. */
export const WORDS = { frames: 0, tick: 1 } as const;
