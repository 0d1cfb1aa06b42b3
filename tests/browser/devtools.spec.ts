/** The performance panel: what page and worker draw in it, as Chromium records it. */
import { expect, type Page } from '@playwright/test';
import { test } from '../browsers/shared-page.js';

/** The library's tracks of each thread in a recording of the browser. */
async function recordTracks(page: Page): Promise<string[][]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('no browser');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  await page.evaluate(async () => {
    const { simulation } = library;
    const end = simulation.stats().tick + 20;
    while (simulation.stats().tick < end) simulation.sample(await library.nextFrame());
  });
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
  return [...tracksOf.values()].map((tracks) => [...tracks].toSorted());
}

test('page and worker draw their tracks in the performance panel', async ({ page }) => {
  await page.goto('/tests/browser/pages/library.html');
  await page.waitForFunction(() => 'library' in globalThis);
  await page.evaluate(() => library.start({ devtools: true }));
  const lists = await recordTracks(page);
  expect(lists).toHaveLength(2);
  expect(lists).toContainEqual(expect.arrayContaining(['Publish', 'Sleep', 'Step', 'Tick']));
  expect(lists).toContainEqual(expect.arrayContaining(['Sample']));
});
