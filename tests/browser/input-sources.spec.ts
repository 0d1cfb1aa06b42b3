/**
 * Input sources with the events that a real browser makes: repeats, capture, further buttons, lost
 * focus.
 */
import { browserName } from '../../scripts/browsers/driven-browsers.js';
import { expect, test } from './library-page.js';
import type { TestPage } from '../browsers/test.js';

/** The inputs so far, as text. */
const notesOf = async (page: TestPage, fields: readonly ('x' | 'y' | 'w')[] = []) => {
  const notes = await page.evaluate(() => library.notes);
  return notes.map((note) => [note.kind, note.code, ...fields.map((name) => note[name])].join(' '));
};

test.beforeEach(({ page }) => page.evaluate(() => library.listen()));

test.afterEach(async ({ page }) => {
  const isInOrder = await page.evaluate(() => {
    const stamps = library.notes.map(({ stampMs }) => stampMs);
    stamps.push(performance.now());
    return stamps.every((stampMs, index) => stampMs > 0 && stampMs >= (stamps[index - 1] ?? 0));
  });
  expect(isInOrder).toBe(true);
});

test('the keyboard as an input drops repeats, and leaves the keys of a text field alone', async ({
  page,
}) => {
  await page.keyboard.down('KeyA');
  await page.keyboard.down('KeyA');
  await page.locator('input').focus();
  await page.keyboard.press('KeyB');
  await page.keyboard.up('KeyA');
  expect(await notesOf(page)).toEqual(['keydown 0', 'keyup 0']);
});

test('the keyboard as an input releases its keys when the page loses the focus', async ({
  page,
}) => {
  test.skip(
    browserName === 'firefox',
    'without a window Firefox reports no focus changes to pages',
  );
  await page.keyboard.down('KeyC');
  await page.locator('iframe').focus();
  // Not every browser immediately reports that the focus went elsewhere.
  await page.waitForFunction(() => library.notes.length > 1);
  expect(await notesOf(page)).toEqual(['keydown 2', 'keyup 2']);
});

test('the pointer as an input reports each button, also outside of its target', async ({
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
  await page.waitForFunction(() => library.notes.some(({ kind }) => kind === 'wheel'));
  expect(await notesOf(page, ['x', 'y', 'w'])).toEqual([
    'pointerdown 0 -0.5 0.5 1',
    'pointerdown 2 -0.5 0.5 3',
    'pointermove -1 2 2 3',
    'pointerup 2 2 2 1',
    'pointerup 0 2 2 0',
    'wheel -1 0 30 0',
  ]);
});

test('the pointer as an input keeps a pressed button while it leaves its target', async ({
  page,
}) => {
  const { mouse } = page;
  await mouse.move(150, 125);
  await mouse.down();
  await mouse.move(400, 50);
  await mouse.up();
  // A driver may report the same place twice.
  expect([...new Set(await notesOf(page, ['x', 'y', 'w']))]).toEqual([
    'pointerdown 0 -0.5 0.5 1',
    'pointermove -1 2 2 1',
    'pointerup 0 2 2 0',
  ]);
});
