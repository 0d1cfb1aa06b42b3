/**
 * Worlds that the page makes, for minutes: 1,000 bodies come and go in a second, 1,000 are pushed in every tick, and in pauses all are
 * changed in each frame. Nothing is mixed up, lost, or left behind.
 */
import type { World } from '../../../src/world/page/index.js';
import {
  ADDED_PER_TICK,
  WorldChurn,
  WorldPauses,
  WorldPushes,
  openChurningWorld,
} from '../world-churn.js';
import { usedBytes } from '../heap.js';
import type { AttackContext, AttackFailure, AttackPart } from '../part.js';

/** Shares of the time. */
const SHARES = { churn: 0.5, pushes: 0.3, pauses: 0.2 } as const;
/** Between two looks at the clock. */
const TICKS = { churn: 100, pushes: 20, pauses: 1 } as const;
/** Rounds of these until caches are full and code is compiled: growth is counted from then on. */
const WARM_UP_ROUNDS = 15;
/** Rounds that distinguish growth from noise. */
const MEASURABLE_ROUNDS = 30;
/** A body that is kept with its collider takes thirty times as much; the bytes that compilers keep decrease. */
const MAX_BYTES_PER_BODY = 30;
const MAX_BYTES_PER_IMPULSE = 2;
const MAX_BYTES_PER_PAUSE = 2000;

interface Work {
  run(ticks: number): Promise<void>;
}

interface Attacked {
  readonly name: keyof typeof TICKS;
  readonly create: (world: World, seed: number) => Work;
  /** The calls of which each leaves at most some bytes behind. */
  readonly what: string;
  /** How many of them a tick has. */
  readonly perTick: number;
  readonly maxBytes: number;
}

const ATTACKED: readonly Attacked[] = [
  {
    name: 'churn',
    create: (world) => new WorldChurn(world),
    what: 'body',
    perTick: ADDED_PER_TICK,
    maxBytes: MAX_BYTES_PER_BODY,
  },
  {
    name: 'pushes',
    create: (world) => new WorldPushes(world),
    what: 'impulse',
    perTick: 1000,
    maxBytes: MAX_BYTES_PER_IMPULSE,
  },
  {
    name: 'pauses',
    create: (world, seed) => new WorldPauses(world, seed),
    what: 'pause',
    perTick: 1,
    maxBytes: MAX_BYTES_PER_PAUSE,
  },
];

export const worlds: AttackPart = {
  name: 'worlds',
  about:
    '1,000 bodies a second come and go in a world, 1,000 impulses a tick, changes in pauses: none lost, nothing left behind',
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
  { name, create, what, perTick, maxBytes }: Attacked,
  world: World,
  { timeLimitMs, seed }: AttackContext,
  onTicks: (ticks: number) => void,
): Promise<AttackFailure | undefined> {
  const endMs = performance.now() + timeLimitMs * SHARES[name];
  const work = create(world, seed);
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
  return {
    message: `each ${what} leaves ${bytes.toPrecision(3)} bytes behind`,
    steps: `${name}: ${rounds * ticks} ticks`,
  };
}
