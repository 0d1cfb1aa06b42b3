/** What page and worker draw in the performance panel, as Chromium records it, and that they draw nothing without the option. */
import { expect, type Page } from '@playwright/test';
import { test } from '../browsers/shared-page.js';
import type {} from './pages/devtools.js';

async function start(page: Page, options: object): Promise<void> {
  await page.goto('/tests/browser/pages/devtools.html');
  await page.waitForFunction(() => 'tracked' in globalThis);
  await page.evaluate((given) => tracked.start(given), options);
}

const waitForMore = (page: Page, counted: 'tick' | 'frames', more: number) =>
  page.evaluate(
    async ([name, count]) => {
      const end = tracked.simulation.stats()[name] + count;
      while (tracked.simulation.stats()[name] < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    [counted, more] as const,
  );

const waitForTicks = (page: Page, ticks: number) => waitForMore(page, 'tick', ticks);

/** A slow machine may draw no frame in many ticks. */
const waitForFrames = (page: Page) => waitForMore(page, 'frames', 5);

/** The modules that draw, as far as the page has loaded them. */
const loadedParts = (page: Page) =>
  page.evaluate(
    () =>
      performance.getEntriesByType('resource').filter(({ name }) => /-tracks/.test(name)).length,
  );

test('ticks, steps, publications, sleep, frames and inputs are on tracks, in their order', async ({
  page,
}) => {
  await start(page, { devtools: true });
  await waitForTicks(page, 10);
  await page.evaluate(() => tracked.push());
  await waitForTicks(page, 30);
  await waitForFrames(page);
  const { page: ofPage, worker: ofWorker } = await page.evaluate(() => tracked.take());
  const names = (stamps: typeof ofPage): string[] => [
    ...new Set(stamps.map(([, , , track, group]) => `${group}/${track}`)),
  ];
  expect(names(ofWorker)).toEqual(
    expect.arrayContaining(
      ['Tick', 'Step', 'Publish', 'Sleep', 'Input to tick'].map((name) => `betwixt/${name}`),
    ),
  );
  expect(names(ofPage)).toEqual(
    expect.arrayContaining(['Sample', 'Input to frame'].map((name) => `betwixt/${name}`)),
  );
  const all = [...ofPage, ...ofWorker];
  expect(all.filter(([, startMs, endMs]) => !(startMs <= endMs))).toEqual([]);
  // Of each tick: due, step, publication, done.
  const ticks = ofWorker.filter(([, , , track]) => track === 'Tick');
  expect(ticks.length).toBeGreaterThan(20);
  const numbers = ticks.map(([name]) => Number(name.replace('tick ', '')));
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  for (const tick of ticks) {
    const at = ofWorker.indexOf(tick);
    const [, dueMs, doneMs] = tick;
    const [step, publish] = [ofWorker[at + 1], ofWorker[at + 2]];
    expect([step?.[3], publish?.[3]]).toEqual(['Step', 'Publish']);
    expect(step?.[1]).toBeGreaterThanOrEqual(dueMs - 0.2);
    expect(step?.[2]).toBe(publish?.[1]);
    expect(publish?.[2]).toBe(doneMs);
  }
});

test('restarts are marked on the page, and the next worker draws, too', async ({ page }) => {
  await start(page, { devtools: true });
  await page.evaluate(() => tracked.simulation.replaceWorker());
  await waitForTicks(page, 5);
  const { page: ofPage, worker: ofWorker } = await page.evaluate(() => tracked.take());
  expect(ofPage.filter(([, , , track]) => track === 'Restarts').map(([name]) => name)).toContain(
    'replaced',
  );
  expect(ofWorker.map(([, , , track]) => track)).toContain('Tick');
});

test('without the option nothing is drawn and nothing that draws is loaded', async ({ page }) => {
  await start(page, {});
  await waitForTicks(page, 10);
  await page.evaluate(() => tracked.push());
  await waitForTicks(page, 10);
  expect(await page.evaluate(() => tracked.take())).toEqual({ page: [], worker: [] });
  expect(await loadedParts(page)).toBe(0);
  // The counter-test: with it, the page does load what draws.
  await start(page, { devtools: true });
  expect(await loadedParts(page)).toBe(1);
});

test('Chromium records the entries of both threads', async ({ page }) => {
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  await start(page, { devtools: true });
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await waitForTicks(page, 20);
  await waitForFrames(page);
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly {
      readonly name: string;
      readonly tid: number;
      readonly args: { readonly data?: { readonly track?: string; readonly trackGroup?: string } };
    }[];
  };
  const tracksOf = new Map<number, Set<string>>();
  for (const { name, tid, args } of trace.traceEvents) {
    if (name !== 'TimeStamp' || args.data?.trackGroup !== 'betwixt') continue;
    const tracks = tracksOf.get(tid) ?? new Set();
    tracksOf.set(tid, tracks.add(args.data.track ?? ''));
  }
  const lists = [...tracksOf.values()].map((tracks) => [...tracks].toSorted());
  expect(lists).toHaveLength(2);
  expect(lists).toContainEqual(expect.arrayContaining(['Publish', 'Sleep', 'Step', 'Tick']));
  expect(lists).toContainEqual(expect.arrayContaining(['Sample']));
});
