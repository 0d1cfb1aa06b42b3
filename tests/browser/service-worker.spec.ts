/**
 * `betwixt({ serviceWorker: true })`: a host that sends no headers, in its own folder as project
 * pages have.
 */
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { build } from 'vite';
import { betwixt } from '../../src/vite/index.js';
import { test as base } from '../browsers/shared-page.js';

const test = base.extend({
  // In its own context: service workers persist.
  page: async ({ browser }, use) => {
    const context = await browser.newContext();
    await use(await context.newPage());
    await context.close();
  },
});
// One site for all of them.
test.describe.configure({ mode: 'default' });

const BASE = '/project/';
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Says in its title what it is, and counts how often it is loaded. */
const PAGE = `<!doctype html><title>loading</title><script type="module" src="./main.ts"></script>`;
const MAIN = `
const worker = new Worker(new URL('./some.worker.ts', import.meta.url), { type: 'module' });
worker.onmessage = ({ data }) => {
  document.title = data.isolated ? 'shared ' + Atomics.load(new Int32Array(data.memory), 0) : 'apart';
};
worker.postMessage(0);
`;
const WORKER = `
onmessage = () => {
  if (!crossOriginIsolated) return postMessage({ isolated: false });
  const memory = new SharedArrayBuffer(4);
  Atomics.store(new Int32Array(memory), 0, 42);
  postMessage({ isolated: true, memory });
};
`;

let folder = '';
let server: Server;
let address = '';
/** Replaces files of the site, for hosts on which it does not work. */
let replaced: Record<string, { readonly status: number; readonly body: string }> = {};
let pageRequests = 0;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'betwixt-service-worker-'));
  await Promise.all([
    writeFile(join(folder, 'index.html'), PAGE),
    writeFile(join(folder, 'main.ts'), MAIN),
    writeFile(join(folder, 'some.worker.ts'), WORKER),
  ]);
  await build({
    root: folder,
    base: './',
    configFile: false,
    logLevel: 'error',
    plugins: [betwixt({ serviceWorker: true })],
  });
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname;
    const name = path === BASE ? 'index.html' : path.slice(BASE.length);
    if (name === 'index.html') pageRequests++;
    const other = replaced[name];
    const headers = { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' };
    if (other !== undefined) {
      response.writeHead(other.status, headers).end(other.body);
      return;
    }
    readFile(join(folder, 'dist', name)).then(
      (body) => response.writeHead(200, headers).end(body),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  address = `http://127.0.0.1:${port}${BASE}`;
});
test.afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});
test.beforeEach(() => {
  replaced = {};
  pageRequests = 0;
});

/** The browser's own words for that. */
const MISSING_FILE = /^Failed to load resource|^A bad HTTP response code \(404\)/;

/** The page's output, apart from files that are missing on purpose. */
function consoleOf(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (!MISSING_FILE.test(message.text())) lines.push(message.text());
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  return lines;
}

// One visitor with steps: every new one starts a process of the browser.
test('the service worker isolates a page of a host without headers, through repairs and releases', async ({
  page,
}) => {
  const lines = consoleOf(page);
  await test.step('a page without headers becomes isolated by one reload, and its worker shares memory', async () => {
    await page.goto(address);
    await expect(page).toHaveTitle('shared 42');
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(pageRequests).toBe(2);
  });
  await test.step('the next visit needs no reload', async () => {
    await visit(page);
    await expect(page).toHaveTitle('shared 42');
    expect(pageRequests).toBe(3);
    expect(lines).toEqual([]);
  });
  await test.step('a tab that lost its service worker is repaired by another reload', async () => {
    await page.evaluate(async () => (await navigator.serviceWorker.ready).unregister());
    await visit(page);
    await expect(page).toHaveTitle('shared 42');
    expect(pageRequests).toBe(5);
  });
  await test.step('a release with another policy applies it with one reload', async () => {
    await serveWith((html) => html.replace('"require-corp"', '"credentialless"'));
    await visit(page);
    // The check may coincide with the moment in which the page is unloaded.
    await expect(async () => expect(await kindOfVisit(page)).toBe('reload')).toPass();
    const policy = await page.evaluate(async () => {
      const response = await fetch(location.href);
      return response.headers.get('Cross-Origin-Embedder-Policy');
    });
    expect(policy).toBe('credentialless');
    await expect(page).toHaveTitle('shared 42');
    await visit(page);
    await expect(page).toHaveTitle('shared 42');
    expect(await kindOfVisit(page)).toBe('navigate');
  });
  await test.step('a release with "remove" removes the service worker', async () => {
    await serveWith((html) => html.replace('data-embedder-policy="require-corp"', 'data-remove'));
    await visit(page);
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
      )
      .toBe(0);
    await visit(page);
    await expect(page).toHaveTitle('apart');
  });
});

/** Comes back from elsewhere. */
async function visit(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.goto(address);
}

const kindOfVisit = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation');
    return (navigation as PerformanceNavigationTiming).type;
  });

/** The page as a build with other options would have it. */
async function serveWith(change: (html: string) => string): Promise<void> {
  const html = await readFile(join(folder, 'dist', 'index.html'), 'utf8');
  const body = change(html);
  expect(body).not.toBe(html);
  replaced['index.html'] = { status: 200, body };
}

for (const { what, script, requests } of [
  {
    what: 'loads a page that it does not help twice',
    script: { status: 200, body: 'void 0;' },
    requests: 2,
  },
  {
    what: 'loads a page once on a host without its script',
    script: { status: 404, body: '' },
    requests: 1,
  },
]) {
  test(`the service worker ${what}, and then leaves it as it is, silently`, async ({ page }) => {
    replaced['betwixt-isolation-worker.js'] = script;
    const lines = consoleOf(page);
    await page.goto(address);
    await expect.poll(() => pageRequests).toBe(requests);
    await expect(page).toHaveTitle('apart');
    // Long enough for a page that reloads over and over.
    for (let i = 0; i < 5; i++) {
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    }
    expect(pageRequests).toBe(requests);
    expect(lines).toEqual([]);
  });
}

test("the service worker does not replace an application's own", async ({ page }) => {
  replaced['own.js'] = { status: 200, body: 'addEventListener("install", () => skipWaiting());' };
  // First without ours: its script is missing.
  replaced['betwixt-isolation.js'] = { status: 404, body: '' };
  await page.goto(address);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('own.js');
    await navigator.serviceWorker.ready;
  });
  delete replaced['betwixt-isolation.js'];
  await page.goto(address);
  await expect(page).toHaveTitle('apart');
  await page.waitForLoadState('networkidle');
  const script = await page.evaluate(
    async () => (await navigator.serviceWorker.ready).active?.scriptURL,
  );
  expect(script).toMatch(/own\.js$/);
  expect(pageRequests).toBe(2);
});
