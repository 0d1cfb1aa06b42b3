/**
 * One shared word between a call and its withdrawal: either the worker begins the call, or the page takes it back.
 *
 *     waiting ──▶ begun        the worker, before it does any part of the call
 *        └──────▶ withdrawn    the page, when the caller no longer wants it
 *
 * Both are compare-and-exchange on the same word, so one of them wins and both know which. A call that the page has
 * taken back never runs, even if its message is in the queue of a worker that hangs.
 */
const WAITING = 0;
const BEGUN = 1;
const WITHDRAWN = 2;

/** @returns A guard for one call, in memory that a message does not clone. */
export function createGuard(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** For the worker: must be called once, before the call runs. @returns False if the page has withdrawn it. */
export function beginCall(guard: Int32Array): boolean {
  return Atomics.compareExchange(guard, 0, WAITING, BEGUN) === WAITING;
}

/** For the page. @returns False if the worker has begun the call, and will answer. */
export function withdrawCall(guard: Int32Array): boolean {
  return Atomics.compareExchange(guard, 0, WAITING, WITHDRAWN) !== BEGUN;
}
