/** Ranges of the options that both threads check. */
export const LIMITS = {
  /** Hz. Below 1, a tick is longer than a second of delay; above 1000, the sleep is coarser than the tick. */
  tickRateHz: [1, 1000],
  /** Hz. Frames per second that a frame limiter lets through. */
  limitHz: [1, 1000],
  /** Simulated seconds per second. */
  timeScale: [0.01, 100],
  /** Ticks. */
  maxCatchUpTicks: [1, 1000],
  /** Ticks of one `step` call. */
  stepTicks: 10_000,
  /** Unsigned 32-bit integers. */
  seed: [0, 2 ** 32 - 1],
  /** Of a body's slot: 12 bits of the body id. */
  generation: [0, 0xfff],
  /** Characters of a body's tag as JSON. */
  tagLength: 1000,
  /** Nesting depth of lists and objects in plain data. The code that walks through them is recursive. */
  jsonDepth: 200,
} as const;
