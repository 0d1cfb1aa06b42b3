/** Waits, in development, for what was probably forgotten. */

/** Something that has not happened after this time was probably forgotten, in ms. */
const PATIENCE_MS = 3000;

/** Calls a function later, unless the process ends before. */
export function later(call: () => void, delayMs = PATIENCE_MS): void {
  const timer: unknown = setTimeout(call, delayMs);
  (timer as { unref?: () => void }).unref?.();
}
