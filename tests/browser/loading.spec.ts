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

test('a worker that the policy of its page forbids is a worker that did not load', async ({
  page,
}) => {
  await page.route(`**${PAGE}`, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': "worker-src 'none'" };
    await route.fulfill({ response, headers });
  });
  await page.goto(PAGE);
  await page.waitForFunction(() => 'library' in globalThis);
  const error = await page.evaluate(() => library.failureOf('toy'));
  expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
});
