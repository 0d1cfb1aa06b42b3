/** Ranges of the options that both threads check. Import it as a namespace: a bundle contains what it uses. */

/** Hz. Below 1, a tick is longer than a second of delay; above 1000, the sleep is coarser than the tick. */
export const tickRateHz = [1, 1000] as const;
/** Hz. Frames per second that a frame limiter lets through. */
export const limitHz = [1, 1000] as const;
/** Simulated seconds per second. */
export const timeScale = [0.01, 100] as const;
/** Ticks of one pass. */
export const maxCatchUpTicks = [1, 1000] as const;
/** Turns of the event loop per second. With more, a turn costs more than it gains. */
export const turnsPerSecond = [1, 1000] as const;
/** Ticks of one `step` call. */
export const stepTicks = 10_000;
/** Unsigned 32-bit integers. */
export const seed = [0, 2 ** 32 - 1] as const;
/** Generation of a slot: 12 bits of the body id. */
export const generation = [0, 0xfff] as const;
/** Characters of a body's tag as JSON. */
export const tagLength = 1000;
/** Nesting depth of lists and objects in plain data. The code that walks through them is recursive. */
export const jsonDepth = 200;
/** The largest finite 32-bit float: engines compute with those. */
export const float32 = 3.4028234663852886e38;
