import { expect, test } from '@playwright/test';
import { expectedDisplayHz } from '../../scripts/fast-display.js';
import { frameDeltasMs, median, openEmptyPage } from '../../scripts/frame-rate.js';

const displayHz = expectedDisplayHz(process.env);

// The other display tests mean nothing if this one fails.
test(`the display itself is ${displayHz} Hz`, async ({ page }) => {
  await openEmptyPage(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);

  const deltas = await frameDeltasMs(page, 3 * displayHz);

  expect(1000 / median(deltas)).toBeCloseTo(displayHz, 0);
  // A missed frame now and then is the machine's; a display that skips every tenth is not 144 Hz.
  const mean = deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length;
  expect(mean / median(deltas)).toBeLessThan(1.05);
});
