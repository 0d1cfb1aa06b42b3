/**
 * Worlds that the page makes, for minutes: 1,000 bodies come and go in a second, and 1,000 are pushed in every tick.
 * Nothing is mixed up, lost, or left behind.
 */
import type { World } from '../../../src/world/page/index.js';
import { ADDED_PER_TICK, WorldChurn, WorldPushes, openChurningWorld } from '../world-churn.js';
import { usedBytes } from '../heap.js';
import type { AttackContext, AttackFailure, AttackPart } from '../part.js';

/** Of the time, for bodies that come and go; the rest is for those that are pushed. */
const CHURN_SHARE = 0.6;
/** Between two looks at the clock. */
const TICKS = { churn: 100, pushes: 20 } as const;
/** Rounds of these until caches are full and code is compiled: growth is counted from then on. */
const WARM_UP_ROUNDS = 15;
/** Rounds that distinguish growth from noise. */
const MEASURABLE_ROUNDS = 30;
/** A body that is kept with its collider takes thirty times as much; the bytes that compilers keep decrease. */
const MAX_BYTES_PER_BODY = 30;
const MAX_BYTES_PER_IMPULSE = 2;

interface Work {
  run(ticks: number): Promise<void>;
}

interface Attacked {
  readonly name: keyof typeof TICKS;
  readonly create: (world: World) => Work;
  readonly share: number;
  /** Bodies or impulses of a tick. */
  readonly perTick: number;
  readonly maxBytes: number;
}

const ATTACKED: readonly Attacked[] = [
  {
    name: 'churn',
    create: (world) => new WorldChurn(world),
    share: CHURN_SHARE,
    perTick: ADDED_PER_TICK,
    maxBytes: MAX_BYTES_PER_BODY,
  },
  {
    name: 'pushes',
    create: (world) => new WorldPushes(world),
    share: 1 - CHURN_SHARE,
    perTick: 1000,
    maxBytes: MAX_BYTES_PER_IMPULSE,
  },
];

export const worlds: AttackPart = {
  name: 'worlds',
  about:
    '1,000 bodies a second come and go in a world, 1,000 impulses a tick: none lost, nothing left behind',
  unit: 'ticks',
  async run(context) {
    let tried = 0;
    for (const attacked of ATTACKED) {
      const world = openChurningWorld();
      try {
        const failure = await attack(attacked, world, context, (ticks) => {
          tried += ticks;
          context.onProgress(tried);
        });
        if (failure !== undefined) return { tried, failure };
      } finally {
        await world.dispose();
      }
    }
    return { tried };
  },
};

async function attack(
  { name, create, share, perTick, maxBytes }: Attacked,
  world: World,
  { timeLimitMs }: AttackContext,
  onTicks: (ticks: number) => void,
): Promise<AttackFailure | undefined> {
  const endMs = performance.now() + timeLimitMs * share;
  const work = create(world);
  const ticks = TICKS[name];
  let [rounds, warmBytes] = [0, 0];
  do {
    try {
      await work.run(ticks);
    } catch (error) {
      return { message: String(error), steps: `${name}: within tick ${(rounds + 1) * ticks}` };
    }
    rounds += 1;
    if (rounds === WARM_UP_ROUNDS) warmBytes = await usedBytes();
    onTicks(ticks);
  } while (performance.now() < endMs);
  const measured = rounds - WARM_UP_ROUNDS;
  if (measured < MEASURABLE_ROUNDS) return undefined;
  const bytes = ((await usedBytes()) - warmBytes) / (measured * ticks * perTick);
  if (bytes <= maxBytes) return undefined;
  const what = name === 'churn' ? 'body' : 'impulse';
  return {
    message: `each ${what} leaves ${bytes.toPrecision(3)} bytes behind`,
    steps: `${name}: ${rounds * ticks} ticks`,
  };
}
