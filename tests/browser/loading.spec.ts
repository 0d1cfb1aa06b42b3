/** Loading a worker and its parts: slowly, not at all, or against a policy. */
import { expect } from '@playwright/test';
import { test } from '../browsers/shared-page.js';

const PAGE = '/tests/browser/pages/library.html';
/** Loaded with the worker where memory is not shared. */
const LATE_PART = '**/page-mirror-*.js';

test.beforeEach(async ({ page }) => {
  await page.goto(PAGE);
  await page.waitForFunction(() => 'library' in globalThis);
});

test('a worker that has failed before there is a handler is reported as if there had been one', async ({
  page,
}) => {
  await page.route(LATE_PART, async (route) => {
    // A second worker of the same script: when its error is there, that of the first is, too.
    await page.evaluate(() => library.throwAtLoad());
    await route.continue();
  });
  const error = await page.evaluate(() =>
    library.failureOf('throwsAtLoad', { transport: 'transfer' }),
  );
  expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  expect(error?.message).toContain('no luck at load');
});

const SCRIPT = 'text/javascript';
/** Answers in place of a script, and the causes that they are. */
const SERVED: readonly (readonly [path: string, contentType: string, body: string, RegExp])[] = [
  ['html.js', 'text/html', '<!doctype html>', /html\.js\): the server answers with a page/],
  ['text.js', 'text/plain', '', /text\.js\) is sent as text\/plain/],
  ['bare.js', SCRIPT, '', /bare\.js\) is sent without Cross-Origin-Embedder-Policy/],
  ['wrong.js', SCRIPT, 'let let', /wrong\.js\) is there, and has a mistake/],
];

test('a worker that does not load fails with its cause and its cure', async ({ page }) => {
  const at = (address: string, type: WorkerType = 'module') =>
    page.evaluate(([given, kind]) => library.failureAt(given, kind), [address, type] as const);
  const expectFailure = (error: Awaited<ReturnType<typeof at>>, message: RegExp): void =>
    expect(error).toMatchObject({
      name: 'WorkerFailedError',
      stage: 'load',
      message: expect.stringMatching(message),
    });
  for (const [path, contentType, body, cause] of SERVED) {
    const headers = path === 'bare.js' ? {} : { 'cross-origin-embedder-policy': 'require-corp' };
    await page.route(`**/${path}`, (route) => route.fulfill({ contentType, body, headers }));
    expectFailure(await at(`/${path}`), cause);
    if (path === 'html.js') expectFailure(await at(`/${path}`, 'classic'), cause);
  }
  expectFailure(await at('http://127.0.0.2/sim.js'), /another origin.*127\.0\.0\.2\/sim\.js/);
  await page.route('**/world.worker-*.js', (route) => route.fulfill({ status: 404 }));
  const ofWorld = await page.evaluate(() => library.failureOfWorld());
  expectFailure(ofWorld, /world\.worker-.*answers 404.*runWorld\(\)/);
  expect(page.workers()).toEqual([]);
});

test('a policy that forbids workers or WebAssembly, and a page without origin, are named', async ({
  page,
}) => {
  const failsUnder = async (policy: string, path: string, options: object) => {
    await page.unrouteAll();
    await page.route(path, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'content-security-policy': policy };
      await route.fulfill({
        response,
        headers: { ...headers, 'access-control-allow-origin': '*' },
      });
    });
    await page.goto(PAGE);
    await page.waitForFunction(() => 'library' in globalThis);
    return page.evaluate((given) => library.failureOfWorld(given), options);
  };
  const noWorker = await failsUnder("worker-src 'none'", `**${PAGE}`, {});
  expect(noWorker).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  expect(noWorker?.message).toMatch(/policy of this page forbids.*world\.worker.*worker-src/);
  const noWasm = /'wasm-unsafe-eval' to script-src/;
  const inWorker = await failsUnder("script-src 'self'", '**/world.worker-*.js', {});
  expect(inWorker?.message).toMatch(noWasm);
  const onPage = await failsUnder("script-src 'self'", `**${PAGE}`, { queries: true });
  expect(onPage?.message).toMatch(noWasm);
  const noFetch = /WebAssembly of the engine cannot be loaded: .*'self' to connect-src/;
  const inWorkerToo = await failsUnder("connect-src 'none'", '**/world.worker-*.js', {});
  expect(inWorkerToo?.message).toMatch(noFetch);
  const onPageToo = await failsUnder("connect-src 'none'", `**${PAGE}`, { queries: true });
  expect(onPageToo?.message).toMatch(noFetch);
  const sandboxed = await failsUnder('sandbox allow-scripts', '**/*', {});
  expect(sandboxed?.message).toMatch(/of no origin.*allow-same-origin/);
});

test("the page's engine that does not load is an error with its address", async ({ page }) => {
  // A server that does not know the type of the WebAssembly is as good.
  await page.route('**/rapier-*.wasm', async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-type': 'application/octet-stream' };
    await route.fulfill({ response, headers });
  });
  expect(await page.evaluate(() => library.failureOfWorld({ queries: true }))).toBeUndefined();
  await page.route('**/rapier-*.js', (route) => route.fulfill({ status: 404 }));
  const error = await page.evaluate(() => library.failureOfWorld({ queries: true }));
  expect(error?.message).toMatch(/cannot be loaded: .*rapier-.*\.js.*on the server/);
});

test('a second world and the engine of the page start from what the first world has compiled', async ({
  page,
}) => {
  expect(await page.evaluate(() => library.failureOfWorld())).toBeUndefined();
  await page.route('**/rapier-*.wasm', (route) => route.fulfill({ status: 404 }));
  expect(await page.evaluate(() => library.failureOfWorld({ queries: true }))).toBeUndefined();
});
