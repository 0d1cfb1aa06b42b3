/** The cost of publishing 100 awake bodies next to any number of sleeping ones. */
import type { BodyId } from '../src/shared/index.js';
import { createWorld, publish } from './kernel-cases.js';

export const AWAKE = 100;
export const SLEEPERS = [0, 100, 1000, 3000, 10_000] as const;
/** The same for all, so that only the sleepers differ. */
const CAPACITY = 10_240;
const ROUNDS = 60;
const PUBLICATIONS = 100;

/** Where the awake ones are among the others: next to each other, or as far apart as possible. */
export type Placement = 'together' | 'scattered';

export interface SleeperRow {
  readonly sleepers: number;
  /** Median of the rounds, in µs a publication. */
  readonly us: number;
  /** Compared with the row without sleepers, round by round: median and quartiles. */
  readonly ratio: readonly [low: number, median: number, high: number];
}

/** The counts alternate in every round, so that other load affects all of them. */
export function measureSleepers(placement: Placement): SleeperRow[] {
  const batches = SLEEPERS.map((sleepers) => createBatch(sleepers, placement));
  for (const batch of batches) for (let round = 0; round < 5; round++) batch();
  const times: number[][] = SLEEPERS.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, batch] of batches.entries()) times[index]?.push(batch());
  }
  const [baseline = []] = times;
  return SLEEPERS.map((sleepers, index): SleeperRow => {
    const own = times[index] ?? [];
    const ratios = own.map((us, round) => us / (baseline[round] ?? Number.NaN));
    return {
      sleepers,
      us: quantile(own, 0.5),
      ratio: [quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75)],
    };
  });
}

/**
 * @returns Runs publications, and returns what one took in µs. Writing the poses is not part of it.
 */
function createBatch(sleepers: number, placement: Placement): () => number {
  const world = createWorld(AWAKE + sleepers, CAPACITY);
  const { registry, reader, ids } = world;
  const awake = new Set(
    Array.from({ length: AWAKE }, (_, index) => {
      const picked = placement === 'together' ? index : Math.floor((index * ids.length) / AWAKE);
      return ids[picked] as BodyId;
    }),
  );
  for (const id of ids) if (!awake.has(id)) registry.setAsleep(id, true);
  let tick = 0;
  return () => {
    let tookMs = 0;
    for (let count = 0; count < PUBLICATIONS; count++) {
      tick += 1;
      for (const id of awake) registry.setPose(id, tick % 8, 0, 0, 0, 0, 0, 1);
      const startMs = performance.now();
      publish(world, tick);
      tookMs += performance.now() - startMs;
      reader.fetch();
    }
    return (tookMs * 1000) / PUBLICATIONS;
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
