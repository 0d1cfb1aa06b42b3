/** What `connect` loads while the worker loads, when that is slow or missing. */
import { expect } from '@playwright/test';
import { test } from '../browsers/shared-page.js';

const LATE_PART = '**/src/render-main/open-simulation.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/tests/browser/pages/library.html');
  await page.waitForFunction(() => 'library' in globalThis);
});

test('the worker is requested first, and the part of the library that talks to it once', async ({
  page,
}) => {
  let asked = 0;
  const worker = page.waitForRequest(/\/toy\.worker\.ts/);
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
    await page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const address = '/tests/browser/pages/throws-at-load.worker.ts';
          new Worker(address, { type: 'module' }).addEventListener('error', (event) => {
            event.preventDefault();
            resolve();
          });
        }),
    );
    await route.continue();
  });
  const error = await page.evaluate(() => library.failureOf('throwsAtLoad'));
  expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  expect(error?.message).toContain('no luck at load');
});

test('a part of the library that does not load is an error that says so, and leaves no worker', async ({
  page,
}) => {
  await page.route(LATE_PART, (route) => route.fulfill({ status: 404 }));
  const error = await page.evaluate(() => library.failureOf('toy'));
  expect(error?.message).toContain('a part of betwixt did not load');
  await expect.poll(() => page.workers().length).toBe(0);
});

test('so is the part that replaces workers, for a page that asks for it', async ({ page }) => {
  await page.route('**/src/render-main/worker/worker-restarter.ts', (route) =>
    route.fulfill({ status: 404 }),
  );
  const error = await page.evaluate(() => library.failureOf('toy', { recovery: 'restart' }));
  expect(error?.message).toContain('a part of betwixt did not load');
  await expect.poll(() => page.workers().length).toBe(0);
});
