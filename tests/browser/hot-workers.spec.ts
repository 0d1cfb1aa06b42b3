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

/** An app in its own development server. */
class EditedApp {
  readonly #folder: string;
  readonly #close: () => Promise<void>;
  readonly page: Page;
  readonly address: string;
  readonly lines: () => Promise<readonly string[]>;
  loads = 0;

  private constructor(folder: string, page: Page, address: string, close: () => Promise<void>) {
    this.#folder = folder;
    this.#close = close;
    this.page = page;
    this.address = address;
    const lines = watchConsole(page);
    this.lines = async () => (await lines()).filter((line) => !OF_SLOW_MACHINES.test(line));
    page.on('load', () => (this.loads += 1));
  }

  static async start(page: Page): Promise<EditedApp> {
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
    const address = server.resolvedUrls?.local[0] ?? '';
    return new EditedApp(folder, page, address, async () => {
      await page.goto('about:blank');
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** Makes all changes at once: each time that the file is written, the module is replaced. */
  edit(file: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
    const path = join(this.#folder, file);
    let text = readFileSync(path, 'utf8');
    for (const [from, to] of changes) {
      expect(text).toContain(from);
      text = text.replace(from, to);
    }
    writeFileSync(path, text);
  }

  async stop(): Promise<void> {
    await this.#close();
  }

  /** Versions of the modules that run in the worker. */
  code(): Promise<{ version: number; rules: number; shared: number; accepted: number }> {
    return this.page.evaluate(() => app.sim.queries.code());
  }

  steps(): Promise<number> {
    return this.page.evaluate(() => app.sim.queries.steps());
  }

  /** For each worker that took over, whether it continued the run. */
  replaced(): Promise<readonly boolean[]> {
    return this.page.evaluate(() => app.replaced);
  }

  /** The page's version is shown by the only worker. */
  async isDrawn(version: number): Promise<void> {
    await this.page.waitForFunction(
      (own) => globalThis.app?.version === own && app.frames() > 3,
      version,
    );
    await this.hasOneWorker();
  }

  async hasOneWorker(): Promise<void> {
    await expect.poll(() => this.page.workers().length).toBe(1);
  }
}

const test = base.extend<{ edited: EditedApp }>({
  edited: async ({ page }, use) => {
    const edited = await EditedApp.start(page);
    await use(edited);
    await edited.stop();
  },
});

test('a worker is replaced when its entry or an import changes, keeps a module that it accepts, and the page reloads for its own', async ({
  edited,
}) => {
  await edited.page.goto(edited.address);
  await edited.isDrawn(1);
  const steps = await edited.steps();
  edited.edit('sim.worker.ts', ['VERSION = 1', 'VERSION = 2']);
  await expect.poll(() => edited.code()).toMatchObject({ version: 2, rules: 1 });
  edited.edit('rules.ts', ['RULES = 1', 'RULES = 2']);
  await expect.poll(() => edited.code()).toMatchObject({ version: 2, rules: 2 });
  expect(await edited.steps()).toBeGreaterThan(steps);
  expect(await edited.page.evaluate(() => app.sim.state)).toBe('running');
  await expect.poll(() => edited.replaced()).toEqual([true, true]);
  await edited.isDrawn(1);
  edited.edit('accepted.ts', ['ACCEPTED = 1', 'ACCEPTED = 2']);
  await expect.poll(() => edited.code()).toMatchObject({ accepted: 2 });
  expect(await edited.replaced()).toEqual([true, true]);
  expect([await edited.lines(), edited.loads]).toEqual([[], 1]);

  // The page has this module as well.
  edited.edit('shared.ts', ['SHARED = 1', 'SHARED = 2']);
  await expect.poll(() => edited.loads).toBe(2);
  await edited.isDrawn(1);
  expect(await edited.code()).toMatchObject({ shared: 2 });
  expect(await edited.page.evaluate(() => app.shared)).toBe(2);
});

test('a syntax error in a module of a worker leaves the old worker, until it is fixed', async ({
  edited,
}) => {
  const { page } = edited;
  await page.goto(edited.address);
  await edited.isDrawn(1);
  edited.edit('rules.ts', ['RULES = 1', 'RULES = = 2']);
  await expect(page.locator('vite-error-overlay')).toHaveCount(1);
  await expect
    .poll(edited.lines)
    .toContainEqual(expect.stringContaining('script has changed, and the old one continues'));
  const steps = await edited.steps();
  await expect.poll(() => edited.steps()).toBeGreaterThan(steps);
  expect(await edited.code()).toMatchObject({ rules: 1 });
  await edited.hasOneWorker();
  edited.edit('rules.ts', ['RULES = = 2', 'RULES = 2']);
  await expect.poll(() => edited.code()).toMatchObject({ rules: 2 });
  await expect(page.locator('vite-error-overlay')).toHaveCount(0);
  expect(await edited.steps()).toBeGreaterThan(steps);
  await expect.poll(() => edited.replaced()).toEqual([true]);
  await edited.hasOneWorker();
  expect(edited.loads).toBe(1);
});
