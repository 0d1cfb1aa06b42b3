/**
 * Runs the page's calls in order of arrival. If a call waits for a part of the library to load, later calls wait behind
 * it.
 *
 *     calls     seek        step   pause
 *     seek      └ loading ──────────────▶ runs
 *     step                  └ waits ──────▶ runs
 *     pause                        └ waits ─▶ runs
 */
export class PageCalls {
  #arrived = 0;
  /** Calls that have arrived and are waiting. */
  #waiting = 0;
  /** Calls that have arrived and are not answered. */
  #open = 0;
  #loading: Promise<void> | undefined;
  #mayRun: () => boolean = () => true;
  #isOver: () => boolean = () => false;

  /** Number of messages whose calls have begun (wraps at 2^32). The loop takes turns until the others begin. */
  get begun(): number {
    return (this.#arrived - this.#waiting) | 0;
  }

  /** Whether a call waits for a part of the library, which loads only while the event loop runs. */
  get isLoading(): boolean {
    return this.#loading !== undefined;
  }

  /** Whether a call has no answer yet. It may wait for anything that happens in the event loop: an async query does. */
  get isBusy(): boolean {
    return this.#open > 0;
  }

  /**
   * @param mayRun Called before each call from now on. A call that may not run is never answered.
   * @param isOver Whether the simulation has been asked to stop. A call that has waited does not run then: in the page's
   *   own thread, nothing else ends it.
   */
  askBefore(mayRun: () => boolean, isOver: () => boolean): void {
    this.#mayRun = mayRun;
    this.#isOver = isOver;
  }

  /** Counts a message with a call. Returns whether the call may run. */
  arrive(): boolean {
    this.#arrived = (this.#arrived + 1) | 0;
    return this.#mayRun();
  }

  /** Runs a call that may run: immediately, unless an earlier call is waiting. */
  async inTurn<T>(call: () => T): Promise<Awaited<T>> {
    this.#open += 1;
    try {
      if (this.#loading === undefined) return await call();
      this.#waiting += 1;
      // The call that ran first may be loading as well.
      while (this.#loading !== undefined) await this.#loading;
      this.#waiting -= 1;
      return await this.#unlessOver(call);
    } finally {
      this.#open -= 1;
    }
  }

  /** Loads a part of the library and runs the rest of the current call with it. */
  loaded<Part, T>(load: () => Promise<Part>, call: (part: Part) => T): Promise<Awaited<T>> {
    this.#waiting += 1;
    const end = (): void => {
      this.#waiting -= 1;
      this.#loading = undefined;
    };
    const loading = load();
    // Attached first, so the call runs before those that wait for the loading to end.
    const called = loading.then((part) => this.#unlessOver(() => call(part)));
    this.#loading = loading.then(end, end);
    return called as Promise<Awaited<T>>;
  }

  /** During the wait, a tick may have failed, or the simulation may have been stopped. */
  #unlessOver<T>(call: () => T): T | Promise<T> {
    return !this.#isOver() && this.#mayRun() ? call() : new Promise<T>(() => {});
  }
}
