/** How long a caller waits. */

/**
 * Limits the wait for a call. When a limit is reached, the call is withdrawn: it rejects and is never executed. A call
 * that the worker has begun by then is executed and answered, with two exceptions: the caller does not wait for a query
 * or a save, and a seek is stopped between two ticks. A query that has begun runs to its end, and may still restart the
 * run.
 */
export interface CallOptions {
  /** When it is aborted, the call rejects with its reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** The call rejects with a CallTimeoutError after this time in ms, 0 to 2,147,483,647. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}
