/** Ranges of the options that both threads check, in one place. */
export const LIMITS = {
  /** Hz. Below 1 a tick is longer than a second of delay; above 1000 the sleep is coarser than the tick. */
  tickRateHz: [1, 1000],
  /** Hz. Frames a second that a limiter lets through. */
  limitHz: [1, 1000],
  /** Simulated seconds per second. */
  timeScale: [0.01, 100],
  /** Ticks. */
  maxCatchUpTicks: [1, 1000],
  /** Ticks of one `step` call. */
  stepTicks: 10_000,
  /** Words of 32 bits without sign. */
  seed: [0, 2 ** 32 - 1],
  /** Of a body's slot: 12 bits of its id. */
  generation: [0, 0xfff],
  /** Levels of lists and objects within each other in plain data: what walks through them does so on the stack. */
  jsonDepth: 200,
} as const;
