/**
 * How long a caller waits for a call, and what becomes of the call when that is over.
 *
 *     asked ──▶ begun ──▶ answered       resolves, or rejects with what it threw
 *       └─ signal, timeoutMs ─▶ withdrawn: rejects, and it is never done
 *
 * Who has the call at the moment says how it can be withdrawn. Once the worker has begun it, it cannot, and is waited for:
 * what was rejected is not done, and what is done is not rejected.
 */
import { CallTimeoutError } from '../../shared/util/errors.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireNumber } from '../../shared/util/validate.js';
import type { CallOptions } from '../api/call-options.js';
import { withResolvers } from '../util/promises.js';

/** Tries to take a call back. True: it will not be done. */
export type Withdraw = () => boolean | Promise<boolean>;

/** Of a call that changes nothing: it is not waited for, although the worker has begun it. */
export const isNotWaitedFor: Withdraw = () => true;

/** The longest that a timer can wait, in ms. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The limits of one call that is under way. */
export class CallLimit {
  #withdraw: Withdraw = () => true;
  #reason: { readonly error: unknown } | undefined;
  #isWithdrawn = false;
  #isTrying = false;
  readonly #onWithdrawn: (reason: unknown) => void;
  #undo = (): void => {};

  /** @param onWithdrawn Called once, when it is sure that the call is not done. */
  constructor(onWithdrawn: (reason: unknown) => void) {
    this.#onWithdrawn = onWithdrawn;
  }

  /** The caller has been told that it will not be done. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  /** Called when it is withdrawn: takes back what the page has noted of it. */
  whenWithdrawn(undo: () => void): void {
    this.#undo = undo;
  }

  /** From now on it can be withdrawn in this way. In the beginning nobody has been asked, and it simply is. */
  withdrawBy(withdraw: Withdraw): void {
    this.#withdraw = withdraw;
    // What was begun when its time was over may be with somebody else by now.
    this.#try();
  }

  /** The caller does not want it any more. The first reason counts. */
  end(error: unknown): void {
    this.#reason ??= { error };
    this.#try();
  }

  #try(): void {
    if (this.#reason === undefined || this.#isWithdrawn || this.#isTrying) return;
    const withdraw = this.#withdraw;
    const isWithdrawn = withdraw();
    if (typeof isWithdrawn === 'boolean') {
      this.#settle(isWithdrawn);
      return;
    }
    this.#isTrying = true;
    void isWithdrawn.then((is) => {
      this.#isTrying = false;
      this.#settle(is);
      // Somebody else has got it while this was asked.
      if (!is && this.#withdraw !== withdraw) this.#try();
    });
  }

  #settle(isWithdrawn: boolean): void {
    if (!isWithdrawn || this.#reason === undefined) return;
    this.#isWithdrawn = true;
    this.#undo();
    this.#onWithdrawn(this.#reason.error);
  }
}

/**
 * Makes a call within limits.
 *
 * @param name For the error.
 * @param make Makes it; is given no limit where the caller set none. What it comes to counts for nothing once it is
 *   withdrawn.
 * @throws TypeError, RangeError for wrong options. @throws CallTimeoutError, or the signal's reason, by the promise.
 */
export function withinLimits<T>(
  name: string,
  options: CallOptions | undefined,
  make: (limit: CallLimit | undefined) => Promise<T>,
): Promise<T> {
  requireCallOptions(options);
  const { signal, timeoutMs } = options ?? {};
  if (signal === undefined && timeoutMs === undefined) return make(undefined);
  return limited(name, signal, timeoutMs, make);
}

async function limited<T>(
  name: string,
  signal: AbortSignal | undefined,
  timeoutMs: number | undefined,
  make: (limit: CallLimit) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = withResolvers<T>();
  // A signal's reason is what its owner chose, which need not be an error.
  const limit = new CallLimit(reject as (reason: unknown) => void);
  const onAbort = (): void => limit.end(signal?.reason);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => limit.end(timeoutOf(name, timeoutMs)), timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    make(limit).then(resolve, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

const timeoutOf = (name: string, timeoutMs: number): CallTimeoutError =>
  new CallTimeoutError(
    `the call "${name}" was withdrawn: it was not answered within its timeoutMs of ${timeoutMs}`,
  );

/** @throws TypeError, RangeError naming what is wrong. */
export function requireCallOptions(options: CallOptions | undefined): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('the options of a call must be an object: { signal, timeoutMs }');
  }
  requireKnownKeys('a call', options, ['signal', 'timeoutMs']);
  const { signal, timeoutMs } = options;
  if (timeoutMs !== undefined) requireNumber('timeoutMs', timeoutMs, 0, MAX_TIMEOUT_MS);
  if (
    signal !== undefined &&
    typeof (signal as Partial<AbortSignal>)?.throwIfAborted !== 'function'
  ) {
    throw new TypeError('signal must be an AbortSignal');
  }
}
