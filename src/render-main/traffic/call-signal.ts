/** The options of a call, and the order of the calls that move the run. */
import { checkOptions } from '../../shared/util/options.js';
import type { CallOptions } from '../api/call-options.js';
import { abortSignal } from '../api/check-options.js';
import { withResolvers } from '../util/promises.js';

/**
 * Makes a call, unless its signal is aborted already, and waits for it until the signal is aborted.
 *
 * @throws TypeError for invalid options, or the signal's reason: both by the promise.
 */
export async function untilAborted<T>(
  options: CallOptions | undefined,
  make: () => Promise<T>,
): Promise<T> {
  requireCallOptions(options);
  const signal = options?.signal;
  if (signal === undefined) return make();
  signal.throwIfAborted();
  const { promise: aborted, reject } = withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([aborted, make()]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Serialises the calls that change or save the state of the run: each begins when the previous one has ended. */
export class CallTurns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /**
   * @param run Must read the state when called: earlier calls may have changed it. Not called if the signal is aborted
   *   before its turn: a page that seeks as a slider moves would otherwise run all seeks.
   */
  take<T>(options: CallOptions | undefined, run: () => Promise<T>): Promise<T> {
    return untilAborted(options, () => {
      const turn = this.#last.then(() => {
        options?.signal?.throwIfAborted();
        return run();
      });
      this.#count += 1;
      const end = (): void => {
        this.#count -= 1;
      };
      this.#last = turn.then(end, end);
      return turn;
    });
  }
}

/** @throws TypeError naming the invalid option. */
export function requireCallOptions(options: CallOptions | undefined): void {
  if (options !== undefined) checkOptions('a call', options, { signal: abortSignal });
}
