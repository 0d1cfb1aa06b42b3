import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  existsSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, createServer, preview, resolveConfig, type InlineConfig, type Plugin } from 'vite';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../fixtures/eventually.js';
import { headersFile } from '../../../src/vite/isolation-headers.js';
import { betwixt, isolationHeaders, type BetwixtPluginOptions } from '../../../src/vite/index.js';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'betwixt-vite-'));
  write('index.html', '<!doctype html><html><head><title>x</title></head><body></body></html>');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
}

const read = (path: string) => readFileSync(join(root, 'dist', path), 'utf8');

const config = (options?: BetwixtPluginOptions, base = '/'): InlineConfig => ({
  root,
  base,
  configFile: false,
  logLevel: 'error',
  plugins: [betwixt(options)],
});

/** In development, or a preview. */
type Server = { readonly resolvedUrls: { readonly local: readonly string[] } | null };

const get = (server: Server, path = '/') => fetch(new URL(path, server.resolvedUrls?.local[0]));

async function headersMissing(server: Server, paths: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const path of paths) {
    const { headers } = await get(server, path);
    for (const [name, value] of Object.entries(isolationHeaders())) {
      if (headers.get(name) !== value) missing.push(`${name} of ${path}`);
    }
  }
  return missing;
}

test('the build has a _headers file with all three headers, and nothing else from the plugin', async () => {
  await build(config({ embedderPolicy: 'credentialless' }));
  expect(read('_headers')).toBe(
    [
      '/*',
      '  Cross-Origin-Opener-Policy: same-origin',
      '  Cross-Origin-Embedder-Policy: credentialless',
      '  Cross-Origin-Resource-Policy: same-origin',
      '',
    ].join('\n'),
  );
  expect(read('index.html')).not.toContain('betwixt');
  expect(existsSync(join(root, 'dist/betwixt-isolation-worker.js'))).toBe(false);
});

test('the build completes the _headers of the application and keeps its rules', async () => {
  write(
    'public/_headers',
    '/old/*\n  X-Robots-Tag: noindex\n\n/*\n  X-Frame-Options: DENY\n  cross-origin-embedder-policy: credentialless\n\n/feed\n  A: b\n',
  );
  await build(config());
  expect(read('_headers').split('\n')).toEqual([
    '/old/*',
    '  X-Robots-Tag: noindex',
    '',
    '/*',
    '  X-Frame-Options: DENY',
    '  cross-origin-embedder-policy: credentialless',
    '  Cross-Origin-Opener-Policy: same-origin',
    '  Cross-Origin-Resource-Policy: same-origin',
    '',
    '/feed',
    '  A: b',
    '',
  ]);
});

test('a _headers without a rule for every address is given one', () => {
  expect(headersFile(isolationHeaders(), '/feed\n  A: b\n')).toMatch(
    /^\/feed\n {2}A: b\n\n\/\*\n {2}Cross-Origin/,
  );
});

test('the build has no _headers when they are disabled', async () => {
  await build(config({ headers: false }));
  expect(existsSync(join(root, 'dist/_headers'))).toBe(false);
});

test.each([
  ['/', 'index.html', '/betwixt-isolation.js'],
  ['/sub/path/', 'index.html', '/sub/path/betwixt-isolation.js'],
  ['./', 'index.html', 'betwixt-isolation.js'],
  ['./', 'deep/er/index.html', '../../betwixt-isolation.js'],
])('the build with base %s, %s loads the service worker by %s', async (base, page, src) => {
  write(page, readFileSync(join(root, 'index.html'), 'utf8'));
  await build({
    ...config({ serviceWorker: true }, base),
    build: { rolldownOptions: { input: join(root, page) } },
  });
  const html = read(page);
  expect(html).toContain(`<script src="${src}" data-embedder-policy="require-corp"></script>`);
  // Before anything that could start without isolation.
  expect(html.indexOf(src)).toBeLessThan(html.indexOf('<title>'));
  expect(read('betwixt-isolation.js')).toContain('serviceWorker.register');
  expect(read('betwixt-isolation-worker.js')).toContain("addEventListener('fetch'");
});

/** A server in development, until the test ends. */
async function startServer(options?: BetwixtPluginOptions) {
  const server = await createServer({ ...config(options), server: { host: '127.0.0.1', port: 0 } });
  onTestFinished(() => server.close());
  return server.listen();
}

test('the server in development sends everything with the headers, even refused requests', async () => {
  const server = await startServer();
  expect(await headersMissing(server, ['/', '/@vite/client', '/nothing.js'])).toEqual([]);
  const html = await server.transformIndexHtml('/', '<html><head></head></html>');
  expect(html).not.toContain('betwixt-isolation');
});

