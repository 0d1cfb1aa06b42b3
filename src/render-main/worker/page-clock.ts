/** The page's clock, and time during which the page was awake: what limits on others are measured in. */

/** So often who waits looks, in ms. */
export const LOOK_MS = 100;

/** A clock and its timers. Tests give a scripted one. */
export interface PageClock {
  /** Page time, in ms. */
  now(): number;
  /**
   * Calls a function again and again.
   *
   * @param periodMs From one call to the next. They come late on a machine that is busy.
   * @param isWaitedFor Somebody waits for it: in Node, where timers keep a process alive, only such a one does.
   * @returns Ends it.
   */
  every(periodMs: number, look: () => void, isWaitedFor: boolean): () => void;
}

/** The one that all of this page shares. */
export const PAGE_CLOCK: PageClock = {
  now: () => performance.now(),
  every: (periodMs, look, isWaitedFor) => {
    const timer = setInterval(look, periodMs);
    if (!isWaitedFor) (timer as { unref?: () => void }).unref?.();
    return () => clearInterval(timer);
  },
};

/**
 * Counts the time during which this page was awake, look by look. A look that comes late has seen nothing of what was
 * before it: the page was blocked, frozen or asleep, or the machine gave it no processor, and may have given none to
 * anybody else. So a look counts for one period at most, however late it is.
 */
export class AwakeTime {
  readonly #clock: Pick<PageClock, 'now'>;
  #lastLookMs: number;

  constructor(clock: Pick<PageClock, 'now'>) {
    this.#clock = clock;
    this.#lastLookMs = clock.now();
  }

  /** What counts since the last look, in ms: 0 to {@link LOOK_MS}. */
  look(): number {
    const nowMs = this.#clock.now();
    const elapsedMs = nowMs - this.#lastLookMs;
    this.#lastLookMs = nowMs;
    return Math.min(Math.max(elapsedMs, 0), LOOK_MS);
  }
}

/**
 * Waits, for so much time during which this page was awake at most.
 *
 * @param onLimit Called when that time is over, unless the wait has been ended.
 * @returns Ends the wait.
 */
export function whenAwakeFor(clock: PageClock, limitMs: number, onLimit: () => void): () => void {
  const awake = new AwakeTime(clock);
  let waitedMs = 0;
  const look = (): void => {
    waitedMs += awake.look();
    if (waitedMs < limitMs) return;
    end();
    onLimit();
  };
  const end = clock.every(Math.min(LOOK_MS, limitMs), look, true);
  return end;
}
