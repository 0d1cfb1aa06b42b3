/** Checks the names of options. */

/**
 * @param among If these options are a group of others: the path of the group, and all paths.
 * @throws TypeError naming the first key of `options` that is not in `known`, and one that may have been meant.
 */
export function requireKnownKeys(
  what: string,
  options: object,
  known: readonly string[],
  among: { readonly prefix: string; readonly all: readonly string[] } = { prefix: '', all: known },
): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, among.all);
    throw new TypeError(
      `unknown option "${among.prefix}${key}" of ${what}: ` +
        (near === undefined ? `it has ${known.join(', ') || 'none'}` : `did you mean "${near}"?`),
    );
  }
}

/** The path whose last name is closest to a word: equal, or one contains the other, or a few letters differ. */
export function nearestName(word: string, paths: readonly string[]): string | undefined {
  const a = word.toLowerCase();
  const find = (isNear: (b: string) => boolean): string | undefined =>
    paths.find((path) => isNear(path.slice(path.lastIndexOf('.') + 1).toLowerCase()));
  return (
    find((b) => a === b) ??
    find((b) => Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a))) ??
    find((b) => isWithin(a, b, 1)) ??
    find((b) => isWithin(a, b, Math.min(3, a.length / 3)))
  );
}

/** Whether at most `edits` letters must be inserted, deleted or replaced to turn one text into the other. */
function isWithin(a: string, b: string, edits: number): boolean {
  if (a === b || edits < 1) return a === b;
  const restA = a.slice(1);
  const restB = b.slice(1);
  if (a[0] === b[0]) return isWithin(restA, restB, edits);
  return (
    isWithin(restA, restB, edits - 1) ||
    isWithin(restA, b, edits - 1) ||
    isWithin(a, restB, edits - 1)
  );
}
