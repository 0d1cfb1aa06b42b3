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

interface LivenessEvents {
  /** Called at the start of each check. */
  readonly onLook?: () => void;
  /** The worker has been silent for half of the limit: asks for a heartbeat, which also one that is asleep can give. */
  readonly ask: () => void;
  /**
   * The worker was silent for all of the limit.
   *
   * @param silentMs For how long, in ms.
   * @param isInStep Whether it was in a tick the last time that it said what it does.
   */
  readonly onStall: (silentMs: number, isInStep: boolean) => void;
  /** Called while the worker is still stalled. */
  readonly onStillStalled: (silentMs: number, isInStep: boolean) => void;
  /** Called when its heartbeat has changed again. */
  readonly onRecovery: () => void;
}

/**
 * Detects that a worker hangs or is gone: its heartbeat does not change. One that runs beats with each pass. One that is
 * paused sleeps until a call wakes it, and beats then. So a call is made in the middle of each silence:
 *
 *     heartbeat   7  8  9 ······························ 10 ················· ─▶ stalled
 *     silent                       half of the limit ─ asked ┘        asked
 *                                                               └ it is gone
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
  readonly #limitMs: number;
  readonly #events: LivenessEvents;
  readonly #clock: PageClock;
  #control: Int32Array | undefined;
  #end: () => void = () => {};
  #heartbeat = 0;
  #silentMs = 0;
  #isStalled = false;

  /** @param limitMs The longest that a worker may be silent, in ms: in a tick, in a call, or asked while it sleeps. */
  constructor(limitMs: number, events: LivenessEvents, clock: PageClock) {
    this.#limitMs = limitMs;
    this.#events = events;
    this.#clock = clock;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  watch(control: Int32Array): void {
    this.stop();
    this.#control = control;
    this.#silentMs = 0;
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
    if (heartbeat !== this.#heartbeat) {
      this.#heartbeat = heartbeat;
      this.#silentMs = 0;
      if (this.#isStalled) {
        this.#isStalled = false;
        this.#events.onRecovery();
      }
      return;
    }
    const askMs = this.#limitMs / 2;
    const isAsked = this.#silentMs >= askMs;
    this.#silentMs += awakeMs;
    if (!isAsked && this.#silentMs >= askMs) this.#events.ask();
    if (this.#silentMs < this.#limitMs) return;
    const isInStep = Atomics.load(control, CONTROL.activity) === WORKER_ACTIVITY.ticking;
    if (this.#isStalled) {
      this.#events.onStillStalled(this.#silentMs, isInStep);
    } else {
      this.#isStalled = true;
      this.#events.onStall(this.#silentMs, isInStep);
    }
  }
}
