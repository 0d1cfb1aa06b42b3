/**
 * `npm run bench:stalled-page`: frames that the demo loses while its page is blocked 3 × 2 s, drawn by the page and by a
 * worker, and those that a bare worker loses on the same machine. The page is blocked by a loop, and by a synchronous request,
 * which leaves its core to the others. Alternating, in one browser, on a display of 144 Hz if there is one or a virtual one can
 * be opened.
 */
import { expectedDisplayHz } from '../scripts/browsers/fast-display.js';
import { openBrowserSession } from '../scripts/browsers/browser-session.js';
import { findOrInstallChromium } from '../scripts/browsers/find-chromium.js';
import { openFastDisplay } from '../scripts/browsers/virtual-display.js';
import { stallBareWorker, stallDemo, type Blocker } from './stalled-frames.js';

const REPEATS = 5;

const display = await openFastDisplay(await findOrInstallChromium());
const env = 'reason' in display ? undefined : { ...process.env, ...display.env };
const displayHz = env === undefined ? 60 : expectedDisplayHz(env);
console.log(
  'reason' in display ? `${display.reason} Without a window: 60 Hz.` : display.description,
);

const { page, address, version, close } = await openBrowserSession({
  viewport: { width: 640, height: 360 },
  ...(env && { display: env }),
});
console.log(`Chromium ${version}. Frames lost of those that were due, while the page was blocked:`);
const ways = {
  'the demo, drawn by the page': (blocker: Blocker) =>
    stallDemo(page, address, 'page', blocker, displayHz),
  'the demo, drawn by a worker': (blocker: Blocker) =>
    stallDemo(page, address, 'worker', blocker, displayHz),
  'a bare worker': (blocker: Blocker) => stallBareWorker(page, blocker, displayHz),
};
const results = new Map<string, number[]>();
for (let repeat = 0; repeat < REPEATS; repeat++) {
  for (const blocker of ['loop', 'request'] as const) {
    for (const [way, stall] of Object.entries(ways)) {
      const { due, lost } = await stall(blocker);
      const row = `${way}, blocked by a ${blocker}`;
      results.set(row, [...(results.get(row) ?? []), lost]);
      console.log(`${row.padEnd(52)} ${lost} of ${due}`);
    }
  }
}
await close();
if (!('reason' in display)) await display.close();

console.log(`\nMedian of ${REPEATS} runs, and the interval from the least to the most:`);
for (const [row, counts] of results) {
  const lost = counts.toSorted((a, b) => a - b);
  console.log(`${row.padEnd(52)} ${lost[REPEATS >> 1]} (${lost[0]} to ${lost.at(-1)})`);
}
process.exit(0);
