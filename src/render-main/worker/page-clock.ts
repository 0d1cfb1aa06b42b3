/** The page's clock, and the time during which the page was awake, by which limits on workers are measured. */

/** Interval of the checks, in ms. */
export const LOOK_MS = 100;

/** A clock and its timers. Tests pass a scripted one. */
export interface PageClock {
  /** Page time, in ms. */
  now(): number;
  /**
   * Calls a function periodically.
   *
   * @param periodMs From one call to the next. Calls are late on a busy machine.
   * @param isWaitedFor Whether something waits for it: in Node, only such a timer keeps the process alive.
   * @returns Stops it.
   */
  every(periodMs: number, look: () => void, isWaitedFor: boolean): () => void;
}

/** The page's default clock. */
export const PAGE_CLOCK: PageClock = {
  now: () => performance.now(),
  every: (periodMs, look, isWaitedFor) => {
    const timer = setInterval(look, periodMs);
    if (!isWaitedFor) (timer as { unref?: () => void }).unref?.();
    return () => clearInterval(timer);
  },
};

/**
 * Counts the time during which this page was awake, check by check. A late check knows nothing about the time before
 * it: the page was blocked, frozen or asleep, or it got no processor, and other threads may not have got one either. So
 * a check counts for at most one period, however late it is.
 */
export class AwakeTime {
  readonly #clock: Pick<PageClock, 'now'>;
  #lastLookMs: number;

  constructor(clock: Pick<PageClock, 'now'>) {
    this.#clock = clock;
    this.#lastLookMs = clock.now();
  }

  /** Time to count since the last check, in ms: 0 to {@link LOOK_MS}. */
  look(): number {
    const nowMs = this.#clock.now();
    const elapsedMs = nowMs - this.#lastLookMs;
    this.#lastLookMs = nowMs;
    return Math.min(Math.max(elapsedMs, 0), LOOK_MS);
  }
}

/**
 * Waits for at most a given time during which this page was awake.
 *
 * @param onEnd Called when that time is over, unless the wait has been ended.
 * @param lookMs Interval of the checks, in ms: at most {@link LOOK_MS}.
 * @param isOver Also ends the wait, at the next check.
 * @returns Ends the wait.
 */
export function whenAwakeFor(
  clock: PageClock,
  limitMs: number,
  onEnd: () => void,
  lookMs = Math.min(LOOK_MS, limitMs),
  isOver: () => boolean = () => false,
): () => void {
  const awake = new AwakeTime(clock);
  let waitedMs = 0;
  const look = (): void => {
    waitedMs += awake.look();
    if (waitedMs < limitMs && !isOver()) return;
    end();
    onEnd();
  };
  const end = clock.every(lookMs, look, true);
  return end;
}
