/** An app made from a template, in a browser: what holds for each of them. */
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import type { ExpectStatic } from 'vitest';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';

/** The test's view of the `sim` that all templates put on their page. */
interface AppSimulation {
  readonly bodies: ReadonlyMap<number, unknown>;
  pose(id: number, out: Float64Array): Float64Array | undefined;
  pause(): Promise<void>;
  stats(): { readonly tick: number; readonly frames: number; readonly events: number };
}
declare const sim: AppSimulation;

/** The clients of Vite and Next.js, React's advertisement, what fiber uses of three.js, and the software renderer's notes on performance. */
const NOT_OURS = /\[vite\]|\[HMR\]|\[Fast Refresh\]|React DevTools|THREE\.Clock|GL Driver Message/;

/** Depends on how long a busy machine takes to build the worker of an app that it has never built before, and to run it. */
const IS_SLOW = /the worker has (not answered for|been in one step for)/;

/** Polled until it is so: the time an app takes to start is not tested. */
export const PATIENT = { timeout: 5 * 60_000 };

/** The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = await findOrInstallChromium();
  return chromium.launch({ executablePath, args: [...chromiumFlags] });
}

/** @returns A page, and what is on its console from now on, but for what others say. */
export async function openPage(browser: Browser | BrowserContext) {
  const page = await browser.newPage();
  // Small, because WebGL is drawn by the processor here.
  await page.setViewportSize({ width: 640, height: 480 });
  page.setDefaultTimeout(PATIENT.timeout);
  const lines: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    if (!NOT_OURS.test(text) && !IS_SLOW.test(text)) lines.push(`${message.type()}: ${text}`);
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  return { page, lines };
}

/**
 * Bodies move and are drawn, the worker is isolated, an input reaches the simulation, the console
 * stays empty.
 *
 * @param expectHere Of the test: with two at a time, polling has to know in which of them.
 */
export async function expectToRun(
  browser: Browser | BrowserContext,
  url: string,
  expectHere: ExpectStatic,
): Promise<void> {
  const { page, lines } = await openPage(browser);
  let loads = 0;
  page.on('load', () => (loads += 1));
  try {
    await page.goto(url);
    await page.waitForFunction(() => 'sim' in globalThis && sim.stats().frames > 2);
    expectHere(await page.evaluate(() => crossOriginIsolated)).toBe(true);

    const before = await page.evaluate(() => sim.stats());
    const positions = await positionsDrawn(page);
    await page.keyboard.press('Space');
    await page.mouse.click(320, 240);
    await expectHere.poll(() => positionsDrawn(page), PATIENT).not.toEqual(positions);
    // From the input: a contact, or birds that were startled.
    const eventCount = (): Promise<number> => page.evaluate(() => sim.stats().events);
    await expectHere.poll(eventCount, PATIENT).toBeGreaterThan(before.events);
    const after = await page.evaluate(() => sim.stats());
    expectHere(after.tick).toBeGreaterThan(before.tick);
    expectHere(after.frames).toBeGreaterThan(before.frames);

    // A worker that sleeps between two ticks answers only the page.
    await page.evaluate(() => sim.pause());
    const [worker] = page.workers();
    expectHere(await worker?.evaluate(() => crossOriginIsolated)).toBe(true);
    expectHere(lines).toEqual([]);
    expectHere(loads).toBe(1);
  } finally {
    await page.close();
  }
}

/** Where each body is drawn. */
function positionsDrawn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...sim.bodies.keys()].map((id) => sim.pose(id, new Float64Array(7))?.join(' ') ?? 'nowhere'),
  );
}
