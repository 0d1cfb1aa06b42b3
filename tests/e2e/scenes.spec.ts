/** Every scene loads, moves and is drawn. */
import { SCENE_NAMES } from '../../demo/contract/scene-contract.js';
import {
  LIGHT,
  expect,
  openDemo,
  picture,
  standingPicture,
  statsOf,
  test,
  waitForTicks,
} from './demo-page.js';

for (const scene of SCENE_NAMES) {
  test(`${scene} loads, moves, and is drawn`, async ({ page }) => {
    await openDemo(page, `scene=${scene}&${LIGHT}`);
    const before = await picture(page);
    await waitForTicks(page, 60);
    const after = await picture(page);
    // A blank canvas of this size compresses to under a kilobyte.
    expect(before.length).toBeGreaterThan(3000);
    expect(after.equals(before)).toBe(false);
    const stats = await statsOf(page);
    expect(stats.invalidPoses).toBe(0);
    expect(stats.state).toBe('running');
    expect(stats.frames).toBeGreaterThan(0);
  });
}

test('the whole page, as it comes, shows panel and head-up display', async ({ page }) => {
  await openDemo(page, 'bodies=60');
  await expect(page.getByText('Settings')).toBeVisible();
  await expect(page.locator('.counter-line')).toHaveText(
    /Iterations: \d+ \| Updated: \d+ \| Rendered: \d+ \| Refreshed: \d+/,
    { timeout: 20_000 },
  );
  await expect(page.locator('.u-over').first()).toBeVisible();
});

test('the same seed gives the same scene, restarted at tick 0', async ({ page }) => {
  await openDemo(page, `scene=dominoes&bodies=50&paused=1&${LIGHT}`);
  const first = await standingPicture(page);
  await page.evaluate(() => globalThis.betwixt.step(30));
  await expect.poll(async () => (await picture(page)).equals(first)).toBe(false);
  await page.keyboard.press('r');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(0);
  await expect.poll(async () => (await picture(page)).equals(first)).toBe(true);
});
