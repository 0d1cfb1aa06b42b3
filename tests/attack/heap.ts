/** @returns Bytes that are in use and cannot be freed, including memory outside of the heap. Needs `--expose-gc`. */
export async function usedBytes(): Promise<number> {
  // Ports and finalizers free more when they get a turn.
  for (let round = 0; round < 3; round++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
