/** As if nothing had caught it: to the console and to `window.onerror`. */
export function reportUncaught(error: unknown): void {
  if (typeof globalThis.reportError === 'function') {
    globalThis.reportError(error);
    return;
  }
  // Node has no such function.
  queueMicrotask(() => {
    throw error;
  });
}

/** Calls a function of the application's. What it throws is reported as an uncaught error, and stops nothing. */
export function callReported<Value>(call: (value: Value) => unknown, value: Value): void {
  try {
    call(value);
  } catch (error) {
    reportUncaught(error);
  }
}
