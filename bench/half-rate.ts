/**
 * `npm run bench:half-rate`: what drawing half of the pixels a frame saves, on the browser's
 * software renderer. The demo's heap, drawn alternately in full and in both patterns, three times
 * each.
 */
import type {} from '../demo/page/simulation-session.js';
import { withBrowserPage } from '../scripts/browsers/browser-session.js';

const WAYS = ['off', 'lines', 'checker'] as const;
const ROUNDS = 3;
const MEASURE_MS = 6000;
const SIZE = { width: 960, height: 540 };
// With shadows, which make pixels expensive. Full frames are also multisampled.
const SCENE = 'scene=heap&bodies=400&quality=high&hud=0&panel=0&timeScale=0.1';

const frameMs: Record<(typeof WAYS)[number], number[]> = { off: [], lines: [], checker: [] };
await withBrowserPage(async (page, address) => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) {
      const size = `width=${SIZE.width}&height=${SIZE.height}`;
      await page.goto(`${address}/?${SCENE}&${size}&halfRate=${way}`);
      await page.waitForFunction(
        () => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 20,
      );
      await page.evaluate(() => globalThis.betwixt.resetStats());
      await page.waitForTimeout(MEASURE_MS);
      const { frames } = await page.evaluate(() => globalThis.betwixt.stats());
      frameMs[way].push(MEASURE_MS / frames);
    }
  }
}, SIZE);

const list = (values: number[], digits: number): string =>
  values.map((value) => value.toFixed(digits)).join('  ');
for (const way of WAYS) {
  const ratios = frameMs[way].map((ms, round) => (frameMs.off[round] ?? Number.NaN) / ms);
  console.log(
    `${way.padEnd(8)} ms a frame: ${list(frameMs[way], 1)}   frames against off: ${list(ratios, 2)}`,
  );
}
process.exit(0);
