/** One queue for the calls that change or keep where the run stands: each begins when the one before has ended. */
import { withinLimits, type CallLimit } from '../queues/call-limits.js';
import type { CallOptions } from '../api/call-options.js';

export class CallTurns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** No call is under way or waits. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** @param run Looks at what there is: the calls before it have changed that. Not called once the call is withdrawn. */
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
