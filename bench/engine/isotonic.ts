/**
 * Fits levels that do not decrease to groups of values: the medians of pooled neighbours. Exact for the
 * sum of distances; see Robertson, Wright and Dykstra, Order Restricted Statistical Inference,
 * chapter 1 (pool adjacent violators).
 */

export interface Block {
  /** The values of all its groups. */
  readonly values: readonly number[];
  /** Number of groups, which are neighbours. */
  readonly groups: number;
  /** The level of all of them. */
  readonly level: number;
}

/**
 * Pools neighbouring groups until the medians increase.
 *
 * @param groups In their order; each with a value at least. Values may be infinite.
 */
export function poolViolators(groups: readonly (readonly number[])[]): Block[] {
  const blocks: Block[] = [];
  for (const values of groups) {
    let block: Block = { values, groups: 1, level: medianOf(values) };
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      if (before.level < block.level) break;
      blocks.pop();
      const pooled = [...before.values, ...block.values];
      block = { values: pooled, groups: before.groups + block.groups, level: medianOf(pooled) };
    }
    blocks.push(block);
  }
  return blocks;
}

/** The level of each group. */
export const levelsOf = (blocks: readonly Block[]): number[] =>
  blocks.flatMap(({ groups, level }) => Array.from({ length: groups }, () => level));

/** The mean of the two in the middle if there is no single one. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
  const high = sorted[sorted.length >> 1] ?? Number.NaN;
  return low === high ? low : (low + high) / 2;
}
