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
} as const;
