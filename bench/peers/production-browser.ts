/** A page with production builds of all libraries, in a Chromium: development builds of React are slower. */
import { chromium, type Page } from '@playwright/test';
import { createServer } from 'vite';
import { chromiumFlags } from '../../scripts/browsers/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/browsers/find-chromium.js';

export interface ServedPage {
  /** The file, from the root of the project. */
  readonly page: string;
  readonly cacheDir: string;
}

export interface PageServer {
  /** Where the page is. */
  readonly address: string;
  close(): Promise<void>;
}

export interface ProductionBrowser {
  readonly version: string;
  /** Opens the page afresh for one measurement. */
  visit<T>(use: (page: Page) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Like the project's own server, with a separate cache. */
export async function startProductionServer({ page, cacheDir }: ServedPage): Promise<PageServer> {
  // Vite takes the mode from here at the first request of a dependency.
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  const server = await createServer({
    mode: 'production',
    logLevel: 'error',
    cacheDir,
    // A page under measurement must not reload because a file was saved.
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  });
  await server.listen();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  return {
    address: `${address}${page}`,
    async close() {
      await server.close();
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    },
  };
}

export const launchChromium = async () =>
  chromium.launch({ executablePath: await findOrInstallChromium(), args: [...chromiumFlags] });

/** One browser for all measurements. */
export async function openProductionBrowser(served: ServedPage): Promise<ProductionBrowser> {
  const browser = await launchChromium();
  const server = await startProductionServer(served);
  return {
    version: browser.version(),
    async visit(use) {
      const page = await browser.newPage();
      try {
        await page.goto(server.address);
        return await use(page);
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

/**
 * Share of the elapsed time that the page's main thread spends while something is measured.
 *
 * @param clock `TaskDuration`: all that it does, with messages and garbage collections. `ThreadTime`: its processor time.
 */
export async function withBusyShare<T extends object>(
  page: Page,
  clock: 'TaskDuration' | 'ThreadTime',
  measure: () => Promise<T>,
): Promise<T & { readonly busyShare: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async (): Promise<readonly number[]> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return [clock, 'Timestamp'].map(
      (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN,
    );
  };
  const [spent = NaN, from = NaN] = await read();
  const measured = await measure();
  const [spentThen = NaN, until = NaN] = await read();
  return { ...measured, busyShare: (spentThen - spent) / (until - from) };
}
