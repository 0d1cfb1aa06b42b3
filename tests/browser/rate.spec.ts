/**
 * Ticks that were due and did not run are counted, and the worker's clock is aligned to the page's.
 */
import { expect, test } from './library-page.js';
import { statsOf, ticksAhead } from './library-ticks.js';

test('a stall of the worker is dropped in whole ticks and counted', async ({ page }) => {
  await page.evaluate(() => library.start('toy'));
  await page.evaluate(() => library.moreTicks(18));
  await page.evaluate(() => library.simulation?.queries.stall(600));
  await page.evaluate(() => library.moreTicks(18));
  await expect.poll(async () => Math.abs(await ticksAhead(page))).toBeLessThanOrEqual(1);
  const stats = await statsOf(page);
  // 600 ms are 36 ticks; five are caught up.
  expect(stats.droppedTicks).toBeGreaterThanOrEqual(28);
  expect(stats.effectiveSpeed).toBeLessThan(1);
});

test('the worker is isolated, and the offset of its clock is within its bound', async ({
  page,
}) => {
  await page.evaluate(() => library.start('toy'));
  expect(await page.evaluate(() => library.simulation?.queries.isIsolated())).toBe(true);
  const clocks = await page.evaluate(() => library.alignments(6));
  // On a machine too busy to run both threads at the same time none of the pings is answered; that
  // bound is infinite.
  for (const { method } of clocks) expect(['ping', 'origin']).toContain(method);
  // The clocks do not drift apart: one true offset is within every bound.
  const most = Math.min(...clocks.map(({ offsetMs, uncertaintyMs }) => offsetMs + uncertaintyMs));
  const least = Math.max(...clocks.map(({ offsetMs, uncertaintyMs }) => offsetMs - uncertaintyMs));
  expect(least).toBeLessThanOrEqual(most);
  // A busy machine may interrupt many of them, but not all forever.
  const narrowest = async (): Promise<number> => {
    const again = await page.evaluate(() => library.alignments(6));
    return Math.min(...again.map(({ uncertaintyMs }) => uncertaintyMs));
  };
  await expect.poll(narrowest).toBeLessThan(1);
});
