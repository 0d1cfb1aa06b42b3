/**
 * Refuses promises where work has to be done when a call returns. TypeScript takes an async function for one that
 * returns nothing, and what it does after its first `await` would fall between any two ticks, in another order each time.
 *
 * @param what What returned the value, such as "step".
 * @throws TypeError if it is a promise, or anything else with a `then`.
 */
export function requireDone(value: unknown, what: string): void {
  // Almost always undefined: this is asked in every tick.
  if (typeof value !== 'object' || value === null || !('then' in value)) return;
  // Nobody will wait for it; what it rejects with would else end the worker as an unhandled rejection.
  void Promise.resolve(value).catch(() => {});
  throw new TypeError(
    `${what} returned a promise, and must be done when it returns: wait in init, or in a query`,
  );
}
