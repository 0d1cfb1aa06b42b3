/** Work that is asked for faster than it can be done, such as by a slider: one at a time, and only the latest. */

export class LatestWins<T> {
  readonly #work: (value: T) => Promise<void>;
  #next: { readonly value: T } | undefined;
  #running: Promise<void> | undefined;

  /** @param work What is to be done with a value. When it rejects, later values are worked on all the same. */
  constructor(work: (value: T) => Promise<void>) {
    this.#work = work;
  }

  /**
   * Asks for a value. What was asked for before and has not begun is forgotten.
   *
   * @returns When nothing is left to be done. Rejects with the first failure since the work began.
   */
  ask(value: T): Promise<void> {
    this.#next = { value };
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Resolves when nothing is left to be done, or it failed: that is told to whoever asked. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {});
  }

  async #run(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    while (this.#next !== undefined) {
      const { value } = this.#next;
      this.#next = undefined;
      try {
        await this.#work(value);
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }
}
