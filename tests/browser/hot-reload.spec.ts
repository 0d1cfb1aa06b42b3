/** docs/snippets/hot-reload.ts and hot-worker.config.ts in a development server: modules change while the app runs. */
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '@playwright/test';
import { createServer, type ViteDevServer } from 'vite';
import config from '../../docs/snippets/hosting/hot-worker.config.js';
import { PATIENCE_MS } from '../../src/render-main/development/page-warnings.js';
import { expect, watchConsole } from '../browsers/test.js';
import type {} from './hot-reload/main.js';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const PAGE =
  '<!doctype html><link rel="icon" href="data:," /><script type="module" src="/main.ts"></script>';

let folder: string;
let server: ViteDevServer;
let address: string;

test.beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'betwixt-hot-reload-')));
  cpSync(join(repository, 'tests/browser/hot-reload'), folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), PAGE);
  server = await createServer({
    ...config,
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: aliases() },
    // What it finds later makes it reload the page.
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0, fs: { strict: false } },
  });
  await server.listen();
  address = server.resolvedUrls?.local[0] ?? '';
});

test.afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The package by its name, and the snippet, although the app is elsewhere. */
function aliases(): { find: RegExp; replacement: string }[] {
  const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const entries = Object.entries(exports).map(([path, file]) => ({
    find: new RegExp(`^betwixt${path.slice(1)}$`),
    replacement: join(repository, file),
  }));
  const snippet = 'docs/snippets/hot-reload';
  return [
    ...entries,
    {
      find: new RegExp(`^(\\.\\./)+${snippet}\\.js$`),
      replacement: join(repository, `${snippet}.ts`),
    },
  ];
}

/** Makes all changes at once: each time that the file is written, the module is replaced. */
function edit(file: string, ...changes: readonly (readonly [from: string, to: string])[]): void {
  const path = join(folder, file);
  let text = readFileSync(path, 'utf8');
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  writeFileSync(path, text);
}

declare global {
  /** Calls what waits for the patience of a developer to end. */
  var endPatience: () => void;
}

test('modules of the worker and of the page are replaced, and one worker runs', async ({
  page,
}) => {
  const lines = watchConsole(page);
  // A script stays on its page, so this one is not shared with other tests.
  await page.addInitScript((patienceMs) => {
    const { setTimeout: later } = globalThis;
    const waiting: (() => void)[] = [];
    globalThis.setTimeout = ((call: () => void, delayMs?: number, ...args: unknown[]) =>
      delayMs === patienceMs ? waiting.push(call) : later(call, delayMs, ...args)) as typeof later;
    globalThis.endPatience = () => {
      for (const call of waiting.splice(0)) call();
    };
  }, PATIENCE_MS);
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.goto(address);
  /** The page's version is shown by the only worker. */
  const isDrawn = async (version: number): Promise<void> => {
    await page.waitForFunction(
      (own) => globalThis.app?.version === own && app.frames() > 3,
      version,
    );
    await expect.poll(() => page.workers().length).toBe(1);
  };
  await isDrawn(1);

  // A module of the worker: the run continues in another one.
  const steps = await page.evaluate(() => app.sim.queries.steps());
  edit('sim.worker.ts', ['VERSION = 1', 'VERSION = 2']);
  await expect.poll(() => page.evaluate(() => app.sim.queries.version())).toBe(2);
  expect(await page.evaluate(() => app.sim.queries.steps())).toBeGreaterThan(steps);
  expect(await page.evaluate(() => app.sim.state)).toBe('running');
  await isDrawn(1);

  // A module of the page, which disposes of its simulation.
  edit('main.ts', ['VERSION = 1', 'VERSION = 2']);
  await isDrawn(2);
  edit('sim.worker.ts', ['VERSION = 2', 'VERSION = 3']);
  await expect.poll(() => page.evaluate(() => app.sim.queries.version())).toBe(3);
  await isDrawn(2);
  await page.evaluate(() => endPatience());
  expect(await lines()).toEqual([]);

  // One that does not, which leaves the worker.
  edit(
    'main.ts',
    ['import.meta.hot?.dispose(() => sim.dispose());', ''],
    ['VERSION = 2', 'VERSION = 3'],
  );
  await isDrawn(3);
  edit('main.ts', ['VERSION = 3', 'VERSION = 4']);
  await page.waitForFunction(() => app.version === 4 && app.frames() > 3);
  expect(page.workers().length).toBe(2);
  await page.evaluate(() => endPatience());
  await expect
    .poll(lines)
    .toEqual([expect.stringContaining('an earlier simulation still runs in its worker')]);
  expect(loads).toBe(1);
});
