/** Forces and impulses at points: six numbers each, the push and then the point. */
import type { Vector } from '../../shared/util/vectors.js';

export function eachAtPoint(
  numbers: ArrayLike<number> | undefined,
  use: (what: Vector, point: Vector) => void,
): void {
  if (numbers === undefined) return;
  const at = (index: number): Vector => ({
    x: numbers[index] ?? 0,
    y: numbers[index + 1] ?? 0,
    z: numbers[index + 2] ?? 0,
  });
  for (let index = 0; index < numbers.length; index += 6) use(at(index), at(index + 3));
}
