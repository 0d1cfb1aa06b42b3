/**
 * Input sources with the events that a real browser makes: repeats, capture, further buttons, lost
 * focus.
 */
import type * as Gamepads from '../../src/render-main/inputs/gamepad-source.js';
import type * as Keyboards from '../../src/render-main/inputs/keyboard-source.js';
import type * as Pointers from '../../src/render-main/inputs/pointer-source.js';
import type { InputValues } from '../../src/shared/input/input-event.js';
import { browserName } from '../../scripts/browsers/driven-browsers.js';
import { expect, test } from './library-page.js';

/** The recorded fields of every input. */
interface Noted {
  readonly notes: (InputValues & { readonly stampMs: number })[];
}

/** Sources on a pad of 200 × 100 pixels at (100, 100), above a field and a frame. */
test.beforeEach(async ({ page }) => {
  await page.evaluate(async (folder) => {
    document.body.innerHTML = `
      <div id="pad" style="position: fixed; left: 100px; top: 100px; width: 200px; height: 100px"></div>
      <input style="position: fixed; top: 300px" /><iframe style="position: fixed; top: 400px"></iframe>`;
    const { keyboardSource }: typeof Keyboards = await import(`${folder}/keyboard-source.ts`);
    const { pointerSource }: typeof Pointers = await import(`${folder}/pointer-source.ts`);
    const { gamepadSource }: typeof Gamepads = await import(`${folder}/gamepad-source.ts`);
    const notes: Noted['notes'] = [];
    const push = (input: InputValues, stampMs: number) => notes.push({ ...input, stampMs }) > 0;
    const target = document.querySelector<HTMLElement>('#pad');
    if (target === null) throw new Error('the page has no pad');
    keyboardSource({ push });
    pointerSource({ push }, { target });
    gamepadSource({ push }).poll(performance.now());
    Object.assign(globalThis, { notes });
  }, '/src/render-main/inputs');
});

test.afterEach(async ({ page }) => {
  const isInOrder = await page.evaluate(() => {
    const stamps = (globalThis as unknown as Noted).notes.map(({ stampMs }) => stampMs);
    stamps.push(performance.now());
    return stamps.every((stampMs, index) => stampMs > 0 && stampMs >= (stamps[index - 1] ?? 0));
  });
  expect(isInOrder).toBe(true);
});

test('input sources: keys: repeats are dropped, and fields keep theirs', async ({ page }) => {
  await page.keyboard.down('KeyA');
  await page.keyboard.down('KeyA');
  await page.locator('input').focus();
  await page.keyboard.press('KeyB');
  await page.keyboard.up('KeyA');
  const notes = await page.evaluate(() => (globalThis as unknown as Noted).notes);
  expect(notes.map(({ kind, code }) => [kind, code])).toEqual([
    ['keydown', 0],
    ['keyup', 0],
  ]);
});

test('input sources: keys: a lost focus releases them', async ({ page }) => {
  test.skip(
    browserName === 'firefox',
    'without a window Firefox reports no focus changes to pages',
  );
  await page.keyboard.down('KeyC');
  await page.locator('iframe').focus();
  // Not every browser immediately reports that the focus went elsewhere.
  await page.waitForFunction(() => (globalThis as unknown as Noted).notes.length > 1);
  const notes = await page.evaluate(() => (globalThis as unknown as Noted).notes);
  expect(notes.map(({ kind, code }) => [kind, code])).toEqual([
    ['keydown', 2],
    ['keyup', 2],
  ]);
});

test('input sources: pointers: buttons one by one, also outside of the target', async ({
  page,
}) => {
  test.skip(browserName === 'webkit', 'the mouse of its driver knows one button at a time');
  const { mouse } = page;
  await mouse.move(150, 125);
  await mouse.down();
  await mouse.down({ button: 'right' });
  await mouse.move(400, 50);
  await mouse.up({ button: 'right' });
  await mouse.up();
  await mouse.move(200, 150);
  await mouse.wheel(0, 30);
  await page.waitForFunction(() =>
    (globalThis as unknown as Noted).notes.some(({ kind }) => kind === 'wheel'),
  );
  const notes = await page.evaluate(() => (globalThis as unknown as Noted).notes);
  expect(notes.map(({ kind, code, x, y, w }) => [kind, code, x, y, w])).toEqual([
    ['pointerdown', 0, -0.5, 0.5, 1],
    ['pointerdown', 2, -0.5, 0.5, 3],
    ['pointermove', -1, 2, 2, 3],
    ['pointerup', 2, 2, 2, 1],
    ['pointerup', 0, 2, 2, 0],
    ['wheel', -1, 0, 30, 0],
  ]);
});

test('input sources: pointers: one button, held while it leaves the target', async ({ page }) => {
  const { mouse } = page;
  await mouse.move(150, 125);
  await mouse.down();
  await mouse.move(400, 50);
  await mouse.up();
  const notes = await page.evaluate(() => (globalThis as unknown as Noted).notes);
  // A driver may report the same place twice.
  const kinds = notes.map(({ kind, code, x, y, w }) => [kind, code, x, y, w].join(' '));
  expect([...new Set(kinds)]).toEqual([
    'pointerdown 0 -0.5 0.5 1',
    'pointermove -1 2 2 1',
    'pointerup 0 2 2 0',
  ]);
});
