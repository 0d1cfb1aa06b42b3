/** The worker's rate, whatever the page does. */
import { browserName } from '../../scripts/driven-browsers.js';
import type { TestPage } from '../browsers/test-page.js';
import { expect, test } from './library-page.js';

/** Between the times that the page is blocked. Shorter in further browsers: their parts are to be short. */
const CALM_MS = browserName === 'chromium' ? 5000 : 700;

async function statsOf(page: TestPage) {
  const stats = await page.evaluate(() => library.simulation?.stats());
  if (stats === undefined) throw new Error('no statistics');
  return stats;
}

/**
 * The newest tick, less the last one that is due: floor(elapsed × rate), or one less while it is being run. To be looked
 * at until it is so: the worker of a busy machine may be late at a single look.
 */
async function ticksAhead(page: TestPage): Promise<number> {
  const { tick, droppedTicks, elapsedMs } = await statsOf(page);
  return tick + droppedTicks - Math.floor((elapsedMs * 60) / 1000);
}

test(
  'ticks = elapsed × rate within one, while the page is blocked three times',
  { tag: '@clock' },
  async ({ page }) => {
    // Room to catch up half a second: a busy machine may stop the worker too, which is not what this is about.
    await page.evaluate(() => library.start('toy', { maxCatchUpTicks: 30 }));
    const before = await statsOf(page);
    const startMs = await page.evaluate(() => performance.now());
    for (let block = 0; block < 3; block++) {
      await page.waitForTimeout(CALM_MS);
      // Thirty are due. They run meanwhile, and not at once when the page is free again.
      expect(await page.evaluate(() => library.block(500))).toBeGreaterThan(15);
    }
    await page.waitForTimeout(0.72 * CALM_MS);
    await expect.poll(async () => Math.abs(await ticksAhead(page))).toBeLessThanOrEqual(1);
    const passedMs = (await page.evaluate(() => performance.now())) - startMs;
    const after = await statsOf(page);
    // By the page's own clock, too: but for a system that stood still, all of the time is counted.
    const missingMs = passedMs - (after.elapsedMs - before.elapsedMs);
    expect(missingMs).toBeLessThan(after.gaps === before.gaps ? 1 : passedMs);
    expect(after.elapsedMs - before.elapsedMs).toBeGreaterThan(4 * CALM_MS);
    expect(after.droppedTicks).toBe(0);
  },
);

test(
  'a stall of the worker is dropped in whole ticks and counted',
  { tag: '@clock' },
  async ({ page }) => {
    await page.evaluate(() => library.start('toy'));
    await page.waitForTimeout(300);
    await page.evaluate(() => library.simulation?.commands.stall(600));
    await page.waitForTimeout(300);
    await expect.poll(async () => Math.abs(await ticksAhead(page))).toBeLessThanOrEqual(1);
    const stats = await statsOf(page);
    // 600 ms are 36 ticks; five are caught up.
    expect(stats.droppedTicks).toBeGreaterThanOrEqual(28);
    expect(stats.effectiveSpeed).toBeLessThan(1);
  },
);

test(
  'the worker is isolated, and the offset of its clock is known as well as is said',
  { tag: '@clock' },
  async ({ page }) => {
    await page.evaluate(() => library.start('toy'));
    expect(await page.evaluate(() => library.simulation?.commands.isIsolated())).toBe(true);
    const clocks = await page.evaluate(() => library.alignments(6));
    expect(clocks.map(({ method }) => method)).toEqual(Array.from(clocks, () => 'ping'));
    // The clocks do not drift apart: one true offset lies within every bound.
    const most = Math.min(...clocks.map(({ offsetMs, uncertaintyMs }) => offsetMs + uncertaintyMs));
    const least = Math.max(
      ...clocks.map(({ offsetMs, uncertaintyMs }) => offsetMs - uncertaintyMs),
    );
    expect(least).toBeLessThanOrEqual(most);
    // A busy machine may interrupt any of them, but hardly all.
    expect(Math.min(...clocks.map(({ uncertaintyMs }) => uncertaintyMs))).toBeLessThan(1);
  },
);
