/** Keys, pointer, panel and address. */
import type { Page } from '@playwright/test';
import {
  SMALL_PICTURE,
  expect,
  drawingOf,
  openDemo,
  statsOf,
  test,
  waitForFrames,
  waitForPause,
  waitForTicks,
} from './demo-page.js';
import { pointsOf, posesOf, type Point } from './drawn-bodies.js';

test('the demo: pauses, steps, stalls, a hidden page, and a frame limit', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&hud=0&stallMs=600&${SMALL_PICTURE}&frameLimit=30`);
  await test.step('space pauses and resumes, and a point steps one tick', async () => {
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
  await test.step('stalls of the worker are counted and then gone', async () => {
    const { droppedTicks } = await statsOf(page);
    await page.getByRole('button', { name: 'Stall the worker' }).click();
    await expect
      .poll(async () => (await statsOf(page)).droppedTicks)
      .toBeGreaterThan(droppedTicks + 20);
    await waitForTicks(page, 10);
  });
  await test.step('a hidden page pauses and comes back without a fast-forward', () =>
    hideForAWhile(page));
  await test.step('the frame limit holds on any display', async () => {
    const { frames, passedMs } = await page.evaluate(async () => {
      const { betwixt } = globalThis;
      const [fromMs, before] = [
        await new Promise<number>(requestAnimationFrame),
        betwixt.stats().frames,
      ];
      while (betwixt.stats().frames < before + 30) await new Promise<number>(requestAnimationFrame);
      return {
        frames: betwixt.stats().frames - before,
        passedMs: (await new Promise<number>(requestAnimationFrame)) - fromMs,
      };
    });
    // By the frames' own timestamps, so that a display or a machine that is slow makes no
    // difference.
    expect(frames).toBeLessThanOrEqual((passedMs * 30) / 1000 + 2);
  });
});

async function hideForAWhile(page: Page): Promise<void> {
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
  // The ticks run since then, and those that the machine missed: no more than were due since.
  const owed = after.tick + after.droppedTicks - hidden.tick - hidden.droppedTicks;
  expect(owed).toBeLessThanOrEqual((passedMs * 60) / 1000 + 2);
}

test('the demo: a body follows the pointer that grabs it, and the camera does not move', async ({
  page,
}) => {
  await openDemo(
    page,
    'scene=dominoes&bodies=150&quality=medium&shadows=0&hud=0&panel=0&width=480&height=270&frameLimit=30',
  );
  const canvas = await page.locator('#canvas').boundingBox();
  if (canvas === null) throw new Error('no canvas');
  const camera = () =>
    drawingOf(page).evaluate(() => {
      const { position, quaternion } = globalThis.betwixtView?.rig.camera ?? {};
      return [...(position ?? []), ...(quaternion ?? [])];
    });
  const cameraBefore = await camera();
  expect(cameraBefore).toHaveLength(7);
  // The last one is the tallest, and the row reaches it after half a minute.
  const last = (await posesOf(page)).at(-1)?.[0];
  const position = async (): Promise<Point> => {
    const poses = (await posesOf(page)).filter(([id]) => id === last);
    return (await pointsOf(page, poses))[0] ?? { x: Infinity, y: Infinity };
  };
  const height = async (): Promise<number> =>
    (await posesOf(page)).find(([id]) => id === last)?.[1][1] ?? Infinity;
  const target = { x: 0.6 * canvas.width, y: 0.15 * canvas.height };
  const offTarget = async (): Promise<number> => {
    const { x, y } = await position();
    return Math.hypot(x - target.x, y - target.y);
  };
  // It does not move while it is looked for.
  await page.keyboard.press('Space');
  await waitForPause(page);
  await waitForFrames(page, 2);
  const { x, y } = await position();
  expect(await offTarget()).toBeGreaterThan(0.25 * canvas.height);

  await page.mouse.move(canvas.x + x, canvas.y + y);
  await page.mouse.down();
  await page.keyboard.press('Space');
  await page.mouse.move(canvas.x + target.x, canvas.y + target.y, { steps: 8 });
  await expect.poll(offTarget).toBeLessThan(0.06 * canvas.height);
  expect(await camera()).toEqual(cameraBefore);

  const heldAt = await height();
  await page.mouse.up();
  // It is no longer held. Where it falls is not always far from the target in the picture.
  await expect.poll(height).toBeLessThan(heldAt / 2);
  expect((await statsOf(page)).state).toBe('running');
});

test('the demo: keys grab a body, move and release it, and zoom', async ({ page }) => {
  await openDemo(
    page,
    'scene=dominoes&bodies=150&quality=medium&shadows=0&hud=0&panel=0&width=480&height=270&frameLimit=30',
  );
  const canvas = page.locator('#canvas');
  await canvas.focus();
  const distance = () =>
    drawingOf(page).evaluate(() => {
      const { camera, controls } = globalThis.betwixtView?.rig ?? {};
      return camera?.position.distanceTo(controls?.target ?? camera.position) ?? 0;
    });
  const before = await distance();
  await page.keyboard.press('+');
  await expect.poll(distance).toBeLessThan(0.95 * before);
  await page.keyboard.press('-');
  await expect.poll(distance).toBeGreaterThan(0.98 * before);

  const highest = async (): Promise<number> =>
    Math.max(...(await posesOf(page)).map(([, pose]) => pose[1] ?? 0));
  const top = await highest();
  const cursor = () => canvas.evaluate((element) => element.style.cursor);
  await page.keyboard.press('g');
  await expect.poll(cursor).toBe('grabbing');
  for (let press = 0; press < 6; press++) await page.keyboard.press('ArrowUp');
  await expect.poll(highest).toBeGreaterThan(top + 0.5);
  await page.keyboard.press('g');
  await expect.poll(cursor).toBe('');
  await expect.poll(highest).toBeLessThan(top + 0.5);
});

test('the demo: every setting in the panel is in the address, is restored from it, and exposes its state to assistive technology', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&paused=1&panel=1&${SMALL_PICTURE}`);
  const slider = page.getByRole('slider', { name: 'Tick rate' });
  await expect(slider).toHaveAttribute('aria-valuetext', '60');
  await slider.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', '61');

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

  await page.getByLabel('Scene', { exact: true }).selectOption('Heap of mixed shapes');
  const bodies = page.getByRole('slider', { name: 'Bodies' });
  await expect(bodies).toHaveAttribute('aria-valuetext', '1000');

  const stall = page.getByRole('button', { name: 'Stall', exact: true });
  await expect(stall).toHaveAttribute('aria-expanded', 'true');
  await stall.click();
  await expect(stall).toHaveAttribute('aria-expanded', 'false');
  // The longest of the display's labels, next to the longest value.
  const name = page.locator('.numbers dt', { hasText: 'Effective speed' });
  expect(await name.evaluate((dt) => dt.scrollWidth - dt.clientWidth)).toBe(0);
});
