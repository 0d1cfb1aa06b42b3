/** `betwixt()` in a development server: modules of a worker and of the page change while the app runs. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { createServer } from 'vite';
import { betwixt } from '../../src/vite/index.js';
import { test as base } from '../browsers/shared-page.js';
import { expect, watchConsole } from '../browsers/test.js';
import type {} from './hot-workers/main.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = `<!doctype html><link rel="icon" href="data:," /><script type="module" src="/main.ts"></script>`;

/** The package by its name, although the app is elsewhere. */
function aliases(): { find: RegExp; replacement: string }[] {
  const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  return Object.entries(exports).map(([path, file]) => ({
    find: new RegExp(`^betwixt${path.slice(1)}$`),
    replacement: join(repository, file),
  }));
}

/** During development, when a worker's modules take longer than ten seconds to load. */
const OF_SLOW_MACHINES = /has not answered for/;

/** An app in its own development server, open in a page. */
async function startApp(page: Page) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-hot-workers-')));
  cpSync(join(repository, 'tests/browser/hot-workers'), folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), PAGE);
  const server = await createServer({
    plugins: [betwixt()],
    root: folder,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: aliases() },
    // A dependency that it finds later makes it reload the page.
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
  });
  await server.listen();
  const consoleLines = watchConsole(page);
  let loads = 0;
  page.on('load', () => (loads += 1));
  const app = {
    page,
    lines: async () => (await consoleLines()).filter((line) => !OF_SLOW_MACHINES.test(line)),
    loads: () => loads,
    /** Each time that the file is written, the module is replaced. */
    edit(file: string, from: string, to: string): void {
      const path = join(folder, file);
      const text = readFileSync(path, 'utf8');
      expect(text).toContain(from);
      writeFileSync(path, text.replace(from, to));
    },
    /** Versions of the modules that run in the worker. */
    code: () => page.evaluate(() => globalThis.app.sim.queries.code()),
    steps: () => page.evaluate(() => globalThis.app.sim.queries.steps()),
    /** For each worker that took over, whether it continued the run. */
    replaced: () => page.evaluate(() => globalThis.app.replaced),
    /** The page shows the only worker. */
    async isDrawn(): Promise<void> {
      await page.waitForFunction(() => (globalThis.app?.frames() ?? 0) > 3);
      await expect.poll(() => page.workers().length).toBe(1);
    },
    async stop(): Promise<void> {
      await page.goto('about:blank');
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  await app.isDrawn();
  return app;
}

const test = base.extend<{ edited: Awaited<ReturnType<typeof startApp>> }>({
  edited: async ({ page }, use) => {
    const edited = await startApp(page);
    await use(edited);
    await edited.stop();
  },
});

test('a worker is replaced when its entry or an import changes, keeps a module that it accepts, and the page reloads for its own', async ({
  edited,
}) => {
  const steps = await edited.steps();
  edited.edit('sim.worker.ts', 'VERSION = 1', 'VERSION = 2');
  await expect.poll(() => edited.code()).toMatchObject({ version: 2, rules: 1 });
  edited.edit('rules.ts', 'RULES = 1', 'RULES = 2');
  await expect.poll(() => edited.code()).toMatchObject({ version: 2, rules: 2 });
  expect(await edited.steps()).toBeGreaterThan(steps);
  expect(await edited.page.evaluate(() => app.sim.state)).toBe('running');
  await expect.poll(() => edited.replaced()).toEqual([true, true]);
  await edited.isDrawn();
  edited.edit('accepted.ts', 'ACCEPTED = 1', 'ACCEPTED = 2');
  await expect.poll(() => edited.code()).toMatchObject({ accepted: 2 });
  expect(await edited.replaced()).toEqual([true, true]);
  expect([await edited.lines(), edited.loads()]).toEqual([[], 1]);

  // The page has this module as well.
  edited.edit('shared.ts', 'SHARED = 1', 'SHARED = 2');
  await expect.poll(edited.loads).toBe(2);
  await edited.isDrawn();
  expect(await edited.code()).toMatchObject({ shared: 2 });
  expect(await edited.page.evaluate(() => app.shared)).toBe(2);
});

test('a syntax error in a module of a worker leaves the old worker, until it is fixed', async ({
  edited,
}) => {
  const { page } = edited;
  edited.edit('rules.ts', 'RULES = 1', 'RULES = = 2');
  await expect(page.locator('vite-error-overlay')).toHaveCount(1);
  await expect
    .poll(edited.lines)
    .toContainEqual(expect.stringContaining('script has changed, and the old one continues'));
  const steps = await edited.steps();
  await expect.poll(() => edited.steps()).toBeGreaterThan(steps);
  expect(await edited.code()).toMatchObject({ rules: 1 });
  await edited.isDrawn();
  edited.edit('rules.ts', 'RULES = = 2', 'RULES = 2');
  await expect.poll(() => edited.code()).toMatchObject({ rules: 2 });
  await expect(page.locator('vite-error-overlay')).toHaveCount(0);
  expect(await edited.steps()).toBeGreaterThan(steps);
  await expect.poll(() => edited.replaced()).toEqual([true]);
  await edited.isDrawn();
  expect(edited.loads()).toBe(1);
});
