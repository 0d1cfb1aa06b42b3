import { expect, test } from 'vitest';
import { sleep } from '../fixtures/busy.js';
import { seededRandom } from '../fixtures/seeded-random.js';
import { connectToyForTest, type ToyHandle } from '../fixtures/threads.js';

const OPTIONS = { tickRateHz: 240, capacity: 64, maxCatchUpTicks: 3 };
const TICKS = 120;

/** State hashes after ticks 1 to {@link TICKS}, however the worker was woken up for them. */
async function hashesOf(run: (simulation: ToyHandle) => Promise<void>, startPaused: boolean) {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused });
  await run(simulation);
  const hashes = await simulation.queries.hashes();
  expect(hashes.length).toBeGreaterThan(TICKS);
  return { hashes: hashes.slice(1, TICKS + 1), stats: simulation.stats() };
}

async function untilTick(simulation: ToyHandle, tick: number): Promise<void> {
  while (simulation.stats().tick < tick) await sleep(5);
}

test('the same inputs under different wake-ups give the same states, tick by tick', async () => {
  const [stepped, ran, stalled] = [
    await hashesOf(async (simulation) => {
      for (const ticks of [1, 1, 7, 50, 200]) await simulation.step(ticks);
    }, true),
    await hashesOf((simulation) => untilTick(simulation, TICKS + 1), false),
    await hashesOf(async (simulation) => {
      const random = seededRandom(7);
      // A page that is held up itself may find the first ticks done.
      const isDone = (): boolean => {
        const { tick, catchUpPasses, droppedTicks } = simulation.stats();
        return tick > TICKS && catchUpPasses > 0 && droppedTicks > 0;
      };
      while (!isDone()) {
        await simulation.queries.stall(40 * random());
        await sleep(20 * random());
      }
    }, false),
  ];
  expect(ran.hashes).toEqual(stepped.hashes);
  expect(stalled.hashes).toEqual(stepped.hashes);
  // It did happen: ticks were caught up and dropped, and no two states are alike.
  expect(stalled.stats.catchUpPasses).toBeGreaterThan(0);
  expect(stalled.stats.droppedTicks).toBeGreaterThan(0);
  expect(new Set(stepped.hashes).size).toBe(TICKS);
});

test('a scene that is rebuilt runs identically', async () => {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
  const hashesAfter = async (): Promise<(number | undefined)[]> => {
    expect(await simulation.step(50)).toBe(50);
    return simulation.queries.hashes();
  };
  const first = await hashesAfter();
  await simulation.queries.rebuild();
  expect(await hashesAfter()).toEqual(first);
});
