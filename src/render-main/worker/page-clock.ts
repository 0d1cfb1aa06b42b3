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
 * Checks periodically, and counts the time during which this page was awake. A late check knows nothing about the time
 * before it: the page was blocked, frozen or asleep, or it got no processor, and other threads may not have got one
 * either. So a check counts for at most {@link LOOK_MS}, however late it is.
 *
 * @param look Receives the time to count since the last check, in ms.
 * @returns Stops it.
 */
export function everyAwake(
  clock: PageClock,
  periodMs: number,
  look: (awakeMs: number) => void,
  isWaitedFor: boolean,
): () => void {
  let lastLookMs = clock.now();
  const count = (): void => {
    const nowMs = clock.now();
    const elapsedMs = nowMs - lastLookMs;
    lastLookMs = nowMs;
    look(Math.min(Math.max(elapsedMs, 0), LOOK_MS));
  };
  return clock.every(periodMs, count, isWaitedFor);
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
  let waitedMs = 0;
  const look = (awakeMs: number): void => {
    waitedMs += awakeMs;
    if (waitedMs < limitMs && !isOver()) return;
    end();
    onEnd();
  };
  const end = everyAwake(clock, lookMs, look, true);
  return end;
}
