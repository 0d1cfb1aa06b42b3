/** Frames that would repeat the current drawing are skipped, and it stays visible. */
import type { Page } from '@playwright/test';
import {
  LIGHT,
  expect,
  loseContextForAWhile,
  openDemo,
  screenshot,
  settledImage,
  statsOf,
  test,
} from './demo-page.js';

declare global {
  /** Frames of the page in which WebGL drew anything. */
  var drawnFrames: number;
}

const PAUSED = `scene=tops&bodies=6&paused=1&${LIGHT}`;

let counter: { dispose(): Promise<void> };
test.beforeEach(async ({ page }) => {
  counter = await page.addInitScript(() => {
    globalThis.drawnFrames = 0;
    let lastFrame: unknown;
    const names = ['drawArrays', 'drawElements', 'drawArraysInstanced', 'drawElementsInstanced'];
    const prototype = WebGL2RenderingContext.prototype as unknown as Record<
      string,
      (...values: unknown[]) => unknown
    >;
    for (const name of names) {
      const draw = prototype[name];
      if (draw === undefined) throw new Error(`WebGL 2 has no ${name}`);
      prototype[name] = function (this: unknown, ...values: unknown[]) {
        const frame = document.timeline.currentTime;
        if (frame !== lastFrame) globalThis.drawnFrames += 1;
        lastFrame = frame;
        return draw.apply(this, values);
      };
    }
  });
});
test.afterEach(() => counter.dispose());

const drawnOf = (page: Page) => page.evaluate(() => globalThis.drawnFrames);

/** Waits until the page has sampled this many more frames. */
async function waitForFrames(page: Page, count: number): Promise<void> {
  const { frames } = await statsOf(page);
  await expect.poll(async () => (await statsOf(page)).frames).toBeGreaterThan(frames + count);
}

/** Waits until 20 frames in a row were not drawn. */
async function waitForStandstill(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const before = await drawnOf(page);
      await waitForFrames(page, 20);
      return (await drawnOf(page)) - before;
    })
    .toBe(0);
}

/** As when the page was hidden. */
const redraw = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test('the demo: a paused scene is redrawn when the camera moves, or when it is stepped, restarted, or changed', async ({
  page,
}) => {
  await openDemo(page, PAUSED.replace('panel=0', 'panel=1'));
  await waitForStandstill(page);
  await test.step('the camera moved', async () => {
    const before = await screenshot(page);
    const drawn = await drawnOf(page);
    const { x = 0, y = 0 } = (await page.locator('#canvas').boundingBox()) ?? {};
    await page.mouse.move(x + 20, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + 90, y + 30, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => drawnOf(page)).toBeGreaterThan(drawn);
    await waitForStandstill(page);
    expect((await screenshot(page)).equals(before)).toBe(false);
  });
  await test.step('some more ticks', async () => {
    const before = await settledImage(page);
    await page.evaluate(() => globalThis.betwixt.step(10));
    await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(false);
    await waitForStandstill(page);
  });
  await test.step('rebuilt', async () => {
    const drawn = await drawnOf(page);
    await page.keyboard.press('r');
    await expect.poll(() => drawnOf(page)).toBeGreaterThan(drawn);
    await waitForStandstill(page);
  });
  await test.step('another scene', async () => {
    const before = await settledImage(page);
    await page.getByLabel('Scene', { exact: true }).selectOption('Domino spiral');
    await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(false);
    await waitForStandstill(page);
  });
});

test('the demo: without interpolation, the number of drawn frames is that of the shown ticks', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&tickHz=10&interpolation=none&${LIGHT}`);
  const look = () =>
    page.evaluate(() => [globalThis.betwixt.stats(), globalThis.drawnFrames] as const);
  const [before, drawn] = await look();
  await waitForFrames(page, 60);
  const [after, drawnAfter] = await look();
  const ticks = after.tick - before.tick;
  const frames = after.frames - before.frames;
  // A slow machine has fewer frames than ticks, and draws each of them.
  expect(drawnAfter - drawn).toBeGreaterThan(Math.min(ticks, frames) / 2);
  expect(drawnAfter - drawn).toBeLessThanOrEqual(ticks + 2);
  // Frames are counted as before: of each tick all but the first repeat it.
  expect(after.repeatedFrames - before.repeatedFrames).toBeGreaterThan(frames - ticks - 3);
});

test('the demo: half-rate drawing draws both halves, then stops', async ({ page }) => {
  await openDemo(page, `scene=tower&bodies=60&paused=1&halfRate=checker&${LIGHT}`);
  const before = await settledImage(page);
  await page.evaluate(() => globalThis.betwixt.step(40));
  await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(false);
  await waitForStandstill(page);
  const still = await screenshot(page);
  const drawn = await drawnOf(page);
  await redraw(page);
  await expect.poll(() => drawnOf(page)).toBe(drawn + 2);
  await waitForStandstill(page);
  // Otherwise one half was old.
  expect((await screenshot(page)).equals(still)).toBe(true);
});

test('the demo: an unchanged drawing survives a lost context, a hidden page and another size', async ({
  page,
}) => {
  await openDemo(page, PAUSED.replace('&width=160&height=90', ''));
  await waitForStandstill(page);
  const before = await settledImage(page);
  await loseContextForAWhile(page);
  await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(true);
  await waitForStandstill(page);

  const other = await page.context().newPage();
  await other.goto('about:blank');
  await other.bringToFront();
  await page.bringToFront();
  await other.close();
  await waitForStandstill(page);
  expect((await screenshot(page)).equals(before)).toBe(true);

  // The canvas gets the size that it has. Chromium leaves it as it is then; others may clear it.
  const drawn = await drawnOf(page);
  await page.evaluate(() => window.dispatchEvent(new Event('resize')));
  await expect.poll(() => drawnOf(page)).toBeGreaterThan(drawn);
  await waitForStandstill(page);
  expect((await screenshot(page)).equals(before)).toBe(true);

  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: width - 200, height: height - 100 });
  await waitForStandstill(page);
  const smaller = await screenshot(page);
  // A blank canvas compresses to almost nothing.
  expect(smaller.length).toBeGreaterThan(3000);
});

test('the demo: the counter line distinguishes drawn frames from all frames', async ({ page }) => {
  await openDemo(page, 'scene=tops&bodies=6&paused=1&shadows=0&hud=1&panel=0');
  // The first reading has no predecessor: it shows 0 for everything.
  await expect(page.locator('[data-measure=fps]')).toHaveText(/^[1-9]/);
  await expect(page.locator('.counter-line')).toHaveText(/Rendered: 0 /);
});
