/** Opens the demo small and light, and fails a test that left anything of ours on the console. */
import { expect, test as base, type Page } from '@playwright/test';
import type {} from '../../demo/page/simulation-session.js';
import type {} from '../../demo/page/view/demo-view.js';

/** The software renderer's notes on performance are the browser's, and so are those of a lost context. */
const NOT_OURS = /GL Driver Message|Context Lost|Context Restored|\[vite\]/;

/** Few and small pictures: the CPU draws them. Of one quality, so that they can be compared. */
export const LIGHT = 'quality=medium&shadows=0&hud=0&panel=0&width=320&height=180&frameLimit=30';

export const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, expectedConsole }, use) => {
    const lines: string[] = [];
    page.on('console', (message) => {
      if (!NOT_OURS.test(message.text())) lines.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => lines.push(String(error)));
    await use(page);
    expect(lines.filter((line) => expectedConsole?.test(line) !== true)).toEqual([]);
  },
});
export { expect };

/** Opens the demo and waits until its scene runs (or stands, when it was asked to). */
export async function openDemo(page: Page, parameters = ''): Promise<void> {
  await page.goto(`/?${parameters}`);
  await page.waitForFunction(
    () => 'betwixt' in globalThis && globalThis.betwixt.stats().bodies > 0,
    undefined,
    { timeout: 30_000 },
  );
  if (!/paused=1/.test(parameters)) await waitForTicks(page, 5);
}

export const statsOf = (page: Page) => page.evaluate(() => globalThis.betwixt.stats());

/** Waits until so many more ticks have run: counts, so it may take as long as the machine needs. */
export const waitForTicks = (page: Page, ticks: number): Promise<void> =>
  waitForMore(page, 'tick', ticks);

/** Waits until so many more frames have been shown, whether the simulation runs or not. */
export const waitForFrames = (page: Page, frames: number): Promise<void> =>
  waitForMore(page, 'frames', frames);

const waitForMore = (page: Page, counted: 'tick' | 'frames', more: number): Promise<void> =>
  page.evaluate(
    async ([name, count]) => {
      const end = globalThis.betwixt.stats()[name] + count;
      while (globalThis.betwixt.stats()[name] < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [counted, more] as const,
  );

/** Does something that builds a scene, and waits until that is what is shown. */
export async function buildsAnew(page: Page, act: () => Promise<unknown>): Promise<void> {
  const before = await page.evaluateHandle(() => globalThis.betwixtView?.description);
  await act();
  await page.waitForFunction((old) => {
    const now = globalThis.betwixtView?.description;
    return now !== undefined && now !== old;
  }, before);
}

/** The canvas as it is drawn now. */
export const picture = (page: Page): Promise<Buffer> => page.locator('#canvas').screenshot();

/** The picture of a paused scene, when nothing on the page moves any more. */
export async function standingPicture(page: Page): Promise<Buffer> {
  let last = await picture(page);
  await expect
    .poll(async () => {
      const next = await picture(page);
      const isStanding = next.equals(last);
      last = next;
      return isStanding;
    })
    .toBe(true);
  return last;
}

/** Takes the canvas's WebGL context away, and gives it back a moment later. */
export async function loseContextForAWhile(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('#canvas');
    const extension = canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    extension?.loseContext();
    await new Promise((resolve) => setTimeout(resolve, 300));
    extension?.restoreContext();
  });
}
