/**
 * The page's calls, in the order in which they came, though one of them may wait for a part of the library that is loaded
 * for it: those that come meanwhile wait behind it.
 *
 *     calls     seek        step   pause
 *     seek      └ loading ──────────────▶ runs
 *     step                  └ waits ──────▶ runs
 *     pause                        └ waits ─▶ runs
 */
export class PageCalls {
  #arrived = 0;
  /** Those that have arrived and wait. */
  #waiting = 0;
  #loading: Promise<void> | undefined;
  #mayRun: () => boolean = () => true;

  /** Messages so far whose calls have begun (it wraps after 2^32): the loop takes turns for the others. */
  get begun(): number {
    return (this.#arrived - this.#waiting) | 0;
  }

  /** @param mayRun Is asked before each call from now on. One that may not run is never answered. */
  askBefore(mayRun: () => boolean): void {
    this.#mayRun = mayRun;
  }

  /** A message with a call has arrived. @returns Whether it may run. */
  arrive(): boolean {
    this.#arrived = (this.#arrived + 1) | 0;
    return this.#mayRun();
  }

  /** Runs a call that may run: at once, unless one before it is waiting. */
  async inTurn<T>(call: () => T): Promise<Awaited<T>> {
    if (this.#loading === undefined) return await call();
    this.#waiting += 1;
    // Who was let go on first may be loading as well.
    while (this.#loading !== undefined) await this.#loading;
    this.#waiting -= 1;
    return await this.#unlessFailed(call);
  }

  /** Runs the rest of a call whose turn it is, with what is loaded for it. */
  loaded<Part, T>(load: () => Promise<Part>, call: (part: Part) => T): Promise<Awaited<T>> {
    this.#waiting += 1;
    const end = (): void => {
      this.#waiting -= 1;
      this.#loading = undefined;
    };
    const loading = load();
    // Begun first, so the call runs before those that wait for the end of the loading.
    const called = loading.then((part) => this.#unlessFailed(() => call(part)));
    this.#loading = loading.then(end, end);
    return called as Promise<Awaited<T>>;
  }

  /** Ticks have run while it waited. */
  #unlessFailed<T>(call: () => T): T | Promise<T> {
    return this.#mayRun() ? call() : new Promise<T>(() => {});
  }
}
