/**
 * The demo on a real 144 Hz display: a light scene on a small canvas, because WebGL is drawn by the CPU.
 *
 * Counts and shares over thousands of frames, from the page's own statistics. The second test takes the
 * interpolation away and must see the repeated frames that 60 ticks on 144 frames give: so the first one
 * would see them as well.
 */
import { expect, test, type Page } from '@playwright/test';
import type {} from '../../demo/page/simulation-session.js';
import { expectedDisplayHz } from '../../scripts/fast-display.js';

const LIGHT = 'scene=tops&bodies=12&shadows=0&hud=0&panel=0&width=320&height=180';
const displayHz = expectedDisplayHz(process.env);
const WARM_UP_MS = 4000;
/** Ten seconds are 1,440 frames: a hundredth of them are fourteen. */
const MEASURE_MS = 10_000;
/** Enough for a share that is more than half. */
const BRIEFLY_MS = 4000;

async function measure(page: Page, parameters: string, forMs: number) {
  await page.goto(`/?${parameters}`);
  await page.waitForFunction(() => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 60);
  await page.waitForTimeout(WARM_UP_MS);
  await page.evaluate(() => globalThis.betwixt.resetStats());
  await page.waitForTimeout(forMs);
  const stats = await page.evaluate(() => globalThis.betwixt.stats());
  const { frames, repeatedFrames, starvedFrames, frameMs, animationErrorMs } = stats;
  // For docs/performance.md.
  console.log(
    `${forMs / 1000} s: median frame ${frameMs.p50.toFixed(3)} ms; ${frames} frames, ${repeatedFrames} repeated, ` +
      `${starvedFrames} starved; animation error p99 ${animationErrorMs.p99.toFixed(3)} ms`,
  );
  return stats;
}

test('drawn between two states, every frame is new and in its place', async ({ page }) => {
  const stats = await measure(page, LIGHT, MEASURE_MS);
  const frameMs = 1000 / displayHz;
  // Half of them at least: the median below would otherwise be that of another rate.
  expect(stats.frames).toBeGreaterThan(MEASURE_MS / frameMs / 2);
  expect(stats.frameMs.p50).toBeGreaterThan(frameMs - 0.01);
  expect(stats.frameMs.p50).toBeLessThan(frameMs + 0.01);
  expect(stats.repeatedFrames).toBe(0);
  expect(stats.animationErrorMs.p99).toBeLessThanOrEqual(0.05);
  expect(stats.starvedFrames / stats.frames).toBeLessThanOrEqual(0.005);
  expect(stats.droppedTicks).toBe(0);
  expect(stats.tickRateHz).toBe(60);
});

test('without interpolation, 60 ticks on 144 frames repeat 58 % of them', async ({ page }) => {
  const stats = await measure(page, `${LIGHT}&interpolation=none`, BRIEFLY_MS);
  const expected = 1 - 60 / displayHz;
  const share = stats.repeatedFrames / stats.frames;
  expect(share).toBeGreaterThan(expected - 0.02);
  expect(share).toBeLessThan(expected + 0.02);
  expect(stats.animationErrorMs.p99).toBeGreaterThan(5);
});
