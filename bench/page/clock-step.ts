/** The smallest step of `performance.now()` in this thread, in ms. */
export function clockStepMs(): number {
  let smallestMs = Number.POSITIVE_INFINITY;
  const endMs = performance.now() + 30;
  for (let lastMs = performance.now(), nowMs = lastMs; nowMs < endMs; nowMs = performance.now()) {
    if (nowMs === lastMs) continue;
    smallestMs = Math.min(smallestMs, nowMs - lastMs);
    lastMs = nowMs;
  }
  // Rounded like differences of large numbers.
  return Math.round(smallestMs * 1e4) / 1e4;
}
