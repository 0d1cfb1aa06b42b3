/** One run of an application, on a fresh page. */
import type { CDPSession, Page } from '@playwright/test';
import { withBusyShare, type ServedPage } from '../peers/production-browser.js';
import { figuresOf, type FrameFigures, type RunFigures } from './figures.js';
import type { RunRequest } from './page.js';

export interface RunOptions {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** How often the boxes are mounted and unmounted for the heap. */
  readonly mounts: number;
}

/** Then all code is compiled, and what a page keeps of the last things that were removed is full. */
const FIRST_MOUNTS = 15;

export const REACT_PAGE: ServedPage = {
  page: 'bench/react/react.html',
  cacheDir: 'node_modules/.vite-react-bench',
};

/** @param page With the page of the benchmark. */
export async function runOnPage(
  page: Page,
  request: RunRequest,
  { seconds, warmUpSeconds, mounts }: RunOptions,
): Promise<RunFigures> {
  await page.waitForFunction(() => 'reactBench' in globalThis);
  await page.evaluate((text) => reactBench.open(text), JSON.stringify(request));
  const session = await page.context().newCDPSession(page);
  const mountMs = await page.evaluate(() => reactBench.show(true));
  await page.evaluate((s) => reactBench.wait(s), warmUpSeconds);
  const result = {
    ...(await measureFrames(page, seconds)),
    heapBytes: await heapOf(session),
    engineBytes: await page.evaluate(() => reactBench.engineBytes()),
  };
  if (request.kind === 'rays') return { ...result, mounts: undefined };
  await page.evaluate(() => reactBench.show(false));
  await page.evaluate((count) => reactBench.cycles(count), FIRST_MOUNTS);
  const heapBefore = await heapOf(session);
  const again = await page.evaluate((count) => reactBench.cycles(count), mounts);
  const heapAfter = await heapOf(session);
  return {
    ...result,
    mounts: {
      mountMs,
      mountAgainMs: again.mountMs,
      unmountMs: again.unmountMs,
      heapGrowth: heapAfter / heapBefore,
    },
  };
}

/** The frames of some seconds, from Chromium's trace: the only clock of processor time that says what a frame took. */
async function measureFrames(
  page: Page,
  seconds: number,
): Promise<FrameFigures & Pick<RunFigures, 'busyShare'>> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser to trace');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  const { busyShare } = await withBusyShare(page, 'ThreadTime', async () => {
    await page.evaluate((s) => reactBench.wait(s), seconds);
    return {};
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const costsMs = traceEvents.flatMap(({ name, tdur }) =>
    name === 'FireAnimationFrame' && tdur !== undefined ? [tdur / 1000] : [],
  );
  return { ...figuresOf(costsMs), busyShare };
}

/** The part of an event in a trace that is read here. */
interface TraceEvent {
  readonly name: string;
  /** Processor time of its thread, in µs. Undefined while it has not ended. */
  readonly tdur?: number;
}

/** Used bytes of the page's heap, after garbage collections. */
async function heapOf(session: CDPSession): Promise<number> {
  // A collection frees the objects that finalizers have released after the one before.
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
