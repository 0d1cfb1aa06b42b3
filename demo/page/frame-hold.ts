/** Keeps the last frame on the canvas while the next one would not fit the scene that is drawn. */
export class FrameHold {
  readonly #onBusy: (work: string | undefined) => void;
  readonly #whenDrawn: (() => void)[] = [];
  #holds = 0;
  /** Called when it begins to hold, and when it ends. */
  onHold: ((isHeld: boolean) => void) | undefined;

  /**
   * @param onBusy Called with the name of work that begins, and with undefined when it has ended.
   */
  constructor(onBusy: (work: string | undefined) => void) {
    this.#onBusy = onBusy;
  }

  /**
   * Holds the frame while work runs, which must not wait for a frame itself.
   *
   * @param work Its name is shown to the user.
   */
  async during<T>(work: string, run: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    if (this.#holds === 1) this.onHold?.(true);
    this.#onBusy(work);
    try {
      return await run();
    } finally {
      this.#holds -= 1;
      if (this.#holds === 0) {
        this.onHold?.(false);
        this.#onBusy(undefined);
      }
    }
  }

  /** Resolves after the next frame that is drawn. */
  nextFrame(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenDrawn.push(resolve);
    });
  }

  /** Call it after each drawn frame, and when no more frames may come. */
  frameDrawn(): void {
    for (const resolve of this.#whenDrawn.splice(0)) resolve();
  }
}
