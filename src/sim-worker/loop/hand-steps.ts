/** Ticks that are stepped by hand while the simulation is paused: a queue of requests. */

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

  /** Resolves with the number of the last tick when all have run. Rejects if something else interrupts them. */
  add(ticks: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#tickInputs.push({ left: ticks, resolve, reject });
    });
  }

  /**
   * Takes ticks of the first request.
   *
   * @param max Most ticks of a pass: between two passes, none are due.
   * @param possible Ticks left in the recording; the request ends with the last one.
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

  /** Must be called when the taken ticks have run. Returns the first request's answer if it is complete. */
  done(): ((tick: number) => void) | undefined {
    return this.#tickInputs[0]?.left === 0 ? this.#tickInputs.shift()?.resolve : undefined;
  }

  /** @param cause Why the remaining ticks do not run. */
  end(cause: string): void {
    for (const { left, reject } of this.#tickInputs.splice(0)) {
      reject(new Error(`the step ended with ${left} ticks to go: ${cause}`));
    }
  }
}
