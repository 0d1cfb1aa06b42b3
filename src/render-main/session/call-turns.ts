/** Serialises the calls that change or save the state of the run: each begins when the previous one has ended. */
import { withinLimits, type CallLimit } from '../queues/call-limits.js';
import type { CallOptions } from '../api/call-options.js';

export class CallTurns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** @param run Must read the state when called: earlier calls may have changed it. Not called after a withdrawal. */
  take<T>(
    name: string,
    options: CallOptions | undefined,
    run: (limit: CallLimit | undefined) => Promise<T>,
  ): Promise<T> {
    return withinLimits(name, options, (limit) => {
      const turn = this.#last.then(() =>
        limit?.isWithdrawn === true ? (undefined as T) : run(limit),
      );
      this.#count += 1;
      const end = (): void => {
        this.#count -= 1;
      };
      this.#last = turn.then(end, end);
      return turn;
    });
  }
}
