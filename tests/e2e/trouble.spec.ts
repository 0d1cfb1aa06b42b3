/** The demo's messages when something is wrong. */
import {
  CLEAR,
  LIGHT,
  SMALL_PICTURE,
  rebuilds,
  expect,
  expectNotice,
  loseContextForAWhile,
  noticesOf,
  openDemo,
  screenshot,
  statsOf,
  test,
  waitForTicks,
} from './demo-page.js';
import { WINDOWS, boxOf, nameOf, thoseOver } from './places.js';

test('the demo: wrong parameters are named, and the page runs with the defaults', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await openDemo(
    page,
    `scene=volcano&tickHz=0&bodies=many&paused=1&${SMALL_PICTURE.replace('quality=medium', 'quality=7')}`,
  );
  const notice = page.locator('.notice.problem');
  await expect(notice).toContainText('scene=volcano');
  await expect(notice).toContainText('tower');
  await expect(notice).toContainText('tickHz=0');
  await expect(notice).toContainText('bodies=many');
  await expect(notice).toContainText(
    'quality=7 is invalid: quality must be one of auto, low, medium, high, 1, 2, 3, 4, 5, 6. Using auto.',
  );
  expect((await statsOf(page)).tickRateHz).toBe(60);

  for (const window of WINDOWS) {
    await test.step(`${nameOf(window)}: measurements and settings are free`, async () => {
      await page.setViewportSize(window);
      await expect.poll(() => thoseOver(notice, ['#hud', '#panel', '#keys'])).toEqual([]);
      expect((await boxOf(notice)).width).toBeGreaterThan(200);
    });
  }
});

test('the demo: a split view with no more frames than ticks says why both halves look alike', async ({
  page,
}) => {
  // A frame limit of half the tick rate, which any display reaches.
  await openDemo(page, `scene=tops&bodies=6&split=1&tickHz=60&${LIGHT}&frameLimit=30`);
  await expect(page.getByText('current state only')).toBeVisible();
  await expect(page.getByText('interpolated', { exact: true })).toBeVisible();
  await expectNotice(page, /Both halves look the same/);
});

test('the demo: a scene that is unknown or has more bodies than the capacity is refused, with a message', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&capacity=64&${LIGHT}`);
  const before = await statsOf(page);
  const load = (name: string, bodies: number) =>
    page.evaluate(
      (scene) =>
        globalThis.betwixt.queries
          .loadScene({ ...scene, name: scene.name as 'heap', seed: 1 })
          .catch((reason: Error) => `${reason.name}: ${reason.message}`),
      { name, bodies },
    );
  expect(await load('heap', 1000)).toContain('CapacityExceededError');
  // By the simulation itself: the page offers no such scene.
  expect(await load('volcano', 10)).toMatch(/RangeError.*volcano.*tower/);
  await waitForTicks(page, 5);
  expect((await statsOf(page)).bodies).toBe(before.bodies);
});

test('the demo: a lost WebGL context is restored, and the previous drawing can be removed', async ({
  page,
}) => {
  await openDemo(
    page,
    `scene=tops&halfRate=lines&hud=0&panel=1&${CLEAR.replace('&hud=0&panel=0', '')}`,
  );
  await loseContextForAWhile(page);
  await waitForTicks(page, 20);
  const before = await screenshot(page);
  await waitForTicks(page, 20);
  const after = await screenshot(page);
  expect(after.length).toBeGreaterThan(3000);
  expect(after.equals(before)).toBe(false);

  await rebuilds(page, () => page.keyboard.press('r'));
  await waitForTicks(page, 10);
  await page.getByLabel('Half rate').selectOption('off');
  const scenes = page.getByLabel('Scene', { exact: true });
  await rebuilds(page, () => scenes.selectOption('Rope bridge'));
  // The end of each test checks that the console is empty.
  await waitForTicks(page, 10);
});

test('the demo: a browser with an invalid language has the demo with its plots', async ({
  page,
}) => {
  // As WebKitGTK reports it if the system has none: what formats numbers by it throws.
  const script = await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' });
  });
  await openDemo(page, `scene=tops&bodies=6&${SMALL_PICTURE}&hud=1&panel=0`);
  await waitForTicks(page, 30);
  await expect(page.locator('.plot canvas').first()).toBeVisible();
  await script.dispose();
});

test.describe('a page that is not isolated', () => {
  // Vite's own, for its reloading; and the library's message, once.
  test.use({ expectedConsole: /WebSocket|websocket|transport 'transfer'/ });
  test.beforeEach(({ page }) =>
    page.route(/127\.0\.0\.1:\d+\//, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers() };
      delete headers['cross-origin-opener-policy'];
      delete headers['cross-origin-embedder-policy'];
      await route.fulfill({ response, headers });
    }),
  );

  test('the demo without isolation runs, and says so', async ({ page }) => {
    await openDemo(page, `scene=tops&bodies=6&${LIGHT}`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await expectNotice(page, /cannot use shared memory/);
    const before = await screenshot(page);
    await waitForTicks(page, 30);
    expect((await screenshot(page)).equals(before)).toBe(false);
    expect(await statsOf(page)).toMatchObject({ transport: 'transfer', droppedEvents: 0 });
    await expect(page.locator('#fault')).toBeHidden();
  });

  test('the demo without isolation says which header is missing when shared memory is requested', async ({
    page,
  }) => {
    await page.goto(`/?transport=shared&${LIGHT}`);
    await expect(page.locator('#fault')).toContainText('Cross-Origin-Opener-Policy');
  });

  test('the demo without isolation runs without a worker, too', async ({ page }) => {
    await openDemo(page, `scene=tops&bodies=6&transport=local&${LIGHT}`);
    expect((await statsOf(page)).transport).toBe('local');
    expect(page.workers()).toHaveLength(0);
  });
});

test('the demo: a requested transfer of states is not reported', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&transport=transfer&${LIGHT}`);
  expect((await statsOf(page)).transport).toBe('transfer');
  // A busy machine may be too slow, which is reported.
  const notices = await noticesOf(page);
  expect(notices.filter((text) => !text.includes('too slow'))).toEqual([]);
});

test('the demo: a simulation that cannot keep up pauses with that setting, and says how to continue', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&tickHz=240&overload=pause&${LIGHT}`);
  // In each, many more ticks are due than count as critical, and that often enough to count as
  // unresponsive.
  await expect
    .poll(
      async () => {
        // They must follow each other within ten seconds.
        await page.evaluate(async () => {
          const { betwixt } = globalThis;
          for (let stall = 0; stall < 8 && betwixt.stats().state === 'running'; stall++) {
            await betwixt.queries.stall(400);
          }
        });
        return (await statsOf(page)).state;
      },
      { intervals: [50] },
    )
    .toBe('paused');
  const notice = page.locator('.notice', { hasText: 'Paused' });
  await expect(notice).toContainText(/Paused because .* press Space or choose Resume/);
  await expect.poll(() => page.url()).toContain('paused=1');
  await page.keyboard.press('Space');
  await expect(notice).toBeHidden();
  await waitForTicks(page, 10);
});
