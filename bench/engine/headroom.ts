/**
 * Searches for the largest number of bodies whose p99 keeps within the budget.
 *
 * Counts lie on a grid of 5 % steps: a machine's speed varies more than that from one minute to the
 * next. The search doubles until a count does not fit (or halves until one does) and then bisects
 * the range between the two. A single measurement decides only if it is clear: near the limit, the
 * majority of three does.
 */

/** From one count to the next. */
export const GRID_STEP = 1.05;
/** Number of grid steps closest to a doubling: 1.05^14 is 1.98. */
const DOUBLING = 14;

/**
 * Shares of the budget between which a measurement is repeated. The upper end is further away,
 * because disturbances make a measurement slower: a hiccup must not end the search.
 */
const UNCLEAR_FROM = 0.9;
const UNCLEAR_TO = 2;
const VOTES = 3;

export interface HeadroomOptions {
  /** The period, in milliseconds. */
  readonly budgetMs: number;
  /** Where the search starts; ideally near the expected result. Default 100. */
  readonly startBodies?: number;
  /** The maximum that is tried. Default 100,000. */
  readonly maxBodies?: number;
  /** Maximum number of measurements, repeats included. Default 40. */
  readonly maxProbes?: number;
  /** Called before each measurement: true ends the search with what it knows. */
  readonly isCancelled?: () => boolean;
}

export interface Headroom {
  /** The largest count that fits; 0 if none did. */
  readonly bodies: number;
  readonly p99Ms: number | null;
  /**
   * Counts in ascending order, each with the median of its measurements; null if that is not a
   * number.
   */
  readonly triedCounts: [bodies: number, p99Ms: number | null][];
  /** It ended before the next count of the grid was known not to fit. */
  readonly isBoundedBySearch: boolean;
}

/**
 * @param measureP99Ms Measures a count. NaN or infinity for one that cannot run: it does not fit.
 * What it
 *   throws ends the search.
 */
export async function findHeadroom(
  measureP99Ms: (bodies: number) => Promise<number>,
  options: HeadroomOptions,
): Promise<Headroom> {
  const search = new Search(measureP99Ms, options);
  await search.bracket();
  await search.narrow();
  return search.found();
}

class Search {
  readonly #measure: (bodies: number) => Promise<number>;
  readonly #budgetMs: number;
  readonly #start: number;
  readonly #maxBodies: number;
  readonly #isCancelled: () => boolean;
  #probesLeft: number;
  readonly #measured = new Map<number, number[]>();
  /** Places on the grid: the highest that fits and the lowest that does not, as far as known. */
  #fits: number | undefined;
  #tooMany: number | undefined;

  constructor(measure: (bodies: number) => Promise<number>, options: HeadroomOptions) {
    const { budgetMs, startBodies = 100, maxBodies = 100_000, maxProbes = 40 } = options;
    if (!(budgetMs > 0)) throw new RangeError(`budgetMs must be over 0, but is ${budgetMs}`);
    if (!(startBodies >= 1))
      throw new RangeError(`startBodies must be from 1, but is ${startBodies}`);
    if (!(maxBodies >= startBodies)) {
      throw new RangeError(
        `maxBodies must be startBodies (${startBodies}) or more, but is ${maxBodies}`,
      );
    }
    this.#measure = measure;
    this.#budgetMs = budgetMs;
    this.#start = startBodies;
    this.#maxBodies = Math.floor(maxBodies);
    this.#isCancelled = options.isCancelled ?? (() => false);
    this.#probesLeft = maxProbes;
  }

  /** Doubles or halves until one count fits and another does not. */
  async bracket(): Promise<void> {
    for (let index: number | undefined = 0; index !== undefined; index = this.#nextInBracket()) {
      if (!(await this.#try(index))) return;
    }
  }

  /** Bisects the range between what fits and what does not. */
  async narrow(): Promise<void> {
    for (let index = this.#middle(); index !== undefined; index = this.#middle()) {
      if (!(await this.#try(index))) return;
    }
  }

  found(): Headroom {
    const bodies = this.#fits === undefined ? 0 : this.#bodiesAt(this.#fits);
    const triedCounts = [...this.#measured]
      .map(([count, values]): [number, number | null] => [count, finite(medianOf(values))])
      .toSorted(([a], [b]) => a - b);
    const p99Ms = triedCounts.find(([count]) => count === bodies)?.[1] ?? null;
    return { bodies, p99Ms, triedCounts, isBoundedBySearch: !this.#isLimitKnown() };
  }

  #isLimitKnown(): boolean {
    if (this.#tooMany === undefined) return false;
    if (this.#fits === undefined) return this.#bodiesAt(this.#tooMany) === 1;
    return this.#middle() === undefined;
  }

  #nextInBracket(): number | undefined {
    if (this.#fits !== undefined && this.#tooMany !== undefined) return undefined;
    if (this.#fits !== undefined) {
      return this.#bodiesAt(this.#fits) >= this.#maxBodies ? undefined : this.#fits + DOUBLING;
    }
    const lowest = this.#tooMany ?? 0;
    return this.#bodiesAt(lowest) <= 1 ? undefined : lowest - DOUBLING;
  }

  #middle(): number | undefined {
    if (this.#fits === undefined || this.#tooMany === undefined) return undefined;
    const middle = Math.floor((this.#fits + this.#tooMany) / 2);
    if (middle > this.#fits) return middle;
    return undefined;
  }

  #bodiesAt(index: number): number {
    const bodies = Math.round(this.#start * GRID_STEP ** index);
    return Math.min(this.#maxBodies, Math.max(1, bodies));
  }

  /** Determines whether a place fits. False when no measurements are left. */
  async #try(index: number): Promise<boolean> {
    const fits = await this.#decide(this.#bodiesAt(index));
    if (fits === undefined) return false;
    if (fits) this.#fits = index;
    else this.#tooMany = index;
    return true;
  }

  async #decide(bodies: number): Promise<boolean | undefined> {
    // Several places of the grid round to the same small count.
    const values = this.#measured.get(bodies) ?? [];
    const votesFor = (): number => values.filter((value) => value <= this.#budgetMs).length;
    const isDecided = (): boolean => {
      const max = Math.max(votesFor(), values.length - votesFor());
      return values.length > 0 && (max > VOTES / 2 || this.#isClear(values));
    };
    while (!isDecided()) {
      if (this.#probesLeft <= 0 || this.#isCancelled()) return undefined;
      this.#probesLeft--;
      values.push(await this.#measure(bodies));
      this.#measured.set(bodies, values);
    }
    return votesFor() > values.length / 2;
  }

  /** One measurement, far from the limit. */
  #isClear(values: readonly number[]): boolean {
    const share = (values[0] ?? Number.NaN) / this.#budgetMs;
    return values.length === 1 && !(share > UNCLEAR_FROM && share < UNCLEAR_TO);
  }
}

function medianOf(values: readonly number[]): number {
  const sorted = values
    .map((value) => (Number.isNaN(value) ? Infinity : value))
    .toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
