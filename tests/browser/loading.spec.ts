/** What `connect` loads while the worker loads, when that is slow, missing, or forbidden. */
import { expect } from '@playwright/test';
import { test } from '../browsers/shared-page.js';

const PAGE = '/tests/browser/pages/library.html';
const LATE_PART = '**/open-simulation-*.js';

test.beforeEach(async ({ page }) => {
  await page.goto(PAGE);
  await page.waitForFunction(() => 'library' in globalThis);
});

test('the worker is requested first, and the part of the library that talks to it once', async ({
  page,
}) => {
  let asked = 0;
  const worker = page.waitForRequest(/\/toy\.worker-/);
  await page.route(LATE_PART, async (route) => {
    asked += 1;
    // Forever, if the worker is created only when this is there.
    await worker;
    await route.continue();
  });
  await page.evaluate(() => library.start('toy'));
  expect(asked).toBe(1);
});

test('a worker that has failed before there is a handler is reported as if there had been one', async ({
  page,
}) => {
  await page.route(LATE_PART, async (route) => {
    // A second worker of the same script: when its error is there, that of the first is, too.
    await page.evaluate(() => library.throwAtLoad());
    await route.continue();
  });
  const error = await page.evaluate(() => library.failureOf('throwsAtLoad'));
  expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  expect(error?.message).toContain('no luck at load');
});

for (const [part, options] of [
  ['open-simulation', {}],
  ['worker-restarter', { recovery: 'restart' }],
] as const) {
  test(`the part ${part} of the library, if it does not load, is an error that says so and leaves no worker`, async ({
    page,
  }) => {
    await page.route(`**/${part}-*.js`, (route) => route.fulfill({ status: 404 }));
    const error = await page.evaluate((given) => library.failureOf('toy', given), options);
    expect(error?.message).toContain('a part of betwixt did not load');
    await expect.poll(() => page.workers().length).toBe(0);
  });
}

/** What is served instead, by the path. */
const SCRIPT = 'text/javascript';
const SERVED: Readonly<Record<string, { contentType: string; body: string; status?: number }>> = {
  '/gone.js': { contentType: 'text/plain', body: 'not found', status: 404 },
  '/html.js': { contentType: 'text/html', body: '<!doctype html><p>The start page' },
  '/text.js': { contentType: 'text/plain', body: '' },
  '/bare.js': { contentType: SCRIPT, body: '' },
  '/wrong.js': { contentType: SCRIPT, body: 'let let' },
};

test('a worker that does not load fails with its cause and its cure', async ({ page }) => {
  for (const [path, answer] of Object.entries(SERVED)) {
    const isIsolating =
      path === '/bare.js' ? {} : { 'cross-origin-embedder-policy': 'require-corp' };
    await page.route(`**${path}`, (route) => route.fulfill({ ...answer, headers: isIsolating }));
  }
  await page.route('**/world.worker-*.js', (route) => route.fulfill({ status: 404 }));
  const at = (address: string, type: WorkerType = 'module') =>
    page.evaluate(([given, kind]) => library.failureAt(given, kind), [address, type] as const);
  const failures = {
    gone: await at('/gone.js'),
    html: await at('/html.js'),
    'html for a classic one': await at('/html.js', 'classic'),
    text: await at('/text.js'),
    bare: await at('/bare.js'),
    wrong: await at('/wrong.js'),
    elsewhere: await at('http://127.0.0.2/sim.js'),
    'of a world': await page.evaluate(() => library.failureOfWorld()),
    'without workers': await page.evaluate(() => {
      Reflect.deleteProperty(globalThis, 'Worker');
      return library.failureOfWorld();
    }),
  };
  expect(
    Object.fromEntries(Object.entries(failures).map(([name, error]) => [name, error?.message])),
  ).toEqual({
    gone: expect.stringMatching(/gone\.js\): the server answers 404/),
    html: expect.stringMatching(/html\.js\): the server answers with a page/),
    'html for a classic one': expect.stringMatching(/html\.js\): the server answers with a page/),
    text: expect.stringMatching(/text\.js\) is sent as text\/plain/),
    bare: expect.stringMatching(/bare\.js\) is sent without Cross-Origin-Embedder-Policy/),
    wrong: expect.stringMatching(/wrong\.js\) is there, and has a mistake/),
    elsewhere: expect.stringMatching(/another origin.*127\.0\.0\.2\/sim\.js/),
    'of a world': expect.stringMatching(/world\.worker-.*answers 404.*runWorld\(\)/),
    'without workers': expect.stringMatching(/no workers here.*transport: 'local'/),
  });
  for (const error of Object.values(failures)) {
    expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  }
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
  const sandboxed = await failsUnder('sandbox allow-scripts', '**/*', {});
  expect(sandboxed?.message).toMatch(/of no origin.*allow-same-origin/);
});

test("the page's engine that does not load is an error with its address", async ({ page }) => {
  await page.route('**/rapier-*.js', (route) => route.fulfill({ status: 404 }));
  const error = await page.evaluate(() => library.failureOfWorld({ queries: true }));
  expect(error?.message).toMatch(/cannot be loaded: .*rapier-.*\.js.*on the server/);
});
