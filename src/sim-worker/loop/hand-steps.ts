/** A queue of requests for ticks that are stepped by hand while the simulation is paused. */

export const TAKEN_ELSEWHERE = 'the run was taken elsewhere';

interface StepRequest {
  left: number;
  resolve(tick: number): void;
  reject(reason: Error): void;
}

export class HandSteps {
  readonly #requests: StepRequest[] = [];

  get isEmpty(): boolean {
    return this.#requests.length === 0;
  }

  /** Resolves with the number of the last tick when all have run. Rejects if something else interrupts them. */
  add(ticks: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ left: ticks, resolve, reject });
    });
  }

  /**
   * Takes at most `max` ticks of the first request, and returns how many.
   *
   * @param possible Ticks left in the recording; the request ends with the last one.
   */
  take(max: number, possible: number): number {
    const [request] = this.#requests;
    if (request === undefined) return 0;
    const ticks = Math.min(request.left, possible, max);
    request.left = Math.min(request.left, possible) - ticks;
    return ticks;
  }

  /** Must be called when the taken ticks have run. Returns the first request's answer if it is complete. */
  done(): ((tick: number) => void) | undefined {
    return this.#requests[0]?.left === 0 ? this.#requests.shift()?.resolve : undefined;
  }

  /** @param cause Why the remaining ticks do not run. */
  end(cause: string): void {
    for (const { left, reject } of this.#requests.splice(0)) {
      reject(new Error(`the step ended with ${left} ticks to go: ${cause}`));
    }
  }
}
