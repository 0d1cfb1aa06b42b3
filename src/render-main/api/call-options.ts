/** The options of calls: what ends the wait for one. And the queue of the calls that move the run. */
import { checkOptions } from '../../shared/util/options.js';
import { abortSignal } from './connect-options.js';
import { withResolvers } from '../util/promises.js';

/**
 * Ends the wait for a call, as `fetch` does; after a time with `{ signal: AbortSignal.timeout(500) }`. A call whose wait
 * has ended may still run, and what it changes stays changed.
 */
export interface CallOptions {
  /** When it is aborted, the call rejects with its reason; if it is aborted already, nothing is called. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** How to continue if the next worker cannot restore the state of the current one. */
export type WhenStateDiffers = 'reject' | 'reset';
export const WHEN_STATE_DIFFERS: readonly WhenStateDiffers[] = ['reject', 'reset'];

/** How long to wait for the next worker, and what to do if it cannot continue the run. */
export interface ReplaceOptions extends CallOptions {
  /**
   * How to continue if the next worker cannot restore the state of the current one, because its code is another one:
   *
   * - `'reject'` (the default): the call rejects, and the current worker continues
   * - `'reset'`: the run starts over at tick 0 in the next worker, with the same seed and setup. A world keeps its bodies:
   *   only the systems that cannot restore their state begin without it, with a warning on the worker's console.
   */
  readonly whenStateDiffers?: WhenStateDiffers | undefined;
}

/** @throws TypeError naming the invalid option. */
export function requireCallOptions(options: CallOptions | undefined): void {
  if (options !== undefined) checkOptions('a call', options, { signal: abortSignal });
}

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
export class CallQueue {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;
  #moves = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Whether a call of {@link addMove} is pending. */
  get isMoving(): boolean {
    return this.#moves > 0;
  }

  /**
   * @param run Must read the state when called: earlier calls may have changed it. Not called if the signal is aborted
   *   while it waits: a page that seeks as a slider moves would otherwise run all seeks.
   */
  add<T>(options: CallOptions | undefined, run: () => Promise<T>): Promise<T> {
    return untilAborted(options, () => this.#append(options, run));
  }

  /** Like {@link add}, for a call that may move the run elsewhere. */
  addMove<T>(options: CallOptions | undefined, run: () => Promise<T>): Promise<T> {
    return untilAborted(options, () => {
      this.#moves += 1;
      const end = (): void => {
        this.#moves -= 1;
      };
      const call = this.#append(options, run);
      call.then(end, end);
      return call;
    });
  }

  #append<T>(options: CallOptions | undefined, run: () => Promise<T>): Promise<T> {
    const call = this.#last.then(() => {
      options?.signal?.throwIfAborted();
      return run();
    });
    this.#count += 1;
    const end = (): void => {
      this.#count -= 1;
    };
    this.#last = call.then(end, end);
    return call;
  }
}
