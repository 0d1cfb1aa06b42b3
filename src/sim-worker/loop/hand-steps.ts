/** Ticks that are stepped by hand while the simulation is paused, one order after the other. */

interface StepOrder {
  left: number;
  resolve(tick: number): void;
  reject(reason: Error): void;
}

export class HandSteps {
  readonly #tickInputs: StepOrder[] = [];

  get isEmpty(): boolean {
    return this.#tickInputs.length === 0;
  }

  /** Resolves with the number of the last tick when all have run. Rejects if something else comes between them. */
  add(ticks: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#tickInputs.push({ left: ticks, resolve, reject });
    });
  }

  /**
   * Takes ticks of the first order.
   *
   * @param max What a pass may run: whatever comes between two passes finds none due.
   * @param possible What a recording still has; beyond that the order ends.
   * @returns How many.
   */
  take(max: number, possible: number): number {
    const [order] = this.#tickInputs;
    if (order === undefined) return 0;
    order.left = Math.min(order.left, possible);
    const ticks = Math.min(order.left, max);
    order.left -= ticks;
    return ticks;
  }

  /** The ticks that were taken have run. @returns Answers the first order, if it is done. */
  done(): ((tick: number) => void) | undefined {
    return this.#tickInputs[0]?.left === 0 ? this.#tickInputs.shift()?.resolve : undefined;
  }

  /** @param cause Why ticks that were to be stepped do not run. */
  end(cause: string): void {
    for (const { left, reject } of this.#tickInputs.splice(0)) {
      reject(new Error(`the step ended with ${left} ticks to go: ${cause}`));
    }
  }
}
