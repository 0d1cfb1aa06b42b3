/**
 * One shared word between a call and its withdrawal: either the worker begins the call, or the page has it back.
 *
 *     waiting ──▶ begun        the worker, before it does anything of the call
 *        └──────▶ withdrawn    the page, when the caller does not want it any more
 *
 * Both are compare-and-exchange on the same word, so one of them wins and both know which: a call that the page has
 * back is never done, also if its message lies in the queue of a worker that hangs.
 */
const WAITING = 0;
const BEGUN = 1;
const WITHDRAWN = 2;

/** @returns For one call, in memory that a message does not clone. */
export function createGuard(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** The worker's: to be asked once, before the call is done. @returns False: the page has it back. */
export function beginCall(guard: Int32Array): boolean {
  return Atomics.compareExchange(guard, 0, WAITING, BEGUN) === WAITING;
}

/** The page's. @returns False: the worker has begun it, and will answer. */
export function withdrawCall(guard: Int32Array): boolean {
  return Atomics.compareExchange(guard, 0, WAITING, WITHDRAWN) !== BEGUN;
}
