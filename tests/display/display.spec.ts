import { expect, test } from '@playwright/test';
import { frameDeltasMs, median, openEmptyPage } from '../../scripts/browsers/frame-rate.js';

const displayHz = 144;

// The other display tests mean nothing if this one fails.
test(`the display itself is ${displayHz} Hz`, async ({ page }) => {
  await openEmptyPage(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

  const deltas = await frameDeltasMs(page, 3 * displayHz);

  // Consecutive frames are a period apart, however many others a slow machine misses.
  const shortest = deltas.toSorted((a, b) => a - b).slice(0, deltas.length / 10);
  expect(1000 / median(shortest)).toBeCloseTo(displayHz, 0);
  const meanMs = deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length;
  test.skip(
    meanMs * displayHz > 1050,
    `This machine draws an empty page at ${(1000 / meanMs).toFixed(1)} frames a second on a display of ${displayHz} Hz.`,
  );
  expect(1000 / median(deltas)).toBeCloseTo(displayHz, 0);
});
