/** A browser with the project's own pages, for commands that measure in one. */
import { chromium, type Page } from '@playwright/test';
import { createServer } from 'vite';
import { chromiumFlags } from './chromium-flags.js';
import { findOrInstallChromium } from './find-chromium.js';

export interface BrowserSessionOptions {
  /** Size of the page. Default: 1280 × 720. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Flags of the browser in addition to the project's own. */
  readonly flags?: readonly string[];
  /**
   * Whether the browser survives an interruption of this process, so that results can be saved.
   * Default: no.
   */
  readonly outlivesSignals?: boolean;
  /** Folders outside of the project whose files the server may serve. Default: none. */
  readonly folders?: readonly string[];
}

export interface BrowserSession {
  readonly page: Page;
  /** Address of the server, without a slash at its end. */
  readonly address: string;
  /** The browser's version. */
  readonly version: string;
  /** Ends browser and server. */
  close(): Promise<void>;
}

/** Starts the development server and a Chromium with a page. */
export async function openBrowserSession({
  viewport = { width: 1280, height: 720 },
  flags = [],
  outlivesSignals = false,
  folders = [],
}: BrowserSessionOptions = {}): Promise<BrowserSession> {
  const executablePath = await findOrInstallChromium();
  // As users have it: without warnings, which wait for seconds and look at every body.
  process.env.NODE_ENV ??= 'production';
  // No hot updates: a page under measurement must not reload because a file was saved.
  const server = await createServer({
    logLevel: 'error',
    server: {
      host: '127.0.0.1',
      port: 0,
      hmr: false,
      watch: null,
      ...(folders.length === 0 ? {} : { fs: { allow: [process.cwd(), ...folders] } }),
    },
  });
  const handlesSignals = !outlivesSignals;
  try {
    await server.listen();
    const browser = await chromium.launch({
      executablePath,
      args: [...chromiumFlags, ...flags],
      handleSIGINT: handlesSignals,
      handleSIGTERM: handlesSignals,
      handleSIGHUP: handlesSignals,
    });
    try {
      const page = await browser.newPage({ viewport });
      const [address = ''] = server.resolvedUrls?.local ?? [];
      return {
        page,
        address: address.replace(/\/$/, ''),
        version: browser.version(),
        async close() {
          await browser.close();
          await server.close();
        },
      };
    } catch (error) {
      await browser.close();
      throw error;
    }
  } catch (error) {
    await server.close();
    throw error;
  }
}

/**
 * Starts the development server and a Chromium, and ends both when `use` is done.
 *
 * @param use Gets a page, and the address of the server without a slash at its end.
 */
export async function withBrowserPage<T>(
  use: (page: Page, address: string) => Promise<T>,
  viewport = { width: 1280, height: 720 },
): Promise<T> {
  const session = await openBrowserSession({ viewport });
  try {
    return await use(session.page, session.address);
  } finally {
    await session.close();
  }
}
