/** How the loop sleeps until the next tick is due. */
import { CONTROL } from '../../shared/memory/layout.js';

/** Worker and browser libraries type it differently from Node's; all of them have it. */
declare const setTimeout: (callback: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;

export interface Sleeper {
  /**
   * Sleeps, at most so long; ends early when there is something to do.
   *
   * @param rings The doorbell's count when the loop last looked for work.
   * @param timeoutMs More than 0.
   * @returns Undefined when it has slept; otherwise resolves then.
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
    // Compares and sleeps in one operation: a ring since `rings` was read makes it return at once.
    Atomics.wait(this.#control, CONTROL.doorbell, rings, timeoutMs);
  }

  wake(): void {
    // Whoever is in this thread to call it has woken it already.
  }
}

/** So often the loop makes a pass, in ms: its heartbeat tells the page that it is alive. */
const MAX_TIMEOUT_MS = 200;

/**
 * Sleeps in a timer, where memory is not shared. The event loop runs meanwhile, so messages need no doorbell. Timers
 * cut a fraction of a millisecond off and may fire early for it; the next whole one is late by less, and the
 * schedule never learns of it.
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
