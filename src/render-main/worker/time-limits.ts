/**
 * Limits on the time of workers. They count only the time during which the page is awake, on the page's clock.
 */
import { CONTROL, WORKER_ACTIVITY } from '../../shared/memory/layout.js';

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

interface LivenessLimits {
  /** The longest that a tick may take, in ms. */
  readonly hangLimitMs: number;
  /** The longest that control calls and queries may take, in ms. */
  readonly queryLimitMs: number;
}

interface LivenessEvents {
  /** Called at the start of each check. */
  readonly onLook?: () => void;
  /** The worker has not moved within the limit. @param stalledMs For how long, in ms. */
  readonly onStall: (stalledMs: number) => void;
  /** It is still stalled. */
  readonly onStillStalled: (stalledMs: number) => void;
  /** It has moved again. */
  readonly onRecovery: () => void;
}

/**
 * Detects that a worker hangs: it is in a tick, and its heartbeat does not change. A sleeping worker is not in a tick.
 *
 * A worker that gets no processor time looks the same from here. But if the machine was short of processors or
 * suspended, the page's own checks are late, and a late check counts as one that was in time:
 *
 *     checks   │    │    │                         │    │    │
 *     counted  100  100  100                       100  100  100 ms
 *                        └─ the machine is suspended ─┘
 *
 * A worker that alone gets no processor still counts as hanging. So a stall ends nothing: it is reported, and calls wait.
 * A worker is only given up after a limit several times as long.
 */
export class LivenessMonitor {
  readonly #limits: LivenessLimits;
  readonly #events: LivenessEvents;
  readonly #clock: PageClock;
  #control: Int32Array | undefined;
  #end: () => void = () => {};
  #heartbeat = 0;
  #stalledMs = 0;
  #isStalled = false;

  constructor(limits: LivenessLimits, events: LivenessEvents, clock: PageClock) {
    this.#limits = limits;
    this.#events = events;
    this.#clock = clock;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  watch(control: Int32Array): void {
    this.stop();
    this.#control = control;
    this.#stalledMs = 0;
    this.#isStalled = false;
    this.#end = everyAwake(this.#clock, LOOK_MS, (awakeMs) => this.#look(awakeMs), false);
  }

  stop(): void {
    this.#end();
    this.#control = undefined;
  }

  #look(awakeMs: number): void {
    this.#events.onLook?.();
    const control = this.#control;
    if (control === undefined) return;
    const heartbeat = Atomics.load(control, CONTROL.heartbeat);
    const activity = Atomics.load(control, CONTROL.activity);
    if (heartbeat !== this.#heartbeat || activity === WORKER_ACTIVITY.idle) {
      this.#heartbeat = heartbeat;
      this.#stalledMs = 0;
      if (this.#isStalled) {
        this.#isStalled = false;
        this.#events.onRecovery();
      }
      return;
    }
    this.#stalledMs += awakeMs;
    const { hangLimitMs, queryLimitMs } = this.#limits;
    if (this.#stalledMs < (activity === WORKER_ACTIVITY.ticking ? hangLimitMs : queryLimitMs))
      return;
    if (this.#isStalled) {
      this.#events.onStillStalled(this.#stalledMs);
    } else {
      this.#isStalled = true;
      this.#events.onStall(this.#stalledMs);
    }
  }
}
