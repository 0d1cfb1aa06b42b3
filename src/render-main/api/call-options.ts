/** How long a caller waits. */

/**
 * Ends the wait for a call, as `fetch` does; after a time with `{ signal: AbortSignal.timeout(500) }`. A call whose wait
 * has ended may still run, and what it changes stays changed.
 */
export interface CallOptions {
  /** When it is aborted, the call rejects with its reason; if it is aborted already, nothing is called. Default: none. */
  readonly signal?: AbortSignal | undefined;
}
