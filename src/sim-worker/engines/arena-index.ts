const handleValue = new Float64Array(1);
const handleWords = new Uint32Array(handleValue.buffer);

/**
 * Rapier's handles are the bits of a double: the lower half is the index in its arena, the upper half the generation.
 */
export function arenaIndexOf(handle: number): number {
  handleValue[0] = handle;
  return handleWords[0] ?? 0;
}
