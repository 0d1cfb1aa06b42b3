/** The worker's rate, exact to a tick, whatever the page does. */
import type { TestPage } from '../browsers/test.js';
import { expect, openBare, openLibrary, skipUnless, test } from './bare-page.js';

/** Between the times that the page is blocked. */
const CALM_MS = 400;
const BLOCK_MS = 300;
/** Ticks that are due in that time, at 60 Hz. */
const DUE_TICKS = 18;

/** Statistics of the page's simulation. */
const statsOf = (page: TestPage) => page.evaluate(() => library.simulation.stats());

/**
 * The newest tick, minus the last one that is due: floor(elapsed × rate), or one less while it is
 * being run. To be polled: the worker of a busy machine may be late at a single check.
 */
async function ticksAhead(page: TestPage): Promise<number> {
  const { tick, droppedTicks, elapsedMs } = await statsOf(page);
  return tick + droppedTicks - Math.floor((elapsedMs * 60) / 1000);
}

test('the worker: ticks = elapsed × rate within one, while the page is blocked three times', async ({
  page,
}) => {
  const measureBare = async () => {
    await openBare(page);
    return page.evaluate(([calmMs, blockMs]) => bare.beatsWhileBlocked(3, calmMs, blockMs), [
      CALM_MS / 5,
      BLOCK_MS,
    ] as const);
  };
  const bares = [await measureBare()];
  await openLibrary(page);
  await page.evaluate((ticks) => library.start('toy', { maxCatchUpTicks: ticks }), DUE_TICKS);
  const before = await statsOf(page);
  const startMs = await page.evaluate(() => performance.now());
  const blocked: number[] = [];
  for (let block = 0; block < 3; block++) {
    await page.waitForTimeout(CALM_MS);
    // Due ticks run in the meantime, and not all together when the page is free again.
    blocked.push(await page.evaluate((blockMs) => library.block(blockMs), BLOCK_MS));
  }
  await page.waitForTimeout(0.72 * CALM_MS);
  await expect.poll(async () => Math.abs(await ticksAhead(page))).toBeLessThanOrEqual(1);
  const passedMs = (await page.evaluate(() => performance.now())) - startMs;
  const after = await statsOf(page);
  bares.push(await measureBare());

  const gaps = after.gaps - before.gaps;
  skipUnless(gaps === 0, `the system was suspended ${gaps} times, and that time does not count`);
  // By the page's own clock, too: all of the time is counted.
  const missingMs = passedMs - (after.elapsedMs - before.elapsedMs);
  expect(missingMs).toBeLessThan(1);
  const fewest = Math.min(...bares.flatMap((one) => one.blocked));
  const worstLateMs = Math.max(...bares.map((one) => one.worstLateMs));
  skipUnless(
    fewest > 0.8 * DUE_TICKS && worstLateMs < BLOCK_MS / 4,
    `a bare worker reached ${fewest} of ${DUE_TICKS} beats while its page was blocked, at worst ${worstLateMs.toFixed(1)} ms late`,
  );
  for (const ticks of blocked) expect(ticks / fewest).toBeGreaterThan(0.5);
  expect(after.elapsedMs - before.elapsedMs).toBeGreaterThan(4 * CALM_MS);
  expect(after.droppedTicks).toBe(0);
});
