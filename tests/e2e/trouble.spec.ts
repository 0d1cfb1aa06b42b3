/** What the demo says when something is wrong. */
import {
  CLEAR,
  LIGHT,
  SMALL_PICTURE,
  buildsAnew,
  expect,
  expectNotice,
  loseContextForAWhile,
  noticesOf,
  openDemo,
  picture,
  statsOf,
  test,
  waitForPause,
  waitForTicks,
} from './demo-page.js';

test('the demo: wrong parameters are named, and the page runs with the defaults', async ({
  page,
}) => {
  await openDemo(page, `scene=volcano&tickHz=0&bodies=many&${LIGHT}`);
  const notice = page.locator('.notice.problem');
  await expect(notice).toContainText('scene=volcano');
  await expect(notice).toContainText('tower');
  await expect(notice).toContainText('tickHz=0');
  await expect(notice).toContainText('bodies=many');
  expect((await statsOf(page)).tickRateHz).toBe(60);
});

test('the demo: a split view with no more frames than ticks says why both halves look alike', async ({
  page,
}) => {
  // A frame limit of half the tick rate, which any display holds.
  await openDemo(page, `scene=tops&bodies=6&split=1&tickHz=60&frameLimit=30&${LIGHT}`);
  await expectNotice(page, /both halves look alike/);
});

test('the demo: a scene with more bodies than the capacity is refused, and says so', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&capacity=64&${LIGHT}`);
  const before = await statsOf(page);
  const error = await page.evaluate(() =>
    globalThis.betwixt.commands
      .loadScene({ name: 'heap', bodies: 1000, seed: 1 })
      .catch((reason: Error) => `${reason.name}: ${reason.message}`),
  );
  expect(error).toContain('CapacityExceededError');
  await waitForTicks(page, 5);
  expect((await statsOf(page)).bodies).toBe(before.bodies);
});

test('the demo: an unknown scene is refused by the simulation itself', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&${LIGHT}`);
  const error = await page.evaluate(() =>
    globalThis.betwixt.commands
      .loadScene({ name: 'volcano' as 'tower', bodies: 10, seed: 1 })
      .catch((reason: Error) => `${reason.name}: ${reason.message}`),
  );
  expect(error).toMatch(/RangeError.*volcano.*tower/);
  await waitForTicks(page, 5);
});

test('the demo: a lost WebGL context comes back', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&${CLEAR}`);
  await loseContextForAWhile(page);
  await waitForTicks(page, 30);
  const before = await picture(page);
  await waitForTicks(page, 30);
  const after = await picture(page);
  expect(after.length).toBeGreaterThan(3000);
  expect(after.equals(before)).toBe(false);
});

test('the demo: what was drawn before a lost WebGL context can be taken away without a complaint', async ({
  page,
}) => {
  await openDemo(page, `scene=heap&bodies=100&halfRate=lines&hud=0&panel=1&${SMALL_PICTURE}`);
  await loseContextForAWhile(page);
  await waitForTicks(page, 10);
  await buildsAnew(page, () => page.keyboard.press('r'));
  await waitForTicks(page, 10);
  await page.getByLabel('Half rate').selectOption('off');
  const scenes = page.getByLabel('Scene', { exact: true });
  await buildsAnew(page, () => scenes.selectOption('Rope bridge'));
  // That nothing is on the console is seen to at the end of each test.
  await waitForTicks(page, 10);
});

test('the demo: a browser whose language is none has the demo without plots', async ({ page }) => {
  // As WebKitGTK tells it where the system has none; uPlot throws then, as it is loaded.
  const script = await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' });
  });
  await openDemo(page, `scene=tops&bodies=6&${LIGHT}&hud=1`);
  await waitForTicks(page, 30);
  await expect(page.locator('.plot-failed').first()).toContainText('No plot: RangeError');
  await script.dispose();
});

test.describe('a page that is not isolated', () => {
  // Vite's own, for its reloading; and what the library says once.
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

  test('the demo without isolation runs all the same, and says so', async ({ page }) => {
    await openDemo(page, `scene=tops&bodies=6&${LIGHT}`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    await expectNotice(page, /may not share memory/);
    const before = await picture(page);
    await waitForTicks(page, 30);
    expect((await picture(page)).equals(before)).toBe(false);
    expect(await statsOf(page)).toMatchObject({ transport: 'transfer', droppedEvents: 0 });
    await expect(page.locator('#fault')).toBeHidden();
  });

  test('the demo without isolation says which header is missing when shared memory is asked for', async ({
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

test('the demo: states that are sent because that was asked for are nothing to be told of', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&transport=transfer&${LIGHT}`);
  expect((await statsOf(page)).transport).toBe('transfer');
  // A busy machine may be too slow, and be told so.
  const notices = await noticesOf(page);
  expect(notices.filter((text) => !text.includes('needs more time'))).toEqual([]);
});

test('the demo: a simulation that cannot keep up pauses where that is set, and says how to go on', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&tickHz=240&overload=pause&${LIGHT}`);
  // Each owes many more ticks than what counts as critical, and so many of them are what counts as unresponsive.
  await expect
    .poll(
      async () => {
        await page.evaluate(() => globalThis.betwixt.commands.stall(400));
        return (await statsOf(page)).state;
      },
      { intervals: [50] },
    )
    .toBe('paused');
  const notice = page.locator('.notice', { hasText: 'Paused' });
  await expect(notice).toContainText(
    /Paused, because .* Space, or Resume in the settings, goes on/,
  );
  await expect.poll(() => page.url()).toContain('paused=1');
  await page.keyboard.press('Space');
  await expect(notice).toBeHidden();
  await waitForTicks(page, 10);
});

test('the demo: a hidden page pauses and comes back without a fast-forward', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&${LIGHT}`);
  const setHidden = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await setHidden(true);
  await waitForPause(page);
  const before = await statsOf(page);
  // 90 ticks' worth.
  await page.evaluate(async () => {
    const endMs = performance.now() + 1500;
    while (performance.now() < endMs) await new Promise(requestAnimationFrame);
  });
  const hidden = await statsOf(page);
  expect(hidden.tick).toBe(before.tick);
  const backMs = await page.evaluate(() => performance.now());
  await setHidden(false);
  await expect.poll(async () => (await statsOf(page)).state).toBe('running');
  await waitForTicks(page, 5);
  const { after, passedMs } = await page.evaluate((fromMs) => {
    const stats = globalThis.betwixt.stats();
    return { after: stats, passedMs: performance.now() - fromMs };
  }, backMs);
  // What has run since, and what has not because the machine did not come to it: no more than was due since.
  const owed = after.tick + after.droppedTicks - hidden.tick - hidden.droppedTicks;
  expect(owed).toBeLessThanOrEqual((passedMs * 60) / 1000 + 2);
});
