/** Driving: held keys go to the ticks as inputs, and are released when the page is left. */
import type { Page } from '@playwright/test';
import {
  LIGHT,
  drawingOf,
  expect,
  expectNotice,
  openDemo,
  test,
  waitForTicks,
} from './demo-page.js';

/** Keys that the run received so far, as kind and count. */
const keysGiven = (page: Page) =>
  drawingOf(page).evaluate(() =>
    globalThis.betwixt
      .recording()
      .entries.flatMap((entry) => (entry.kind === 'input' ? [entry.input.kind] : [])),
  );

/** Where the car is drawn. */
const positionOfCar = (page: Page) =>
  drawingOf(page).evaluate(async () => {
    const { follow } = (await globalThis.betwixt.queries.describe()) ?? {};
    if (follow === undefined) throw new Error('no car');
    const pose = globalThis.betwixt.pose(follow, new Float64Array(7));
    return [...(pose ?? [])].slice(0, 3);
  });

test('the demo, driving: held keys drive, the hint disappears, and keys that are no longer held are released', async ({
  page,
}) => {
  await openDemo(page, `scene=vehicle&bodies=10&${LIGHT}&panel=1`);
  const hint = page.locator('.drive-hint');
  // Not held for longer than a moment, even if the machine is held up: a longer one would count as driving.
  await page.evaluate(() => {
    for (const kind of ['keydown', 'keyup']) {
      const init = { key: 'w', code: 'KeyW', bubbles: true, cancelable: true };
      document.body.dispatchEvent(new KeyboardEvent(kind, init));
    }
  });
  await expect.poll(() => keysGiven(page)).toEqual(['keydown', 'keyup']);
  await waitForTicks(page, 40);
  await expect(hint).toBeVisible();

  await test.step('a held key drives the car, and the hint goes after a while', async () => {
    const from = await positionOfCar(page);
    await page.keyboard.down('w');
    await expect.poll(() => keysGiven(page)).toEqual(['keydown', 'keyup', 'keydown']);
    await expect
      .poll(async () => {
        const to = await positionOfCar(page);
        return Math.hypot(...to.map((value, index) => value - (from[index] ?? 0)));
      })
      .toBeGreaterThan(3);
    await expect(hint).toBeHidden();
  });

  await test.step('losing the focus releases it', async () => {
    const all = ['keydown', 'keyup', 'keydown', 'keyup'];
    await page.evaluate(() => dispatchEvent(new Event('blur')));
    await expect.poll(() => keysGiven(page)).toEqual(all);
    await page.keyboard.up('w');
    await waitForTicks(page, 10);
    expect(await keysGiven(page)).toEqual(all);
  });

  await test.step('a key that is held during a rewind is not held afterwards', async () => {
    await page.keyboard.down('w');
    await expect.poll(async () => (await keysGiven(page)).length).toBe(5);
    await waitForTicks(page, 10);
    await page.keyboard.press('k');
    await expectNotice(page, /Saved: tick/);
    await page.keyboard.up('w');
    await page.keyboard.press('l');
    await expect
      .poll(() =>
        drawingOf(page).evaluate(() => globalThis.betwixt.recording().start !== undefined),
      )
      .toBe(true);
    await expect
      .poll(async () => new Set(await keysGiven(page)))
      .toEqual(new Set(['keyup', 'custom', 'gamepadaxis', 'gamepadbutton']));
  });

  await test.step('the hint comes back with the scene', async () => {
    const scene = page.getByLabel('Scene', { exact: true });
    await scene.selectOption('Spinning tops and a cradle');
    await expect.poll(() => page.evaluate(() => globalThis.betwixt.stats().bodies)).toBe(24);
    await expect(hint).toBeHidden();
    await scene.selectOption('Vehicle');
    await expect(hint).toBeVisible();
  });
});
