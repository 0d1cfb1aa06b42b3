/** Components of React Three Fiber whose physics is in a real worker, in a real page. */
import { PANICS } from '../fixtures/panics.js';
import { expect, needWebGL, test, watchConsole, type TestPage } from '../browsers/test.js';
import type { Mounted } from './pages/react.js';

// Fiber needs WebGL.
test.use({ hasWindow: true });
test.beforeEach(({ page }) => needWebGL(page));

async function open(
  page: TestPage,
  mounted: Mounted,
): Promise<{ readonly lines: () => Promise<readonly string[]> }> {
  const lines = watchOwnConsole(page);
  await page.goto('/tests/browser/pages/react.html');
  await page.waitForFunction(() => 'components' in globalThis);
  await show(page, mounted);
  await page.waitForFunction(() => components.isRunning());
  return { lines };
}

/** Without what fiber and the graphics driver say. */
function watchOwnConsole(page: TestPage): () => Promise<readonly string[]> {
  const lines = watchConsole(page);
  return async () => (await lines()).filter((line) => !/THREE\.Clock|GL Driver Message/.test(line));
}

const show = (page: TestPage, mounted: Mounted): Promise<void> =>
  page.evaluate((given) => components.show(given), mounted);

/** All in which three can end. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Waits until the page has reported all of these, in this order. */
async function waitForEvents(page: TestPage, expected: readonly string[]): Promise<void> {
  const seen: string[] = [];
  while (seen.length < expected.length) {
    seen.push(...(await page.evaluate(() => components.takeEvents())));
    await page.waitForTimeout(20);
  }
  expect(seen).toEqual(expected);
}

for (const transport of ['shared', 'transfer', 'local'] as const) {
  test(`a ball falls through a sensor onto a plate: ${transport}`, async ({ page }) => {
    const { lines } = await open(page, { transport });
    expect(await page.evaluate(() => components.transport())).toBe(transport);
    await waitForEvents(page, [
      'enters the sensor',
      'leaves the sensor',
      'touches plate',
      'sleeps',
    ]);
    const [height, drawn] = await page.evaluate(() => [
      components.height(),
      components.drawnHeight(),
    ]);
    expect(height).toBeCloseTo(0.5, 2);
    expect(drawn).toBeCloseTo(height as number, 2);
    expect(await lines()).toEqual([]);
  });
}

test('StrictMode starts one worker, and the end of the canvas ends it', async ({ page }) => {
  const { lines } = await open(page, { isStrict: true });
  expect(await page.evaluate(() => [components.workers(), components.bodies()])).toEqual([
    { made: 1, ended: 0 },
    2,
  ]);
  await show(page, { isShown: false });
  await page.waitForFunction(() => components.workers().ended === 1);
  expect(await page.evaluate(() => components.workers().made)).toBe(1);
  expect(await lines()).toEqual([]);
});

test('another key is another world', async ({ page }) => {
  const { lines } = await open(page, {});
  await page.waitForFunction(() => (components.height() ?? 6) < 2);
  await show(page, { key: 1 });
  await page.waitForFunction(() => components.ready() === 2);
  await page.waitForFunction(() => components.workers().ended === 1);
  await page.waitForFunction(() => (components.height() ?? 6) < 2);
  expect(await page.evaluate(() => components.workers())).toEqual({ made: 2, ended: 1 });
  expect(await lines()).toEqual([]);
});

test('a canvas that ends before its worker runs leaves nothing', async ({ page }) => {
  const lines = watchOwnConsole(page);
  await page.goto('/tests/browser/pages/react.html');
  await page.waitForFunction(() => 'components' in globalThis);
  for (let round = 1; round <= 3; round++) {
    await show(page, {});
    await page.waitForFunction((made) => components.workers().made === made, round);
    await show(page, { isShown: false });
    await page.waitForFunction((ended) => components.workers().ended === ended, round);
  }
  expect(await lines()).toEqual([]);
});

test('three worlds end in any order, and leave no worker and no listener', async ({ page }) => {
  const lines = watchOwnConsole(page);
  await page.goto('/tests/browser/pages/react.html');
  await page.waitForFunction(() => 'components' in globalThis);
  let listeners: number | undefined;
  for (const [round, order] of ORDERS.entries()) {
    const isStrict = round % 2 === 1;
    let keys = [0, 1, 2].map((world) => 3 * round + world);
    await show(page, { keys, isStrict });
    await page.waitForFunction((ready) => components.ready() === ready, 3 * (round + 1));
    for (const world of order) {
      keys = keys.filter((key) => key !== 3 * round + world);
      await show(page, { keys, isStrict });
      await page.waitForFunction(
        (count) => components.workers().made - components.workers().ended === count,
        keys.length,
      );
      // The others run on.
      const ticks = await page.evaluate(() => components.ticks());
      expect(Object.keys(ticks).map(Number)).toEqual(keys);
      await page.waitForFunction(
        (before) =>
          Object.entries(components.ticks()).every(
            ([key, tick]) => tick > (before[Number(key)] ?? Number.NaN),
          ),
        ticks,
      );
    }
    await expect.poll(() => page.workers().length).toBe(0);
    // Those of the canvas are there from the first round on.
    listeners ??= await page.evaluate(() => components.listeners());
    expect(await page.evaluate(() => components.listeners())).toBe(listeners);
  }
  expect(await page.evaluate(() => components.workers())).toEqual({ made: 18, ended: 18 });
  expect(await lines()).toEqual([]);
});

test('a panic of the engine costs the body that caused it, and the scene continues', async ({
  page,
}) => {
  const { lines } = await open(page, { worker: 'panicking' });
  await page.waitForFunction(() => (components.height() ?? 6) < 5);
  await show(page, { worker: 'panicking', gravityScale: PANICS });
  await page.waitForFunction(() => components.workers().made > 1);
  // What made it panic is left out, and the ball falls on. On a slow machine, it may have fallen this far before.
  await expect
    .poll(async () => (await lines()).join('\n'))
    .toMatch(/was skipped because tick \d+|unreachable/);
  await page.waitForFunction(() => (components.height() ?? 6) < 2);
  const { made, ended } = await page.evaluate(() => components.workers());
  expect(made - ended).toBe(1);
});
