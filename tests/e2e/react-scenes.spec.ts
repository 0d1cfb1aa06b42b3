/** The scenes for React: each moves on both libraries, with a clean console, and does what it is for. */
import { expect, test } from './demo-page.js';
import { instanceChecks } from './react-scenes/instance-checks.js';
import { motionChecks } from './react-scenes/motion-checks.js';
import { expectMotion, openScene } from './react-scenes/opened-scene.js';
import { eventChecks } from './react-scenes/event-checks.js';
import { jointChecks } from './react-scenes/joint-checks.js';
import type { SceneChecks } from './react-scenes/scene-check.js';
import { settingChecks } from './react-scenes/setting-checks.js';
import { shapeChecks } from './react-scenes/shape-checks.js';

const checks: SceneChecks = {
  ...eventChecks,
  ...instanceChecks,
  ...jointChecks,
  ...motionChecks,
  ...settingChecks,
  ...shapeChecks,
};

// Fiber's clock, and how the peer starts its engine.
test.use({ expectedConsole: /THREE\.Clock|using deprecated parameters for the initialization/ });

for (const [name, { shows, check, move = expectMotion, isOnlyBetwixt }] of Object.entries(checks)) {
  test(`${name}: ${shows}`, async ({ page }) => {
    const scene = await openScene(page, name);
    await test.step('it moves', () => move(page, 'betwixt'));
    await test.step(shows, async () => check?.(scene));
    const peer = page.getByRole('radio', { name: '@react-three/rapier' });
    if (isOnlyBetwixt === true) {
      await expect(peer).toBeDisabled();
      return;
    }
    await peer.check();
    await page.waitForFunction(() => globalThis.reactScene.rapier !== undefined);
    await test.step('it moves on the peer', () => move(page, 'rapier'));
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
}

test('the page: a scene and a library are chosen in the address, and both run side by side', async ({
  page,
}) => {
  const scene = await openScene(page, 'cradle');
  await page.getByRole('radio', { name: 'Side by side' }).check();
  await page.waitForFunction(
    () =>
      globalThis.reactScene.rapier !== undefined &&
      (globalThis.reactScene.betwixt?.world?.frame.newestTick ?? 0) > 5,
  );
  const canvases = page.locator('canvas');
  await expect(canvases).toHaveCount(2);
  // This window is as narrow as a phone: one is below the other.
  const bottom = async (index: number) => {
    const box = await canvases.nth(index).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? Infinity);
  };
  await expect.poll(() => bottom(1)).toBeLessThanOrEqual(420);
  expect(await bottom(0)).toBeLessThan(await bottom(1));
  expect(page.url()).toContain('?scene=cradle&library=both');
  await page.getByRole('link', { name: 'rope joint' }).click();
  await expect(page.getByRole('heading', { name: 'Rope joint' })).toBeVisible();
  expect(page.url()).toContain('?scene=rope-joint&library=both');
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Cradle' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'betwixt', exact: true })).toBeChecked();
  await expect(page.locator('canvas')).toHaveCount(1);
  await expect.poll(() => scene.tick()).toBeGreaterThan(5);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});

test('the page: keys pause, step, and show the colliders', async ({ page }) => {
  const scene = await openScene(page, 'cradle');
  const lines = () =>
    page.evaluate(() => {
      let count = 0;
      globalThis.reactScene.betwixt?.state.scene.traverse((object) => {
        if ('isLineSegments' in object) count++;
      });
      return count;
    });
  await expect(page.getByRole('button', { name: 'Step' })).toBeDisabled();
  await page.keyboard.press('p');
  const isPaused = () =>
    page.evaluate(() => globalThis.reactScene.betwixt?.simulation?.stats().state === 'paused');
  await expect.poll(isPaused).toBe(true);
  await scene.steps(1);
  const before = await scene.tick();
  await page.keyboard.press('.');
  await page.keyboard.press('.');
  await expect.poll(() => scene.tick()).toBe(before + 2);
  expect(await lines()).toBe(0);
  await page.keyboard.press('g');
  await expect.poll(lines).toBeGreaterThan(0);
  await page.keyboard.press('r');
  await page.waitForFunction(
    (tick) => (globalThis.reactScene.betwixt?.world?.frame.newestTick ?? tick) < tick,
    before,
  );
  expect(await isPaused()).toBe(true);
  await page.keyboard.press('p');
  await expect.poll(isPaused).toBe(false);
  await expect.poll(() => scene.tick()).toBeGreaterThan(before);
});

test('the menu has all scenes, and every scene a check', async ({ page }) => {
  await openScene(page, 'plinko');
  const links = page.getByRole('navigation').getByRole('link');
  const names = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('scene')),
  );
  expect(names.toSorted()).toEqual(Object.keys(checks).toSorted());
});
