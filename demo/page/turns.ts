/** Work that must not overlap: each piece begins when the one before has ended, however that went. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** @returns What the work resolves or rejects with. Work must not wait for a turn that is taken within it. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