test('the server in development sends files of the package from above its root', async () => {
  // Vite takes this root for the whole workspace.
  write('package.json', '{}');
  const server = await startServer();
  const src = new URL('../../../src/world/worker/world.worker.ts', import.meta.url).pathname;
  expect((await get(server, `/@fs/${src}`)).status).toBe(200);
  expect((await get(server, `/@fs/${import.meta.filename}`)).status).toBe(403);
});

test('the preview sends everything with the headers', async () => {
  await build(config());
  const server = await preview({ ...config(), preview: { host: '127.0.0.1', port: 0 } });
  onTestFinished(() => server.close());
  expect(await headersMissing(server, ['/', '/nothing.js'])).toEqual([]);
});

const setVersions = (value: object): void =>
  void Object.defineProperty(process, 'versions', { value, configurable: true });

test('a server that runs inside of a page lets that page show the app in a frame', async () => {
  const { versions } = process;
  setVersions({ ...versions, webcontainer: '1' });
  onTestFinished(() => setVersions(versions));
  const { headers } = await get(await startServer());
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
});

test('the server sends no headers when they are disabled', async () => {
  const { headers } = await get(await startServer({ headers: false }));
  expect(headers.get('cross-origin-opener-policy')).toBeNull();
});

test('dependencies in development are found in pages and in workers, and not in tests', async () => {
  for (const name of ['of-page', 'of-worker', 'of-test']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, 'module.exports = 1;');
  }
  write('index.html', '<script type="module" src="./src/main.ts"></script>');
  write('src/main.ts', "import 'of-page'; new Worker(new URL('./a.worker.ts', import.meta.url));");
  write('src/a.worker.ts', "import './simulation.js';");
  write('src/simulation.ts', "import 'of-worker';");
  write('coverage/index.html', '<script type="module">import "of-test"</script>');
  write('src/__tests__/b.worker.ts', "import 'of-test';");
  const server = await createServer({ ...config(), server: { middlewareMode: true, ws: false } });
  onTestFinished(() => server.close());
  const optimizer = server.environments.client.depsOptimizer;
  await optimizer?.scanProcessing;
  const { discovered = {}, optimized = {} } = optimizer?.metadata ?? {};
  // Before any page is requested.
  const names = Object.keys({ ...discovered, ...optimized }).toSorted();
  expect(names).toEqual(['of-page', 'of-worker']);
  // The server bundles them next, and fails if they are gone by then.
  await eventually(() => {
    const files = readdirSync(join(root, 'node_modules/.vite'), { recursive: true }).map(String);
    const bundled = files.map((path) => basename(path, '.js'));
    expect(bundled).toEqual(expect.arrayContaining(names));
  });
});

test.each<[string, InlineConfig, unknown]>([
  ['entries', { optimizeDeps: { entries: 'own.html' } }, 'own.html'],
  ['lack of entries', { optimizeDeps: { entries: [] } }, []],
  [
    'entries of its client',
    { environments: { client: { optimizeDeps: { entries: ['c.ts'] } } } },
    ['c.ts'],
  ],
  // Vite then scans the inputs, which entries would replace.
  ['inputs', { build: { rolldownOptions: { input: 'page.html' } } }, undefined],
  // Also if it is added later.
  ['plugin with entries', { plugins: [betwixt(), saysEntries(['p.ts'])] }, ['p.ts']],
])(
  "dependencies in development are searched for only by the application's %s",
  async (_name, own, entries) => {
    const { optimizeDeps } = await resolveConfig({ ...config(), ...own }, 'serve');
    expect(optimizeDeps.entries).toEqual(entries);
  },
);

test('workers are built as ES modules, unless the application sets another format', async () => {
  expect((await resolveConfig(config(), 'build')).worker.format).toBe('es');
  const own = { ...config(), worker: { format: 'iife' } as const };
  expect((await resolveConfig(own, 'build')).worker.format).toBe('iife');
});

test('wrong options of the plugin are refused with the right ones', () => {
  expect(() => betwixt({ header: true } as object)).toThrow(
    'unknown option "header" of betwixt(): did you mean "headers"?',
  );
  expect(() => betwixt({ serviceWorker: 1 } as object)).toThrow(
    new TypeError("serviceWorker must be true, false or 'remove'"),
  );
  expect(() => betwixt({ embedderPolicy: 'unsafe-none' } as object)).toThrow(RangeError);
});

function saysEntries(entries: string[]): Plugin {
  return { name: 'other', config: () => ({ optimizeDeps: { entries } }) };
}
