/** The demo, drawn by a worker: the same picture and actions, also while the page is blocked. */
import type { Page } from '@playwright/test';
import { SCENE_NAMES } from '../../demo/contract/scene-contract.js';
import {
  CLEAR,
  LIGHT,
  SMALL_PICTURE,
  drawingOf,
  expect,
  expectNotice,
  openDemo,
  screenshot,
  settledImage,
  statsOf,
  test,
  step,
  waitForFrames,
  waitForPause,
  waitForTicks,
} from './demo-page.js';
import { differenceOf, leaveOut, movedBetween, pointsOf, posesOf } from './drawn-bodies.js';

const WORKER = 'render=worker';
/** Presses *Stall the page*. @returns How many frames were drawn in that time. */
async function framesOfStall(page: Page): Promise<number> {
  await drawingOf(page).evaluate(() => {
    const { betwixt } = globalThis;
    const state = globalThis as { stamps?: number[] };
    if (state.stamps !== undefined) return;
    const stamps: number[] = [];
    state.stamps = stamps;
    const sample = betwixt.sample.bind(betwixt);
    betwixt.sample = (stampMs) => {
      stamps.push(performance.timeOrigin + performance.now());
      return sample(stampMs);
    };
  });
  const [startMs, endMs] = await page.evaluate(() => {
    const button = [...document.querySelectorAll('button')].find(
      ({ textContent }) => textContent === 'Stall the page',
    );
    const start = performance.timeOrigin + performance.now();
    button?.click();
    return [start, performance.timeOrigin + performance.now()] as const;
  });
  return drawingOf(page).evaluate(
    ([from, to]) =>
      (globalThis as { stamps?: number[] }).stamps?.filter((ms) => ms > from && ms < to).length ??
      0,
    [startMs, endMs] as const,
  );
}

for (const render of ['page', 'worker'] as const) {
  test(`the demo, drawn by a ${render}: a stalled page ${render === 'page' ? 'stops' : 'does not stop'} the picture`, async ({
    page,
  }) => {
    await openDemo(
      page,
      `render=${render}&scene=tops&bodies=6&stallMs=2000&hud=0&panel=1&${SMALL_PICTURE}`,
    );
    if (render === 'page') {
      expect(await framesOfStall(page)).toBe(0);
      return;
    }
    // A busy machine may give no processor to the worker for as long as a stall lasts.
    await expect.poll(() => framesOfStall(page)).toBeGreaterThan(0);
  });
}

for (const scene of SCENE_NAMES) {
  test(`the demo, drawn by a worker: ${scene} moves, and is drawn where its bodies are`, async ({
    page,
  }) => {
    const few = scene === 'heap' ? 'bodies=100&' : '';
    await openDemo(page, `${WORKER}&scene=${scene}&${few}paused=1&${CLEAR}`);
    await step(page, 5);
    const before = await posesOf(page);
    await step(page, 30);
    const whole = await settledImage(page);
    const moved = movedBetween(before, await posesOf(page));
    expect(moved.length).toBeGreaterThan(0);
    // The picture without one of those that have moved differs, if that one is in front.
    const points = await pointsOf(page, moved);
    const ids = moved.flatMap(([id], index) => (points[index] === undefined ? [] : [id]));
    let seen = 0;
    for (const id of ids.slice(0, 24)) {
      await leaveOut(page, id);
      const without = await settledImage(page);
      if ((await differenceOf(page, whole, without)) !== undefined) seen += 1;
      if (seen > 0) break;
    }
    expect(seen).toBeGreaterThan(0);
  });
}

test('the demo, drawn by a worker: a body follows the pointer, keys grab and shoot, and a drag orbits', async ({
  page,
}) => {
  await openDemo(
    page,
    `${WORKER}&scene=dominoes&bodies=150&quality=medium&shadows=0&hud=0&panel=0&width=480&height=270&frameLimit=30`,
  );
  const box = await page.locator('#canvas').boundingBox();
  if (box === null) throw new Error('no canvas');
  const cursor = () => page.locator('#canvas').evaluate((element) => element.style.cursor);
  const last = (await posesOf(page)).at(-1);
  if (last === undefined) throw new Error('no bodies');
  const place = async () => {
    const poses = (await posesOf(page)).filter(([id]) => id === last[0]);
    return (await pointsOf(page, poses))[0] ?? { x: Infinity, y: Infinity };
  };
  await test.step('the pointer', async () => {
    // It does not move while it is looked for.
    await page.keyboard.press('Space');
    await waitForPause(page);
    await waitForFrames(page, 2);
    const { x, y } = await place();
    const target = { x: 0.6 * box.width, y: 0.15 * box.height };
    await page.mouse.move(box.x + x, box.y + y);
    await page.mouse.down();
    await expect.poll(cursor).toBe('grabbing');
    await page.keyboard.press('Space');
    await page.mouse.move(box.x + target.x, box.y + target.y, { steps: 8 });
    await expect
      .poll(async () => Math.hypot((await place()).x - target.x, (await place()).y - target.y))
      .toBeLessThan(0.1 * box.height);
    await page.mouse.up();
    await expect.poll(cursor).not.toBe('grabbing');
  });
  await test.step('keys', async () => {
    await page.keyboard.press('g');
    await expect.poll(cursor).toBe('grabbing');
    await page.keyboard.press('Escape');
    await expect.poll(cursor).not.toBe('grabbing');
    const { bodies } = await statsOf(page);
    await page.keyboard.press('f');
    await expect.poll(async () => (await statsOf(page)).bodies).toBe(bodies + 1);
  });
  await test.step('the camera', async () => {
    const camera = () =>
      drawingOf(page).evaluate(() => globalThis.betwixtView?.rig.camera.position.x);
    const before = (await camera()) ?? 0;
    await page.mouse.move(box.x + 10, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 120, box.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => Math.abs(((await camera()) ?? 0) - before)).toBeGreaterThan(1);
  });
});

