/**
 * Refuses promises from functions that must be synchronous. TypeScript accepts an async function where one that returns
 * nothing is expected, but the part after its first `await` would run between arbitrary ticks, differently each time.
 *
 * @param what The function that returned the value, such as "step".
 * @throws TypeError if it is a promise, or anything else with a `then`.
 */
export function requireDone(value: unknown, what: string): void {
  // Almost always undefined: this runs in every tick.
  if (typeof value !== 'object' || value === null || !('then' in value)) return;
  // Nothing awaits the promise; an unhandled rejection would end the worker.
  void Promise.resolve(value).catch(() => {});
  throw new TypeError(
    `${what} returned a promise, and must be done when it returns: wait in init, or in a query`,
  );
}
