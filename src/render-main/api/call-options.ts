/** How long a caller waits. */

/**
 * What ends the wait for a call. The call is withdrawn then: it rejects, and is not done later either. One that the worker
 * has begun by then is done, and is answered; but a query or a save, which change nothing, is not waited for even so, and
 * a seek is stopped between two ticks.
 */
export interface CallOptions {
  /** The call rejects with its reason when it is aborted. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** The call rejects with a CallTimeoutError after so many ms, 0 to 2,147,483,647. Default: it waits as long as it takes. */
  readonly timeoutMs?: number | undefined;
}
