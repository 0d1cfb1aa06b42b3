/** Keeps the picture as it is while what it would show does not fit the scene that is drawn. */
export class FrameHold {
  readonly #onBusy: (work: string | undefined) => void;
  readonly #whenDrawn: (() => void)[] = [];
  #holds = 0;

  /** @param onBusy Something goes on: what, or undefined when it has ended. */
  constructor(onBusy: (work: string | undefined) => void) {
    this.#onBusy = onBusy;
  }

  get isHeld(): boolean {
    return this.#holds > 0;
  }

  /**
   * Leaves the picture as it is while something goes on, which must not wait for a frame itself.
   *
   * @param work What goes on, for whoever waits.
   */
  async during<T>(work: string, run: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    this.#onBusy(work);
    try {
      return await run();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) this.#onBusy(undefined);
    }
  }

  /** Resolves after the next frame that is drawn. */
  nextFrame(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenDrawn.push(resolve);
    });
  }

  /** To be called after each frame that was drawn, and when there may be none any more. */
  frameDrawn(): void {
    for (const resolve of this.#whenDrawn.splice(0)) resolve();
  }
}
