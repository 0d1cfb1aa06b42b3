/**
 * How long a caller waits for a call, and what happens to the call after that.
 *
 *     asked ──▶ begun ──▶ answered       resolves, or rejects with what it threw
 *       └─ signal, timeoutMs ─▶ withdrawn: rejects, and is never executed
 *
 * The current holder of the call defines how it can be withdrawn. Once the worker has begun a call, it cannot be
 * withdrawn and the caller waits for it: a rejected call is not executed, and an executed call is not rejected.
 */
import { CallTimeoutError } from '../../shared/util/errors.js';
import { requireKnownKeys } from '../../shared/util/known-keys.js';
import { requireNumber } from '../../shared/util/validate.js';
import type { CallOptions } from '../api/call-options.js';
import { requireSignal } from '../api/check-options.js';
import { withResolvers } from '../util/promises.js';

/** Tries to withdraw a call. True: it will not be executed. */
export type Withdraw = () => boolean | Promise<boolean>;

/** For a query or a save, of which only the answer is wanted: the caller does not wait, even if the worker has begun it. */
export const isNotWaitedFor: Withdraw = () => true;

/** The longest delay of a timer, in ms. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The limits of one pending call. */
export class CallLimit {
  #withdraw: Withdraw = () => true;
  #reason: { readonly error: unknown } | undefined;
  #isWithdrawn = false;
  #isTrying = false;
  readonly #onWithdrawn: (reason: unknown) => void;
  #undo = (): void => {};

  /** @param onWithdrawn Called once, when it is certain that the call will not be executed. */
  constructor(onWithdrawn: (reason: unknown) => void) {
    this.#onWithdrawn = onWithdrawn;
  }

  /** The caller has been notified that the call will not be executed. */
  get isWithdrawn(): boolean {
    return this.#isWithdrawn;
  }

  /** @param undo Called when the call is withdrawn: reverts what the page has noted about it. */
  whenWithdrawn(undo: () => void): void {
    this.#undo = undo;
  }

  /** Sets how the call can be withdrawn from now on. Until the first call of this, it can always be withdrawn. */
  withdrawBy(withdraw: Withdraw): void {
    this.#withdraw = withdraw;
    // The time may have run out while the previous holder could no longer withdraw it.
    this.#try();
  }

  /** The caller no longer wants the call. The first reason counts. */
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
      // It got another holder in the meantime.
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
 * @param make Makes the call; receives no limit if the caller set none. Its result is ignored once the call is
 *   withdrawn.
 * @throws TypeError, RangeError for invalid options; CallTimeoutError, or the signal's reason: all by the promise.
 */
export async function withinLimits<T>(
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
  // A signal's reason can be any value; it need not be an error.
  const limit = new CallLimit(reject as (reason: unknown) => void);
  const onAbort = (): void => limit.end(signal?.reason);
  const onTimeout = (): void => {
    const why = `it was not answered within its timeoutMs of ${timeoutMs}`;
    limit.end(new CallTimeoutError(`the call "${name}" was withdrawn: ${why}`));
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    make(limit).then(resolve, reject);
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Serialises the calls that change or save the state of the run: each begins when the previous one has ended. */
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

/** @throws TypeError, RangeError naming the invalid option. */
export function requireCallOptions(options: CallOptions | undefined): void {
  if (options === undefined) return;
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('the options of a call must be an object: { signal, timeoutMs }');
  }
  requireKnownKeys('a call', options, ['signal', 'timeoutMs']);
  const { signal, timeoutMs } = options;
  if (timeoutMs !== undefined) requireNumber('timeoutMs', timeoutMs, 0, MAX_TIMEOUT_MS);
  requireSignal(signal);
}
