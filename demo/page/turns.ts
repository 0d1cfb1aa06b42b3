/** Work that must not overlap: each piece begins when the one before has settled. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @returns What the work resolves or rejects with. Work must not wait for a turn taken inside it.
   */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
