/** The built demo on its own server, in its own browser. Both end with it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { build, preview } from 'vite';
import { chromiumFlags } from '../../../scripts/browsers/chromium-flags.js';
import { repositoryRoot } from '../../../scripts/child-process.js';
import { findOrInstallChromium } from '../../../scripts/browsers/find-chromium.js';
import { testRunVariable } from '../../../scripts/test/test-server.js';

/** Built by other tests of this run; see scripts/test/serve-site.ts. */
const OF_TESTS = 'node_modules/.site-test';
const OWN = 'node_modules/.site-attack';

export interface DemoSite {
  readonly page: Page;
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves the built demo and opens a page, which is still empty. @param outDir Where it was built.
 */
export async function openDemoSite(outDir: string): Promise<DemoSite> {
  const executablePath = await findOrInstallChromium();
  const server = await preview({
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const closeServer = async (): Promise<void> => server.close();
  try {
    // Any end of this process closes it. A Ctrl-C is the command's: it still prints its results.
    const browser = await chromium.launch({
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      executablePath,
      // As in tests/site: pages live for too short for the engine's WebAssembly to be optimised.
      args: [...chromiumFlags, '--js-flags=--liftoff-only'],
    });
    const context = await browser.newContext({
      viewport: { width: 800, height: 600 },
      acceptDownloads: false,
    });
    const page = await context.newPage();
    const [address = ''] = server.resolvedUrls?.local ?? [];
    return {
      page,
      address,
      async close() {
        await browser.close();
        await closeServer();
      },
    };
  } catch (error) {
    await closeServer();
    throw error;
  }
}

/** Builds the demo, unless tests of this run have. Returns the folder. */
export async function builtSite(): Promise<string> {
  const testRun = process.env[testRunVariable];
  const marker = join(repositoryRoot, OF_TESTS, '.test-run');
  if (testRun !== undefined && existsSync(marker) && readFileSync(marker, 'utf8') === testRun) {
    return OF_TESTS;
  }
  console.log('  soak: builds the demo, which takes a while');
  await build({ logLevel: 'error', build: { outDir: OWN, emptyOutDir: true } });
  return OWN;
}
