/**
 * `npm run docs:picture`: records docs/demo.webp, the animated image of the README, from the demo's
 * split view.
 *
 * The demo runs on the page's own thread (`transport=local`), and the script advances the page's
 * clock frame by frame. So no frame is missing on a slow machine, and the image is the same each
 * time.
 */
import { statSync, writeFileSync } from 'node:fs';
import { withBrowserPage } from '../browsers/browser-session.js';
import { encodeAnimation, type AnimationFrame } from './animated-webp.js';
import { encodeChangedPixels } from './changed-pixels.js';

const FILE = 'docs/demo.webp';
const SIZE = { width: 720, height: 360 };
const SETTINGS =
  'scene=tower&tickHz=10&split=1&engine=deterministic&transport=local&quality=4&hud=0&panel=0&paused=1';
/** Controls that would cover the scene. */
const HIDDEN = '#about, #hud, #keys, #notices, #panel';
/** Interval of Playwright's `requestAnimationFrame` while it controls the clock. */
const DISPLAY_MS = 16;
/** The animation shows every second frame, for as long as the wrecking ball takes to come back. */
const FRAME_MS = 2 * DISPLAY_MS;
const SHOWN_MS = 5056;
const ENCODING = { quality: 0.6, blockSize: 16, threshold: 6 };

await withBrowserPage(async (page, address) => {
  await page.clock.install({ time: 0 });
  await page.goto(`${address}/?${SETTINGS}`);
  await page.waitForFunction('globalThis.betwixt?.stats().bodies > 0', undefined, {
    timeout: 120_000,
  });
  await page.waitForSelector('#loading', { state: 'hidden' });
  await page.addStyleTag({ content: `${HIDDEN} { display: none !important; }` });
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  // Not awaited: it resolves when the clock advances.
  await page.evaluate('void betwixt.resume()');

  const frames: AnimationFrame[] = [];
  for (let shownMs = 0; shownMs < SHOWN_MS; shownMs += FRAME_MS) {
    for (let passedMs = 0; passedMs < FRAME_MS; passedMs += DISPLAY_MS) {
      await page.clock.runFor(DISPLAY_MS);
    }
    const screenshot = (await page.screenshot({ type: 'png' })).toString('base64');
    const image = await page.evaluate(encodeChangedPixels, { screenshot, ...ENCODING });
    frames.push({ image: Buffer.from(image, 'base64'), durationMs: FRAME_MS });
  }
  writeFileSync(FILE, encodeAnimation(SIZE.width, SIZE.height, frames));
}, SIZE);
console.log(`${FILE}: ${(statSync(FILE).size / 1e6).toFixed(2)} MB`);
process.exit(0);
