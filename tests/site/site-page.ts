/** Opens pages of the built site, and fails a test that left anything on the console. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test as base } from '../browsers/shared-page.js';

/**
 * The software renderer's notes on performance come from the browser, and fiber has a clock that
 * three.js replaces.
 */
const NOT_OURS = /GL Driver Message|THREE\.Clock/;

export const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  // As wide as a phone, and low: the CPU draws all pictures, pixel by pixel.
  viewport: { width: 390, height: 320 },
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, blankPage, expectedConsole }, use) => {
    const lines: string[] = [];
    page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => lines.push(String(error)));
    const script = await page.addInitScript(drawRarely);
    await use(page);
    await script.dispose();
    // Nothing of it may log later, on the page of another test.
    await page.goto(blankPage);
    const unexpected = lines.filter(
      (line) => !NOT_OURS.test(line) && expectedConsole?.test(line) !== true,
    );
    expect(unexpected).toEqual([]);
  },
});
export { expect };

/** Runs in the page, before its own scripts: ten frames a second, because drawing takes most of the processor time. */
function drawRarely(): void {
  const nextFrame = requestAnimationFrame;
  let drawnMs = 0;
  globalThis.requestAnimationFrame = (callback) =>
    nextFrame(function frame(stampMs) {
      if (stampMs !== drawnMs && stampMs < drawnMs + 100) return void nextFrame(frame);
      drawnMs = stampMs;
      return callback(stampMs);
    });
}

/** The page is no wider than the window. */
export async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
}

/** The page is no wider than the window, and axe finds nothing in it, in the dark neither. */
export async function expectGoodPage(page: Page): Promise<void> {
  await expectToFit(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Pages follow before their next frame, and their colours in transitions that begin there.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.waitForFunction(() =>
      document.getAnimations().every((each) => !(each instanceof CSSTransition)),
    );
    // In the page itself: otherwise it opens another one for its result.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    // Only the colours differ.
    if (colorScheme === 'dark') axe.withRules('color-contrast');
    const { violations, passes } = await axe.analyze();
    if (colorScheme === 'light') expect(passes.length).toBeGreaterThan(10);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
    expect(found, colorScheme).toEqual([]);
  }
}
