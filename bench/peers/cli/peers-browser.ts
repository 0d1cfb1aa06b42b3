/** One Chromium for all runs, a fresh page for each. */
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { chromiumFlags } from '../../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../../scripts/browsers/find-chromium.js';
import type { FaultRepeat, PeerRepeat } from '../engine/result.js';
import type { RunRequest } from '../page/peers.js';
import { startPeersServer } from './peers-server.js';

export interface MeasureOptions {
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

export interface PeersBrowser {
  readonly version: string;
  motion(request: RunRequest, options: MeasureOptions): Promise<PeerRepeat>;
  faults(request: RunRequest): Promise<FaultRepeat>;
  close(): Promise<void>;
}

/** @param signal Ends the current measurement immediately. */
export async function openPeersBrowser(signal: AbortSignal): Promise<PeersBrowser> {
  const executablePath = await findOrInstallChromium();
  const server = await startPeersServer();
  const browser = await chromium.launch({
    executablePath,
    args: [...chromiumFlags],
    // It survives Ctrl-C: the results so far should be kept.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const run = async <T>(request: RunRequest, measure: (page: Page) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const page = await browser.newPage();
    const onAbort = (): void => void page.close().catch(() => {});
    signal.addEventListener('abort', onAbort);
    try {
      await page.goto(server.address);
      await page.waitForFunction(() => 'peers' in globalThis);
      await page.evaluate((text) => peers.open(text), JSON.stringify(request));
      const measured = await measure(page);
      await page.evaluate(() => peers.close());
      return measured;
    } finally {
      signal.removeEventListener('abort', onAbort);
      await page.close();
    }
  };
  return {
    version: browser.version(),
    motion: (request, { seconds, warmUpSeconds }) =>
      run(request, async (page) => {
        await page.evaluate((s) => peers.warmUp(s), warmUpSeconds);
        const session = await page.context().newCDPSession(page);
        await session.send('Performance.enable');
        const before = await mainThread(session);
        const figures = await page.evaluate((s) => peers.measure(s), seconds);
        const after = await mainThread(session);
        const busyShare =
          (after.busySeconds - before.busySeconds) / (after.nowSeconds - before.nowSeconds);
        return { ...figures, busyShare };
      }),
    faults: (request) =>
      run(request, async (page) => {
        await page.evaluate((s) => peers.warmUp(s), 1);
        return page.evaluate(() => peers.faults());
      }),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/** Everything that the page's main thread has done, including messages and garbage collection. */
async function mainThread(
  session: CDPSession,
): Promise<{ busySeconds: number; nowSeconds: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string): number =>
    metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { busySeconds: value('TaskDuration'), nowSeconds: value('Timestamp') };
}
