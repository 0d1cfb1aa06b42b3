/** Keys, pointer, panel and address. */
import {
  LIGHT,
  SMALL_PICTURE,
  expect,
  openDemo,
  statsOf,
  test,
  waitForPause,
  waitForTicks,
} from './demo-page.js';
import { placesOf, posesOf, type Place } from './drawn-bodies.js';

test('the demo: space pauses and resumes, and a point steps one tick', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&${LIGHT}`);
  await page.keyboard.press('Space');
  await waitForPause(page);
  const { tick } = await statsOf(page);
  await page.keyboard.press('.');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(tick + 1);
  await page.keyboard.press('.');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(tick + 2);
  await page.keyboard.press('Space');
  await expect.poll(async () => (await statsOf(page)).state).toBe('running');
  await waitForTicks(page, 5);
});

test('the demo: F shoots a ball', async ({ page }) => {
  await openDemo(page, `scene=tower&bodies=60&${LIGHT}`);
  const { bodies } = await statsOf(page);
  await page.locator('#canvas').hover();
  await page.keyboard.press('f');
  await expect.poll(async () => (await statsOf(page)).bodies).toBe(bodies + 1);
});

test('the demo: a body follows the pointer that grabs it, and the camera stands still', async ({
  page,
}) => {
  await openDemo(page, 'scene=dominoes&bodies=150&shadows=0&hud=0&panel=0&width=480&height=270');
  const canvas = await page.locator('#canvas').boundingBox();
  if (canvas === null) throw new Error('no canvas');
  const camera = () =>
    page.evaluate(() => {
      const { position, quaternion } = globalThis.betwixtView?.rig.camera ?? {};
      return [...(position ?? []), ...(quaternion ?? [])];
    });
  const cameraBefore = await camera();
  expect(cameraBefore).toHaveLength(7);
  // The last one is the tallest, and the row comes to it after half a minute.
  const last = (await posesOf(page)).at(-1)?.[0];
  const place = async (): Promise<Place> => {
    const poses = (await posesOf(page)).filter(([id]) => id === last);
    return (await placesOf(page, poses))[0] ?? { x: Infinity, y: Infinity };
  };
  const target = { x: 0.6 * canvas.width, y: 0.15 * canvas.height };
  const offTarget = async (): Promise<number> => {
    const { x, y } = await place();
    return Math.hypot(x - target.x, y - target.y);
  };
  const { x, y } = await place();
  expect(await offTarget()).toBeGreaterThan(0.25 * canvas.height);

  await page.mouse.move(canvas.x + x, canvas.y + y);
  await page.mouse.down();
  await page.mouse.move(canvas.x + target.x, canvas.y + target.y, { steps: 8 });
  await expect.poll(offTarget).toBeLessThan(0.06 * canvas.height);
  expect(await camera()).toEqual(cameraBefore);

  await page.mouse.up();
  // Nothing holds it up any more.
  await expect.poll(offTarget).toBeGreaterThan(0.15 * canvas.height);
  expect((await statsOf(page)).state).toBe('running');
});

test('the demo: everything in the panel is in the address, and comes back from it', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&hud=0&${SMALL_PICTURE}`);
  const rate = page.getByLabel('Tick rate, Hz', { exact: true });
  await rate.fill('30');
  await rate.press('Enter');
  await expect.poll(async () => (await statsOf(page)).tickRateHz).toBe(30);
  await page.getByLabel('Interpolation').selectOption('none');
  await page.getByLabel('Split view').focus();
  await page.keyboard.press('Space');
  await expect.poll(() => page.url()).toContain('tickHz=30');
  await expect.poll(() => page.url()).toContain('interpolation=none');
  await expect.poll(() => page.url()).toContain('split=1');
  await page.reload();
  await expect
    .poll(async () => page.evaluate(() => globalThis.betwixt?.stats().tickRateHz))
    .toBe(30);
  expect((await statsOf(page)).interpolation).toBe('none');
});

test('the demo: a frame limit holds on any display', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&frameLimit=30&${LIGHT}`);
  const { frames, passedMs } = await page.evaluate(async () => {
    const { betwixt } = globalThis;
    const [fromMs, before] = [
      await new Promise<number>(requestAnimationFrame),
      betwixt.stats().frames,
    ];
    while (betwixt.stats().frames < before + 45) await new Promise<number>(requestAnimationFrame);
    return {
      frames: betwixt.stats().frames - before,
      passedMs: (await new Promise<number>(requestAnimationFrame)) - fromMs,
    };
  });
  // By the frames' own stamps, so that a display or a machine that is slow makes no difference.
  expect(frames).toBeLessThanOrEqual((passedMs * 30) / 1000 + 2);
});

test('the demo: stalls of the worker are counted and left behind', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&hud=0&stallMs=600&${SMALL_PICTURE}`);
  await page.getByRole('button', { name: 'Stall the worker' }).click();
  await expect.poll(async () => (await statsOf(page)).droppedTicks).toBeGreaterThan(20);
  await waitForTicks(page, 10);
});

test('the demo: split view labels both halves', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&tickHz=10&split=1&paused=1&${LIGHT}`);
  await expect(page.getByText('current state only')).toBeVisible();
  await expect(page.getByText('interpolated', { exact: true })).toBeVisible();
});

test('the demo: sliders and folders tell assistive technology how they stand', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&paused=1&panel=1&${SMALL_PICTURE}`);
  const rate = page.getByRole('slider', { name: 'Tick rate' });
  await expect(rate).toHaveAttribute('aria-valuetext', '60');
  await rate.press('ArrowRight');
  await expect(rate).toHaveAttribute('aria-valuetext', '61');

  await page.getByLabel('Scene', { exact: true }).selectOption('Heap of mixed shapes');
  const bodies = page.getByRole('slider', { name: 'Bodies' });
  await expect(bodies).toHaveAttribute('aria-valuetext', '1000');

  const stall = page.getByRole('button', { name: 'Stall', exact: true });
  await expect(stall).toHaveAttribute('aria-expanded', 'true');
  await stall.click();
  await expect(stall).toHaveAttribute('aria-expanded', 'false');
  // The longest of the display's labels, beside the longest value.
  const name = page.locator('.numbers dt', { hasText: 'Effective speed' });
  expect(await name.evaluate((dt) => dt.scrollWidth - dt.clientWidth)).toBe(0);
});
