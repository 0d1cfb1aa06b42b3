/** Measures in one Chromium, on the benchmark's page. */
import { dirname, resolve } from 'node:path';
import { searchForWorkspaceRoot } from 'vite';
import { openBrowserSession } from '../../scripts/browsers/browser-session.js';
import type {} from '../page/automation.js';
import type { BenchRuntime, Stop } from './runtime.js';

/** @param worker The user's own worker script: any file, of this project or another one. */
export async function openChromiumRuntime(
  stop: Stop,
  worker: string | null,
): Promise<BenchRuntime> {
  const workerFile = worker === null ? undefined : resolve(worker);
  const { page, address, version, close } = await openBrowserSession({
    outlivesSignals: true,
    // The script imports from its own project.
    folders: workerFile === undefined ? [] : [searchForWorkspaceRoot(dirname(workerFile))],
  });
  try {
    await page.goto(`${address}/bench/page/automation.html`);
    await page.waitForFunction(() => 'bench' in globalThis);
    const workerAddress = workerFile === undefined ? null : `${address}/@fs${workerFile}`;
    stop.now.addEventListener(
      'abort',
      () => void page.evaluate(() => bench.abort()).catch(() => {}),
    );
    return {
      versions: { Chromium: version },
      async measure(request) {
        // As text: the type checker would follow JSON's type without limit.
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
