/**
 * Work that is requested faster than it can be done, such as by a slider: one at a time, only the
 * latest value.
 */

export class LatestWins<T> {
  readonly #work: (value: T) => Promise<void>;
  #next: { readonly value: T } | undefined;
  #running: Promise<void> | undefined;

  /** @param work Called with a value. After a rejection later values are still processed. */
  constructor(work: (value: T) => Promise<void>) {
    this.#work = work;
  }

  /**
   * Requests a value. Replaces an earlier request that has not begun.
   *
   * @returns When all work is done. Rejects with the first failure since the work began.
   */
  ask(value: T): Promise<void> {
    this.#next = { value };
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Resolves when all work is done or has failed: the failure is reported to the caller of
   * `request`.
   */
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
