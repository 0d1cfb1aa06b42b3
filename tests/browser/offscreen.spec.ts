/** A canvas that a worker draws, which has started the simulation itself: three.js on the worker's thread. */
import { expect, test, type TestPage } from '../browsers/test.js';
import type {} from './pages/offscreen.js';

// Firefox has no WebGL without one.
test.use({ hasWindow: true });

const FRAMES = 30;

/** Waits until an expression about the worker is true. */
async function until(page: TestPage, holds: () => Promise<boolean>): Promise<void> {
  while (!(await page.evaluate(holds)));
}

async function open(page: TestPage, starts = false): Promise<void> {
  await page.goto('/tests/browser/pages/offscreen.html');
  await page.waitForFunction(() => 'offscreen' in globalThis);
  test.skip(!(await page.evaluate(() => offscreen.can)), 'this browser has no WebGL 2 in a worker');
  await page.evaluate((isStarted) => offscreen.open(isStarted), starts);
}

test('a worker draws ticks while its page is blocked, with inputs of the page and events at their tick', async ({
  page,
}) => {
  await open(page, true);
  await until(page, async () => ((await offscreen.drawing.words())[1] ?? 0) > 0);
  const passed = await page.evaluate((frames) => offscreen.block(frames), FRAMES);
  expect(passed.frames).toBeGreaterThanOrEqual(FRAMES);
  expect(passed.ticks).toBeGreaterThan(0);

  await page.keyboard.press('KeyA');
  await page.mouse.move(125, 75);
  await page.mouse.down();
  await page.mouse.up();
  await until(page, async () => ((await offscreen.drawing.inputs())?.length ?? 0) >= 4);
  const inputs = await page.evaluate(() => offscreen.drawing.inputs());
  expect(inputs?.map(([kind]) => kind)).toEqual(['keydown', 'keyup', 'pointerdown', 'pointerup']);
  await until(page, async () => (await offscreen.drawing.delivered()).length > 3);
  const delivered = await page.evaluate(() => offscreen.drawing.delivered());
  // When its tick is shown, not when it arrives: the shown tick is written after the events of a frame.
  for (const [of, shown] of delivered) expect(shown).toBeLessThan(of + 10);
  expect(delivered.map(([of]) => of)).toEqual(delivered.map((_, index) => 10 * (index + 1)));
  expect(await page.evaluate(() => offscreen.drawing.state())).toBe('running');
});

test('a press picks what a worker draws there, a drag turns its camera, and it follows the size of the canvas', async ({
  page,
}) => {
  await open(page);
  // The border is not part of it: the canvas begins at (25, 25).
  await page.mouse.move(125, 75);
  await page.mouse.down();
  await page.mouse.up();
  await page.mouse.move(30, 30);
  await page.mouse.down();
  await until(page, async () => (await offscreen.drawing.hits()).length === 2);
  expect(await page.evaluate(() => offscreen.drawing.hits())).toEqual([true, false]);
  const camera = await page.evaluate(() => offscreen.drawing.camera());
  expect(camera).toEqual([0, 0, 5]);
  // Beyond the canvas, because the controls have captured the pointer.
  for (const x of [60, 300]) await page.mouse.move(x, 30);
  await page.mouse.up();
  await until(page, async () => Math.abs((await offscreen.drawing.camera())[0] ?? 0) > 1);
  // Styles that the controls set are the page's.
  expect(await page.evaluate(() => document.querySelector('canvas')?.style.touchAction)).toBe(
    'none',
  );

  const ratio = await page.evaluate(() => devicePixelRatio);
  const size = (width: number, height: number) =>
    expect.objectContaining({
      width,
      height,
      pixelRatio: ratio,
      pixelWidth: Math.round(width * ratio),
      pixelHeight: Math.round(height * ratio),
    });
  expect((await page.evaluate(() => offscreen.drawing.sizes()))[0]).toEqual(size(200, 100));
  await page.evaluate(() => {
    Object.assign((document.querySelector('canvas') as HTMLCanvasElement).style, {
      width: '300px',
    });
  });
  await until(page, async () => (await offscreen.drawing.sizes()).at(-1)?.width === 300);
  expect((await page.evaluate(() => offscreen.drawing.sizes())).at(-1)).toEqual(size(300, 100));
  expect(await page.evaluate(() => offscreen.drawing.bufferSize())).toEqual([
    Math.floor(300 * ratio),
    Math.floor(100 * ratio),
  ]);
});

test.describe('with errors', () => {
  // Each browser reports them in its own words.
  test.use({ expectedConsole: /./ });

  test('a worker that draws pauses its simulation while the page is frozen, and draws again in a restored context', async ({
    page,
  }) => {
    await open(page, true);
    const state = (wanted: string) =>
      page.evaluate(async (is) => {
        while ((await offscreen.drawing.state()) !== is);
      }, wanted);
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })),
    );
    await state('paused');
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await state('running');

    await page.evaluate(() => offscreen.drawing.loseContext());
    await page.waitForFunction(() => offscreen.contexts.length === 1);
    await page.evaluate(() => offscreen.drawing.restoreContext());
    await page.waitForFunction(() => offscreen.contexts.length === 2);
    expect(await page.evaluate(() => offscreen.contexts)).toEqual([true, false]);
    await page.evaluate((frames) => offscreen.block(frames), FRAMES);
    // The middle of the canvas is the box again.
    expect(await page.evaluate(() => offscreen.drawing.middle())).toEqual([255, 0, 0]);
  });

  test('errors of a worker that draws are reported, and its canvas is given away once', async ({
    page,
  }) => {
    await open(page);
    await page.evaluate(() => offscreen.drawing.reject('nothing waits for this'));
    await page.waitForFunction(() => offscreen.errors.length === 1);
    await page.evaluate(() => offscreen.drawing.throwLater('nothing catches this'));
    await page.waitForFunction(() => offscreen.errors.length === 2);
    const [rejected, thrown] = await page.evaluate(() => offscreen.errors);
    expect(rejected).toBe('RangeError: nothing waits for this');
    expect(thrown).toContain('nothing catches this');
    for (const refusal of await page.evaluate(() => offscreen.refusals())) {
      expect(refusal).toContain('replace the element by a new one');
    }
    expect(await page.evaluate(() => offscreen.openMissing())).toMatch(/missing\.js|did not load/);
    await page.evaluate(() => offscreen.given.dispose());
    await page.evaluate(() => offscreen.given.dispose());
  });
});
