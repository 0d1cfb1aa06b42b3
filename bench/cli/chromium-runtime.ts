/** Measures in one Chromium, on the benchmark's page. */
import { resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { createServer } from 'vite';
import { chromiumFlags } from '../../scripts/chromium-flags.js';
import { findOrInstallChromium } from '../../scripts/find-chromium.js';
import type {} from '../page/automation.js';
import type { BenchRuntime, Stop } from './runtime.js';

/** As in `scripts/browser-session.ts`, but the browser outlives Ctrl-C: what is done is to be kept. */
export async function openChromiumRuntime(
  stop: Stop,
  worker: string | null,
): Promise<BenchRuntime> {
  const executablePath = await findOrInstallChromium();
  // No hot updates: a page under measurement must not reload because a file was saved.
  const server = await createServer({
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  });
  await server.listen();
  const [address = ''] = server.resolvedUrls?.local ?? [];
  const browser = await chromium.launch({
    executablePath,
    // Memory is measured when it is asked for, and not after the next collection of garbage.
    args: [...chromiumFlags, '--enable-blink-features=ForceEagerMeasureMemory'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const close = async (): Promise<void> => {
    await browser.close();
    await server.close();
  };
  try {
    const page = await browser.newPage();
    await page.goto(`${address}bench/page/automation.html`);
    await page.waitForFunction(() => 'bench' in globalThis);
    // A file anywhere on this machine: the server has addresses for those outside of the project as well.
    const workerAddress = worker === null ? null : `${address}@fs${resolve(worker)}`;
    stop.now.addEventListener(
      'abort',
      () => void page.evaluate(() => bench.abort()).catch(() => {}),
    );
    return {
      versions: { Chromium: browser.version() },
      async measure(request) {
        // As text: the checker follows JSON's type to no end.
        const text = JSON.stringify(request);
        const measuring = page.evaluate(([given, script]) => bench.run(given, script), [
          text,
          workerAddress,
        ] as const);
        const asking = setInterval(() => {
          if (stop.isRequested) page.evaluate(() => bench.stop()).catch(() => {});
        }, 100);
        try {
          return await measuring;
        } finally {
          clearInterval(asking);
        }
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
