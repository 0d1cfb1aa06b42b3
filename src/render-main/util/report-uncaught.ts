/** Reports an error as if nothing had caught it: to the console and to `window.onerror`. */
export function reportUncaught(error: unknown): void {
  if (typeof globalThis.reportError === 'function') {
    globalThis.reportError(error);
    return;
  }
  // Node has no `reportError`.
  queueMicrotask(() => {
    throw error;
  });
}

/** Calls an application's function. An error that it throws is reported as uncaught and does not propagate. */
export function callReported<Value>(call: (value: Value) => unknown, value: Value): void {
  try {
    call(value);
  } catch (error) {
    reportUncaught(error);
  }
}
