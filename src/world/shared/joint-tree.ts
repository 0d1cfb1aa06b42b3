/** Multibody joints form trees: the engine cannot make others, and would panic. */

/** The first and the second body of a joint, by their handles. */
export type JointEdge = readonly [number, number];

/** Why one more joint cannot be made; undefined: it can. */
export function treeProblem(
  edges: Iterable<JointEdge>,
  [first, second]: JointEdge,
): string | undefined {
  const parents = new Map<number, number>();
  for (const [parent, child] of edges) parents.set(child, parent);
  if (parents.has(second)) {
    return `body2 is the second body of a multibody joint already: swap the bodies, or use an impulse joint`;
  }
  // The second body is the root of its tree.
  for (let at: number | undefined = first; at !== undefined; at = parents.get(at)) {
    if (at === second)
      return 'multibody joints cannot form a loop: use an impulse joint for the last one';
  }
  return undefined;
}