test('the demo, drawn by a worker: the split view, another window, and a context that is lost', async ({
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 360 });
  await openDemo(page, `${WORKER}&scene=tops&bodies=6&split=1&hud=0&panel=0&quality=low`);
  await expect(page.getByText('current state only')).toBeVisible();
  const width = () => drawingOf(page).evaluate(() => globalThis.betwixtView?.element.clientWidth);
  expect(await width()).toBe(640);
  await page.setViewportSize({ width: 500, height: 360 });
  await expect.poll(width).toBe(500);
  // The divider is in the middle of the canvas.
  await expect.poll(async () => (await page.locator('.split-view').boundingBox())?.width).toBe(500);
  await page.keyboard.press('Space');
  await waitForPause(page);
  // They lie over the picture, and disappear after a while. No new ones come in a pause.
  await expect(page.locator('.notice')).toHaveCount(0);
  await waitForFrames(page, 3);
  const before = await settledImage(page);
  await drawingOf(page).evaluate(() => globalThis.betwixtView?.loseContext());
  await expectNotice(page, /graphics context was lost/);
  await drawingOf(page).evaluate(() => globalThis.betwixtView?.restoreContext());
  await expect.poll(async () => (await screenshot(page)).equals(before)).toBe(true);
});

test('the demo, drawn by a worker: quick saves, a recording, and measurements', async ({
  page,
}) => {
  await openDemo(page, `${WORKER}&scene=tower&bodies=60&hud=1&panel=1&${SMALL_PICTURE}`);
  await page.keyboard.press('k');
  await expectNotice(page, /Saved: tick/);
  await waitForTicks(page, 30);
  await page.keyboard.press('l');
  await expectNotice(page, /Loaded: tick/);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save recording' }).click();
  const path = await (await downloading).path();
  await page.getByLabel('Recording to load').setInputFiles(path);
  await expect(page.locator('#replay')).toContainText(/Replay · tick \d+ of \d+/);
  await page.locator('#replay').getByRole('button', { name: 'Take over' }).click();
  await expect(page.locator('#replay')).toBeHidden();
  await waitForTicks(page, 5);
  await expect(page.locator('[data-measure=quality]')).toContainText('medium');
  await expect(page.locator('.counter-line')).toContainText(/Iterations: [1-9]/);
});

test('the demo: the panel chooses who draws, and says where a worker cannot', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&hud=0&panel=1&${SMALL_PICTURE}`);
  expect(drawingOf(page)).toBe(page);
  await page.getByLabel('Drawn by').selectOption('a worker');
  await expect.poll(() => drawingOf(page) === page).toBe(false);
  expect(page.url()).toContain('render=worker');
  await page.waitForFunction(() => globalThis.betwixt?.stats().tick > 5);
  await page.getByLabel('Drawn by').selectOption('the page');
  await expect.poll(() => drawingOf(page) === page).toBe(true);

  const script = await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'OffscreenCanvas', { value: undefined });
  });
  await openDemo(page, `${WORKER}&scene=tops&bodies=6&hud=0&panel=1&${SMALL_PICTURE}`);
  await expectNotice(page, /cannot draw in a worker/);
  expect(drawingOf(page)).toBe(page);
  await expect(page.getByLabel('Drawn by')).toContainText('a worker: not in this browser');
  await script.dispose();
});

test('the demo, drawn by a worker: a page that is hidden pauses it', async ({ page }) => {
  await openDemo(page, `${WORKER}&scene=tops&bodies=6&${LIGHT}`);
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await hide(true);
  await expect.poll(async () => (await statsOf(page)).state).toBe('paused');
  await hide(false);
  await expect.poll(async () => (await statsOf(page)).state).toBe('running');
});
