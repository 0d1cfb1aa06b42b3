/** How the loop sleeps until the next tick is due. */
import { CONTROL } from '../../shared/memory/layout.js';

/** Typed differently by the worker and browser libraries and by Node, but available in all of them. */
declare const setTimeout: (callback: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;

export interface Sleeper {
  /**
   * Sleeps for at most `timeoutMs`; ends early when there is something to do.
   *
   * @param rings The doorbell's count when the loop last looked for work.
   * @param timeoutMs More than 0.
   * @returns Undefined if it has slept already; otherwise a promise that resolves at the end of the sleep.
   */
  sleep(rings: number, timeoutMs: number): Promise<void> | undefined;
  /** Ends a sleep that lets the event loop run. */
  wake(): void;
}

/** Sleeps on the doorbell in shared memory: the only `Atomics.wait`. */
export class DoorbellSleeper implements Sleeper {
  readonly #control: Int32Array;

  constructor(control: Int32Array) {
    this.#control = control;
  }

  sleep(rings: number, timeoutMs: number): undefined {
    // Compares and sleeps in one operation: if the bell has rung since `rings` was read, it returns immediately.
    Atomics.wait(this.#control, CONTROL.doorbell, rings, timeoutMs);
  }

  wake(): void {
    // Code that can call this runs in this thread, which is therefore awake.
  }
}

/** Maximum time between passes, in ms. Each pass beats the heartbeat that the page watches. */
const MAX_TIMEOUT_MS = 200;

/**
 * Sleeps in a timer, for memory that is not shared. The event loop runs during the sleep, so messages need no doorbell.
 * Timers truncate fractions of a millisecond and may fire early, so the time is rounded up. The wake-up is less than a
 * millisecond late, which does not affect the schedule.
 */
export class TimerSleeper implements Sleeper {
  #wake: (() => void) | undefined;

  sleep(_rings: number, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.wake(), Math.ceil(Math.min(timeoutMs, MAX_TIMEOUT_MS)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
