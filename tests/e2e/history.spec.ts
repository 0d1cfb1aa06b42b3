/** Recordings, saved states, and going back. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  LIGHT,
  SMALL_PICTURE,
  rebuilds,
  expect,
  expectNotice,
  openDemo,
  screenshot,
  settledImage,
  statsOf,
  test,
  waitForFrames,
  waitForPause,
  waitForTicks,
} from './demo-page.js';

/** With the panel open, whatever the window. */
const WITH_PANEL = `hud=0&panel=1&${SMALL_PICTURE}`;

/**
 * Plays this many ticks with a shot, and saves the recording.
 *
 * @returns The path of the file, and its name.
 */
async function record(
  page: Page,
  ticks: number,
): Promise<{ readonly path: string; readonly name: string }> {
  await page.locator('#canvas').hover();
  await page.keyboard.press('f');
  await waitForTicks(page, ticks);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save recording' }).click();
  const download = await downloading;
  return { path: await download.path(), name: download.suggestedFilename() };
}

const load = (page: Page, file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.getByLabel('Recording to load').setInputFiles(file);

const bodiesOf = async (page: Page): Promise<number> => (await statsOf(page)).bodies;

test('the demo: a recording with a shot, saved and loaded, replays identically; a damaged one is refused', async ({
  page,
}) => {
  await openDemo(page, `scene=tower&bodies=60&${WITH_PANEL}`);
  const bodies = await bodiesOf(page);
  const { path, name } = await record(page, 60);
  expect(name).toMatch(/^betwixt-tower-\d+\.btwr$/);
  const banner = page.locator('#replay');
  await expect(banner).toBeHidden();

  await test.step('a damaged one is refused with the reason, and the scene continues', async () => {
    const bytes = await readFile(path);
    const last = bytes.length - 1;
    bytes.writeUInt8(bytes.readUInt8(last) ^ 1, last);
    await load(page, { name: 'damaged.btwr', mimeType: '', buffer: bytes });
    await expectNotice(page, /damaged/i);
    await load(page, {
      name: 'other.btwr',
      mimeType: '',
      buffer: Buffer.from('a text, no recording'),
    });
    await expectNotice(page, /^(?!.*damaged).*recording/i);
    await expect(banner).toBeHidden();
    expect((await statsOf(page)).state).toBe('running');
    await waitForTicks(page, 5);
  });
  // The run that is shown afterwards has one body less.
  await rebuilds(page, () => page.keyboard.press('r'));
  await expect.poll(() => bodiesOf(page)).toBe(bodies);

  await load(page, path);
  await expect(banner).toContainText(/Replay · tick \d+ of \d+/);
  await expect(banner).toContainText(/Identical: \d+ hash(?:es)? compared/);
  expect(await bodiesOf(page)).toBe(bodies + 1);
  expect((await statsOf(page)).state).toBe('paused');

  await page.getByLabel('Tick of the replay').fill('2');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(2);
  await expect(banner).not.toContainText('Identical');

  await banner.getByRole('button', { name: 'Close' }).click();
  await expect(banner).toBeHidden();
  await expect.poll(() => bodiesOf(page)).toBe(bodies);
  await waitForTicks(page, 5);

  await test.step('an error in one of its steps closes it, and the scene is back', async () => {
    await load(page, path);
    await expect(banner).toContainText('Identical');
    await page.getByLabel('Tick of the replay').fill('2');
    await expect.poll(async () => (await statsOf(page)).tick).toBe(2);
    await page.getByRole('button', { name: 'Faults' }).click();
    await page.getByRole('button', { name: 'Throw in a tick' }).click();
    await banner.getByRole('button', { name: 'Play' }).click();
    await expectNotice(page, /threw in tick 3 of the recording.*The previous run was restored/);
    await expect(banner).toBeHidden();
    await expect.poll(() => bodiesOf(page)).toBe(bodies);
    await waitForTicks(page, 5);
    await expect(page.locator('#fault')).toBeHidden();
  });
});

test('the demo: a recording of the other engine build is shown with that build', async ({
  page,
}) => {
  await openDemo(page, `scene=tower&bodies=60&engine=deterministic&${WITH_PANEL}`);
  // A state is hashed every 60 ticks.
  const { path } = await record(page, 60);
  await openDemo(page, `scene=tops&bodies=6&${WITH_PANEL}`);
  await load(page, path);
  await expect(page.locator('#replay')).toContainText('Identical');
  await expect.poll(() => page.url()).toContain('engine=deterministic');
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#replay')).toBeHidden();
  await waitForTicks(page, 5);
  expect(await page.getByLabel('Scene', { exact: true }).inputValue()).toBe(
    'Tower and wrecking ball',
  );
});

test('the demo: quick load returns to the saved tick, without the later shot', async ({ page }) => {
  await openDemo(page, `scene=tower&bodies=60&paused=1&${LIGHT}`);
  await page.keyboard.press('.');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(1);
  const bodies = await bodiesOf(page);
  await page.keyboard.press('k');
  await expectNotice(page, /Saved: tick 1/);
  // A frame of exactly that tick: the display of a running simulation is a little behind it.
  await page.keyboard.press('l');
  await expectNotice(page, /Loaded: tick 1/);
  await waitForFrames(page, 2);
  const saved = await settledImage(page);

  // The shot waits for a tick, and the page does not.
  await page.keyboard.press('f');
  expect(await bodiesOf(page)).toBe(bodies);
  await page.keyboard.press('.');
  await expect.poll(() => bodiesOf(page)).toBe(bodies + 1);
  await page.evaluate(() => globalThis.betwixt.step(10));
  expect((await settledImage(page)).equals(saved)).toBe(false);

  await page.keyboard.press('l');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(1);
  await expect.poll(async () => (await screenshot(page)).equals(saved)).toBe(true);
  expect(await bodiesOf(page)).toBe(bodies);
  await page.keyboard.press('Space');
  await waitForTicks(page, 5);
});

test('the demo: rewinding goes back by the seconds of the slider and continues from there', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&tickHz=60&${WITH_PANEL}`);
  await waitForTicks(page, 75);
  await page.keyboard.press('Space');
  await waitForPause(page);
  const { tick } = await statsOf(page);
  const rewind = page.getByLabel('Rewind, s', { exact: true });
  await rewind.fill('-1');
  await rewind.press('Enter');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(tick - 60);
  await expect(rewind).toHaveValue('0.0');
  await rewind.blur();
  await page.keyboard.press('Space');
  await waitForTicks(page, 5);
  expect(await page.evaluate(() => globalThis.betwixt.replay)).toBeUndefined();
});
