/** Opens the demo small and light, and fails a test that left a message of ours on the console. */
import { expect, type Page } from '@playwright/test';
import type {} from '../../demo/page/simulation-session.js';
import type {} from '../../demo/page/view/demo-view.js';
import { test as base } from '../browsers/shared-page.js';

/**
 * The software renderer's notes on performance come from the browser, and so do those of a lost
 * context.
 */
const NOT_OURS = /GL Driver Message|Context Lost|Context Restored|\[vite\]/;

/**
 * Small frames, 30 a second: the CPU draws them, pixel by pixel. Of one quality, so that they can
 * be compared.
 */
export const SMALL_PICTURE = 'quality=medium&shadows=0&width=160&height=90&frameLimit=30';
/** With nothing over them. */
export const LIGHT = `${SMALL_PICTURE}&hud=0&panel=0`;
/**
 * Large enough for bodies to be found in it, and for a frame not to be mistaken for a blank one.
 */
export const CLEAR = LIGHT.replace('width=160&height=90', 'width=320&height=180');

declare global {
  /**
   * Every notice that the page has shown, including hidden ones, and the simulation's state at that
   * time.
   */
  var descriptionBefore: unknown;
  var noticesSeen: { readonly text: string; readonly state: string | undefined }[];
}

export const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, blankPage, expectedConsole }, use) => {
    const lines: string[] = [];
    page.on('console', (message) => {
      if (!NOT_OURS.test(message.text()))
        lines.push(`${message.type()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => lines.push(String(error)));
    const script = await page.addInitScript(keepNotices);
    await use(page);
    await script.dispose();
    // Nothing of it may log later, on the page of another test.
    await page.goto(blankPage);
    expect(lines.filter((line) => expectedConsole?.test(line) !== true)).toEqual([]);
  },
});
export { expect };

/** Runs in the page, before its own scripts. */
function keepNotices(): void {
  globalThis.noticesSeen = [];
  const observer = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element) || !node.matches('.notice')) continue;
      const { state } = globalThis.betwixt?.stats() ?? {};
      globalThis.noticesSeen.push({ text: node.textContent, state });
    }
  });
  observer.observe(document, { childList: true, subtree: true });
}

export const noticesOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => globalThis.noticesSeen.map(({ text }) => text));

/** Waits until the page has shown a notice: some disappear before a busy machine checks. */
export const expectNotice = (page: Page, text: RegExp): Promise<void> =>
  expect.poll(() => noticesOf(page)).toContainEqual(expect.stringMatching(text));

/**
 * Where the picture is drawn, and `betwixt` and `betwixtView` are complete: on the page, or in the
 * worker that has its canvas.
 */
export const drawingOf = (page: Page): Pick<Page, 'evaluate'> =>
  page.workers().find((worker) => worker.url().includes('picture.worker')) ?? page;

/** Opens the demo and waits until its scene runs (or is paused, if requested). */
export async function openDemo(page: Page, parameters = ''): Promise<void> {
  await page.goto(`/?${parameters}`);
  await page.waitForFunction(
    () => 'betwixt' in globalThis && globalThis.betwixt.stats().bodies > 0,
  );
  if (/paused=1/.test(parameters)) {
    // The loading screen covers the picture until the first frame is drawn.
    await expect(page.locator('#loading')).toBeHidden();
    await waitForFrames(page, 1);
  } else {
    await waitForTicks(page, 5);
  }
}

export const statsOf = (page: Page) => page.evaluate(() => globalThis.betwixt.stats());

/**
 * Waits until this many more ticks have run: counts, so it may take as long as the machine needs.
 */
export const waitForTicks = (page: Page, ticks: number): Promise<void> =>
  waitForMore(page, 'tick', ticks);

/** Waits until this many more frames have been shown, whether the simulation runs or not. */
export const waitForFrames = (page: Page, frames: number): Promise<void> =>
  waitForMore(page, 'frames', frames);

/** Lets ticks pass in a paused simulation, until they are shown. */
export async function step(page: Page, ticks: number): Promise<void> {
  await drawingOf(page).evaluate((count) => globalThis.betwixt.step(count), ticks);
  await waitForFrames(page, 2);
}

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

/** Waits until the simulation is paused, and its worker has received it: no more ticks run. */
export async function waitForPause(page: Page): Promise<void> {
  await expect.poll(async () => (await statsOf(page)).state).toBe('paused');
  // Messages stay in order: a query after the pause is answered after it.
  await page.evaluate(() => globalThis.betwixt.queries.describe());
}

/** Does something that builds a scene, and waits until that is what is shown. */
export async function rebuilds(page: Page, act: () => Promise<unknown>): Promise<void> {
  const drawing = drawingOf(page);
  await drawing.evaluate(() => {
    globalThis.descriptionBefore = globalThis.betwixtView?.description;
  });
  await act();
  const isRebuilt = () =>
    drawing.evaluate(() => {
      const now = globalThis.betwixtView?.description;
      return now !== undefined && now !== globalThis.descriptionBefore;
    });
  await expect.poll(isRebuilt).toBe(true);
}

/** The canvas as it is drawn now. */
export const screenshot = (page: Page): Promise<Buffer> => page.locator('#canvas').screenshot();

/** The drawing of a paused scene, when nothing on the page moves any more. */
export async function settledImage(page: Page): Promise<Buffer> {
  let last = await screenshot(page);
  await expect
    .poll(async () => {
      const next = await screenshot(page);
      const isSettled = next.equals(last);
      last = next;
      return isSettled;
    })
    .toBe(true);
  return last;
}

/** Removes the canvas's WebGL context, and restores it a moment later. */
export async function loseContextForAWhile(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('#canvas');
    const extension = canvas?.getContext('webgl2')?.getExtension('WEBGL_lose_context');
    extension?.loseContext();
    await new Promise((resolve) => setTimeout(resolve, 300));
    extension?.restoreContext();
  });
}
