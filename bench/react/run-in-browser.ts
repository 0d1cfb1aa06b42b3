/** One Chromium for all runs, a fresh page for each. */
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';
import { startProductionServer } from '../peers/cli/peers-server.js';
import { figuresOf, type FrameFigures, type RunFigures } from './figures.js';
import type { RunRequest } from './page.js';

export interface RunOptions {
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** How often the boxes are mounted and unmounted for the heap. */
  readonly mounts: number;
}

export interface BenchBrowser {
  readonly version: string;
  run(request: RunRequest): Promise<RunFigures>;
  close(): Promise<void>;
}

/** Then all code is compiled, and what a page keeps of the last things that were removed is full. */
const FIRST_MOUNTS = 15;

export async function openBenchBrowser(options: RunOptions): Promise<BenchBrowser> {
  const server = await startReactServer();
  const browser = await chromium.launch({
    executablePath: await findOrInstallChromium(),
    args: [...chromiumFlags],
  });
  return {
    version: browser.version(),
    async run(request) {
      const page = await browser.newPage();
      try {
        await page.goto(server.address);
        return await runOnPage(page, request, options);
      } finally {
        await page.close();
      }
    },
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

export const startReactServer = () =>
  startProductionServer({
    page: 'bench/react/react.html',
    cacheDir: 'node_modules/.vite-react-bench',
    entries: ['bench/react/{app,page,libraries}.ts', 'src/**/*.{ts,tsx}'],
  });

/** @param page With the page of the benchmark. */
export async function runOnPage(
  page: Page,
  request: RunRequest,
  { seconds, warmUpSeconds, mounts }: RunOptions,
): Promise<RunFigures> {
  await page.waitForFunction(() => 'reactBench' in globalThis);
  await page.evaluate((text) => reactBench.open(text), JSON.stringify(request));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const mountMs = await page.evaluate(() => reactBench.show(true));
  await page.evaluate((s) => reactBench.wait(s), warmUpSeconds);
  const result = {
    ...(await measureFrames(page, session, seconds)),
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
  session: CDPSession,
  seconds: number,
): Promise<FrameFigures & Pick<RunFigures, 'busyShare'>> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser to trace');
  await browser.startTracing(page, { categories: ['devtools.timeline'] });
  const before = await threadTime(session);
  await page.evaluate((s) => reactBench.wait(s), seconds);
  const after = await threadTime(session);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const costsMs = traceEvents.flatMap(({ name, tdur }) =>
    name === 'FireAnimationFrame' && tdur !== undefined ? [tdur / 1000] : [],
  );
  const busyShare =
    (after.processorSeconds - before.processorSeconds) / (after.nowSeconds - before.nowSeconds);
  return { ...figuresOf(costsMs), busyShare };
}

/** The part of an event in a trace that is read here. */
interface TraceEvent {
  readonly name: string;
  /** Processor time of its thread, in µs. Undefined while it has not ended. */
  readonly tdur?: number;
}

/** The processor time of the page's main thread so far. */
async function threadTime(
  session: CDPSession,
): Promise<{ processorSeconds: number; nowSeconds: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number =>
    metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { processorSeconds: value('ThreadTime'), nowSeconds: value('Timestamp') };
}

/** Used bytes of the page's heap, after garbage collections. */
async function heapOf(session: CDPSession): Promise<number> {
  // A collection frees the objects that finalizers have released after the one before.
  for (let time = 0; time < 3; time++) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
