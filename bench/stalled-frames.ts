/**
 * Frames that are lost while a page is blocked: of the demo, drawn by the page or by a worker, and of a bare worker. The page is
 * blocked by a loop, which takes a core, or by a synchronous request, which takes none.
 */
import type { Page } from '@playwright/test';
import type {} from '../demo/page/simulation-session.js';

/** Each run blocks the page this often, for this long, with a rest after each. */
const BLOCKS = 3;
const BLOCK_MS = 2000;
const REST_MS = 500;
const WARM_UP_MS = 3000;
/** The page, or one of its workers. */
type Thread = Pick<Page, 'evaluate'>;

/**
 * Light, on a tiny canvas: WebGL may be drawn by the CPU, and the blocked page takes one of its cores. The other one has
 * 6.9 ms a frame for the drawing, the simulation, and the browser.
 */
const SCENE = 'scene=tops&bodies=3&shadows=0&hud=0&panel=0&quality=low&width=64&height=36';
const BARE_ADDRESS = 'http://localhost/stalled/';
/** Its answer takes as long as a block. */
const SLOW_PATH = '/answers-late';

/** What blocks the page: a loop that uses its core, or a synchronous request that sleeps. */
export type Blocker = 'loop' | 'request';

/** What became of the display's frames while the page was blocked, in all blocks together. */
export interface StalledFrames {
  /** From the last frame before each block to the first one after it. */
  readonly due: number;
  readonly lost: number;
}

declare global {
  /** Time stamps of frames, in ms since the epoch. */
  var stampsSeen: number[];
}

/** The demo. @param address Of the server, without a slash at its end. */
export async function stallDemo(
  page: Page,
  address: string,
  render: 'page' | 'worker',
  blocker: Blocker,
  displayHz: number,
): Promise<StalledFrames> {
  // A busy machine takes as long as it needs.
  page.setDefaultTimeout(0);
  await page.goto(`${address}/?${SCENE}&render=${render}`);
  await page.waitForFunction(() => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 60);
  const drawing: Thread = render === 'page' ? page : workerOf(page, 'picture.worker');
  await drawing.evaluate(() => {
    globalThis.stampsSeen = [];
    const { betwixt } = globalThis;
    const sample = betwixt.sample.bind(betwixt);
    betwixt.sample = (stampMs) => {
      globalThis.stampsSeen.push(performance.timeOrigin + stampMs);
      return sample(stampMs);
    };
  });
  return stall(page, drawing, blocker, displayHz);
}

/** A worker that only clears its canvas in each frame: what this browser and this machine can do. */
export async function stallBareWorker(
  page: Page,
  blocker: Blocker,
  displayHz: number,
): Promise<StalledFrames> {
  await page.route(`${BARE_ADDRESS}**`, (route) => {
    const isScript = route.request().url().endsWith('.js');
    return route.fulfill({
      contentType: isScript ? 'text/javascript' : 'text/html',
      body: isScript ? BARE_WORKER : BARE_PAGE,
    });
  });
  await page.goto(BARE_ADDRESS);
  await page.waitForFunction(() => document.title === 'started');
  const frames = await stall(page, workerOf(page, 'bare.js'), blocker, displayHz);
  await page.unrouteAll();
  return frames;
}

const BARE_PAGE = `<!doctype html><canvas width="320" height="180"></canvas><script>
const worker = new Worker('bare.js');
const canvas = document.querySelector('canvas').transferControlToOffscreen();
worker.onmessage = () => { document.title = 'started'; };
worker.postMessage(canvas, [canvas]);
</script>`;

const BARE_WORKER = `
globalThis.stampsSeen = [];
onmessage = ({ data: canvas }) => {
  const context = canvas.getContext('webgl2');
  let frame = 0;
  const draw = (stampMs) => {
    stampsSeen.push(performance.timeOrigin + stampMs);
    context.clearColor(0, (frame++ % 256) / 255, 0, 1);
    context.clear(context.COLOR_BUFFER_BIT);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  postMessage('started');
};`;

function workerOf(page: Page, name: string): Thread {
  const worker = page.workers().find((candidate) => candidate.url().includes(name));
  if (worker === undefined) throw new Error(`the page has no worker ${name}`);
  return worker;
}

async function stall(
  page: Page,
  drawing: Thread,
  blocker: Blocker,
  displayHz: number,
): Promise<StalledFrames> {
  await page.route(`**${SLOW_PATH}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, BLOCK_MS));
    await route.fulfill({ body: '' });
  });
  await page.waitForTimeout(WARM_UP_MS);
  const blocks: (readonly [startMs: number, endMs: number])[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    blocks.push(
      await page.evaluate(
        ([durationMs, path]) => {
          const startMs = performance.now();
          if (path === undefined) {
            while (performance.now() < startMs + durationMs);
          } else {
            const request = new XMLHttpRequest();
            request.open('GET', path, false);
            request.send();
          }
          const { timeOrigin } = performance;
          return [timeOrigin + startMs, timeOrigin + performance.now()] as const;
        },
        [BLOCK_MS, blocker === 'request' ? SLOW_PATH : undefined] as const,
      ),
    );
    await page.waitForTimeout(REST_MS);
  }
  await page.unroute(`**${SLOW_PATH}`);
  const stamps = await drawing.evaluate(() => globalThis.stampsSeen);
  let [due, lost] = [0, 0];
  for (const [startMs, endMs] of blocks) {
    const first = stamps.findLastIndex((stampMs) => stampMs <= startMs);
    const last = stamps.findIndex((stampMs) => stampMs >= endMs);
    if (first < 0 || last < 0) throw new Error('no frames before or after a block');
    for (let index = first + 1; index <= last; index++) {
      const periods = Math.round(
        (((stamps[index] ?? 0) - (stamps[index - 1] ?? 0)) * displayHz) / 1000,
      );
      due += periods;
      lost += Math.max(0, periods - 1);
    }
  }
  return { due, lost };
}
