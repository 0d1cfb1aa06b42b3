/**
 * The doorbell: a word of shared memory that ends the worker's sleep.
 *
 * A worker inside `Atomics.wait` runs no message handler, so a control message without a ring would wait until the
 * next tick. Each sender posts first and rings second. The word counts rings, so it is also the total number of
 * control messages, and the worker can give its event loop turns until it has handled that many.
 *
 * No ring is lost: the worker reads the word BEFORE it looks for work and sleeps only if the word still has that
 * value (`Atomics.wait` compares and sleeps as one operation). A ring in between makes the wait return immediately.
 *
 *     worker   read 7 ── work ── wait(7, timeout) ················ wakes ── event loop turn ──
 *     page                                      post ─ add: 8 ─ notify
 */

/** Rings. Call it after posting the message, never before. */
export function ringDoorbell(words: Int32Array, index: number): void {
  Atomics.add(words, index, 1);
  Atomics.notify(words, index);
}

/** The number of rings so far (it wraps after 2^32). */
export function readDoorbell(words: Int32Array, index: number): number {
  return Atomics.load(words, index);
}
