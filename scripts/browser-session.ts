/** A browser with the project's own pages, for commands that measure in one. */
import { chromium, type Page } from '@playwright/test';
import { createServer } from 'vite';
import { chromiumFlags } from './chromium-flags.js';
import { findOrInstallChromium } from './find-chromium.js';

/**
 * Starts the development server and a Chromium, and ends both when `use` is done.
 *
 * @param use Gets a page, and the address of the server without a slash at its end.
 */
export async function withBrowserPage<T>(
  use: (page: Page, address: string) => Promise<T>,
  viewport = { width: 1280, height: 720 },
): Promise<T> {
  const executablePath = await findOrInstallChromium();
  // No hot updates: a page under measurement must not reload because a file was saved.
  const server = await createServer({
    logLevel: 'error',
    server: { host: '127.0.0.1', port: 0, hmr: false, watch: null },
  });
  await server.listen();
  const browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
  try {
    const page = await browser.newPage({ viewport });
    const [address = ''] = server.resolvedUrls?.local ?? [];
    return await use(page, address.replace(/\/$/, ''));
  } finally {
    await browser.close();
    await server.close();
  }
}
