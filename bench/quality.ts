/**
 * `npm run bench:quality`: the demo's frame rate without a graphics card, at its best quality and
 * with `quality=auto`, in each scene; compared with bare three.js with an empty scene of the same
 * size. Alternating in one browser, two rounds. Also how fluently the lab plays, and the bench page
 * measures.
 */
import type { Page } from '@playwright/test';
import type {} from '../demo/page/simulation-session.js';
import type {} from '../demo/page/view/demo-view.js';
import type {} from './quality/bare.js';
import { SCENE_NAMES } from '../demo/contract/scene-contract.js';
import { withBrowserPage } from '../scripts/browsers/browser-session.js';

const ROUNDS = 2;
/**
 * Wait after the first frame, so that shaders are compiled and the quality has settled; then the
 * counting time, in ms.
 */
const SETTLING_MS = 3000;
const MEASURED_MS = 5000;

/** Frames per second of one variant in one round. */
type Rates = Record<'bare' | 'high' | 'auto', number[]>;

const rates = new Map(
  SCENE_NAMES.map((scene) => [scene, { bare: [], high: [], auto: [] } as Rates]),
);
const shown = new Map<string, string>();
const pages = new Map<string, Awaited<ReturnType<typeof fluency>>>();
await withBrowserPage(async (page, address) => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const [scene, { bare, high, auto }] of rates) {
      bare.push(await bareRate(page, address));
      high.push(await demoRate(page, `${address}/?scene=${scene}&quality=high`));
      auto.push(await demoRate(page, `${address}/?scene=${scene}`));
      shown.set(scene, await page.locator('[data-measure=quality]').innerText());
      console.log(
        `round ${round + 1}  ${scene.padEnd(9)}  bare ${last(bare)}  high ${last(high)}  auto ${last(auto)}`,
      );
    }
  }
  await page.goto(`${address}/lab.html`);
  pages.set('lab.html, playing', await fluency(page));
  await page.goto(`${address}/bench.html`);
  await page.locator('#start').click();
  pages.set('bench.html, measuring', await fluency(page));
});

console.log('\nmean frames per second at 1280 × 720\n');
console.log(
  '| scene | bare, empty | `high` | `auto` | auto : high | auto : bare | level at the end |',
);
console.log('|---|---|---|---|---|---|---|');
for (const [scene, { bare, high, auto }] of rates) {
  const [b, h, a] = [mean(bare), mean(high), mean(auto)];
  const cells = [b.toFixed(1), h.toFixed(2), a.toFixed(1), (a / h).toFixed(1), (a / b).toFixed(2)];
  console.log(`| ${scene} | ${cells.join(' | ')} | ${shown.get(scene)} |`);
}
console.log(
  '\n| page | frames a second | longest frame, ms | tasks over 50 ms |\n|---|---|---|---|',
);
for (const [name, { rate, maxMs, longTasks }] of pages) {
  console.log(`| ${name} | ${rate.toFixed(1)} | ${maxMs.toFixed(1)} | ${longTasks} |`);
}
process.exit(0);

async function bareRate(page: Page, address: string): Promise<number> {
  await page.goto(`${address}/bench/quality/bare.html`);
  await page.waitForFunction(() => globalThis.picturesDrawn > 0);
  return await pictureRate(page);
}

async function demoRate(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForFunction(
    () => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 5,
    undefined,
    { timeout: 120_000 },
  );
  // Repeated frames are not counted.
  await page.evaluate(() => {
    const view = globalThis.betwixtView;
    if (view === undefined) throw new Error('there is no view');
    const render = view.render.bind(view);
    globalThis.picturesDrawn = 0;
    view.render = (...frame) => {
      const isDrawn = render(...frame);
      if (isDrawn) globalThis.picturesDrawn += 1;
      return isDrawn;
    };
  });
  return await pictureRate(page);
}

/** Drawn frames per second: counted from one to another, because there may be few. */
async function pictureRate(page: Page): Promise<number> {
  await page.waitForTimeout(SETTLING_MS);
  return await page.evaluate(async (measuredMs) => {
    const readings: { readonly count: number; readonly atMs: number }[] = [];
    for (const waitMs of [0, measuredMs]) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      const before = globalThis.picturesDrawn;
      while (globalThis.picturesDrawn === before) await new Promise(requestAnimationFrame);
      readings.push({ count: globalThis.picturesDrawn, atMs: performance.now() });
    }
    const [from, to] = readings;
    if (from === undefined || to === undefined) throw new Error('nothing was read');
    return ((to.count - from.count) * 1000) / (to.atMs - from.atMs);
  }, MEASURED_MS);
}

/** Frames of a page that draws by itself. */
async function fluency(page: Page) {
  await page.waitForTimeout(SETTLING_MS);
  return await page.evaluate(async (measuredMs) => {
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => {
      longTasks += list.getEntries().length;
    });
    observer.observe({ type: 'longtask' });
    const stamps = [performance.now()];
    while ((stamps.at(-1) ?? 0) - (stamps[0] ?? 0) < measuredMs) {
      await new Promise(requestAnimationFrame);
      stamps.push(performance.now());
    }
    observer.disconnect();
    const intervals = stamps.slice(1).map((stamp, index) => stamp - (stamps[index] ?? 0));
    const sumMs = intervals.reduce((sum, interval) => sum + interval, 0);
    return {
      rate: (1000 * intervals.length) / sumMs,
      maxMs: Math.max(...intervals),
      longTasks,
    };
  }, MEASURED_MS);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function last(values: readonly number[]): string {
  return (values.at(-1) ?? Number.NaN).toFixed(1);
}
