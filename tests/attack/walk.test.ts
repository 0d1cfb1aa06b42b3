/** Random walks over the whole handle, with each transport: nothing is done twice, lost, or pending forever. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attack } from './attack.js';
import { usedBytes } from './heap.js';
import { LIMIT_MS } from './limits.js';
import { GONE_OPERATIONS, walksOf } from './walk/operations.js';
import { tryWalk } from './walk/walk.js';
import { openLocalWorld, openThreadWorld } from './walk/world.js';

/**
 * Walks until caches are full and code is compiled: growth is counted from the memory in use then.
 */
const WARM_UP = 30;
/** Walks needed to distinguish growth from noise. */
const MEASURABLE = 60;
/** A leaked handle is a hundred times as large; what the compiler retains decreases. */
const MAX_BYTES_PER_WALK = 10_000;

let uncaught: unknown[] = [];
const note = (error: unknown): unknown => uncaught.push(error);
beforeEach(() => {
  uncaught = [];
  process.on('uncaughtException', note).on('unhandledRejection', note);
  // Failures of the simulations.
  for (const of of ['error', 'warn'] as const) vi.spyOn(console, of).mockImplementation(() => {});
});
afterEach(() => {
  process.off('uncaughtException', note).off('unhandledRejection', note);
});

/** Pending events have been processed then. */
async function expectNothingUncaught(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
  expect(uncaught.splice(0)).toEqual([]);
}

test.each([
  [
    'walk: with any calls and faults in any order, nothing is done twice, lost, or pending forever',
    (length: number) => walksOf(length),
  ],
  [
    'gone: workers that end without a word, or hang, are missed, and nothing is lost, doubled or left behind',
    (length: number) =>
      walksOf(length, [], GONE_OPERATIONS).map((one) => Object.assign(one, { endsSilently: true })),
  ],
])('%s', async (_, walksOfLength) => {
  let walks = 0;
  let warmBytes = 0;
  await attack(
    walksOfLength(60),
    async (walk) => {
      await tryWalk(walk, await openLocalWorld(walk));
      await expectNothingUncaught();
      walks += 1;
      if (walks === WARM_UP) warmBytes = await usedBytes();
    },
    { limitMs: LIMIT_MS / 2, batch: 10 },
  );
  if (walks >= WARM_UP + MEASURABLE) {
    const bytes = (await usedBytes()) - warmBytes;
    expect(bytes / (walks - WARM_UP)).toBeLessThan(MAX_BYTES_PER_WALK);
  }
  for (const transport of ['shared', 'transfer'] as const) {
    await attack(
      walksOfLength(40),
      async (walk) => {
        await tryWalk(walk, await openThreadWorld(walk, transport));
        await expectNothingUncaught();
      },
      { limitMs: LIMIT_MS / 4, batch: 1 },
    );
  }
});
