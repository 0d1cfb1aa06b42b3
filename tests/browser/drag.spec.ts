/** Bodies that pointers drag, next to camera controls on the same element. */
import { expect, test, type TestPage } from '../browsers/test.js';
import type {} from './pages/drag.js';

/** The camera looks at the origin from z = 10, with a view of 90°: a unit at z = 1, the front of the box, is 22 px. */
const CENTER = 200;
const UNIT_PX = 200 / 9;

test.beforeEach(async ({ page }) => {
  await page.goto('/tests/browser/pages/drag.html');
  await page.waitForFunction(() => 'dragged' in globalThis && dragged.isRunning());
});

/** Presses at one place of the scene and moves to another, in units of the front of the box. */
async function drag(page: TestPage, from: readonly number[], to: readonly number[]): Promise<void> {
  const at = ([x = 0, y = 0]: readonly number[], share = 1, [x0 = 0, y0 = 0] = from) =>
    [
      CENTER + UNIT_PX * (x0 + share * (x - x0)),
      CENTER - UNIT_PX * (y0 + share * (y - y0)),
    ] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  for (let step = 1; step <= 5; step++) await page.mouse.move(...at(to, step / 5));
}

test('a body follows the pointer that drags it while the camera stays, and next to it the camera moves', async ({
  page,
}) => {
  const camera = await page.evaluate(() => dragged.camera());
  // The place that was pressed follows, about which the body may turn: its center is 1.1 away.
  await drag(page, [0.5, 0], [4.5, 3]);
  await page.waitForFunction(() => {
    const [x = 0, y = 0] = dragged.box();
    return Math.hypot(x - 4.5, y - 3) < 1.2;
  });
  expect(await page.evaluate(() => [dragged.bodies(), dragged.joints()])).toEqual([6, 1]);
  await page.mouse.up();
  await page.waitForFunction(() => dragged.joints() === 0 && dragged.bodies() === 5);
  expect(await page.evaluate(() => dragged.camera())).toEqual(camera);

  // Instances too.
  await drag(page, [5, -5], [2, -5]);
  await page.waitForFunction(() => Math.abs((dragged.instance(1)[0] ?? 0) - 2) < 1.2);
  await page.mouse.up();
  // The box, which flies since its release, may have pushed the other one away, but that one did not follow the pointer.
  const other = await page.evaluate(() => dragged.instance(0)[0] ?? 2);
  expect(Math.abs(other - 2)).toBeGreaterThan(1.2);
  expect(await page.evaluate(() => dragged.camera())).toEqual(camera);

  // Nothing is there.
  await drag(page, [-4, 0], [-2, 0]);
  await page.mouse.up();
  expect(await page.evaluate(() => dragged.camera())).not.toEqual(camera);
});

test('a fixed body leaves the pointer to the camera, and so do all bodies after the end of dragging', async ({
  page,
}) => {
  const camera = await page.evaluate(() => dragged.camera());
  await drag(page, [-5, 5], [-4, 5]);
  await page.mouse.up();
  const turned = await page.evaluate(() => dragged.camera());
  expect(turned).not.toEqual(camera);
  expect(await page.evaluate(() => dragged.wall())).toEqual([-5, 5, 0]);

  // In the middle of a drag: it ends, and the next press turns the camera.
  await drag(page, [0, 0], [1, 0]);
  expect(await page.evaluate(() => dragged.joints())).toBe(1);
  await page.evaluate(() => dragged.end());
  await page.waitForFunction(() => dragged.joints() === 0);
  await page.mouse.up();
  expect(await page.evaluate(() => dragged.camera())).toEqual(turned);
  await drag(page, [0, 0], [1, 0]);
  await page.mouse.up();
  expect(await page.evaluate(() => dragged.joints())).toBe(0);
  expect(await page.evaluate(() => dragged.camera())).not.toEqual(turned);
  expect(await page.evaluate(() => dragged.restoresTouch())).toBe(true);
});

test('a body that is removed while it is dragged does not end the dragging of others', async ({
  page,
}) => {
  await drag(page, [0, 0], [2, 0]);
  await page.evaluate(() => dragged.removeBox());
  await page.mouse.move(CENTER, CENTER);
  await page.mouse.up();
  await page.waitForFunction(() => dragged.bodies() === 4 && dragged.joints() === 0);
  await drag(page, [5, -5], [2, -5]);
  await page.waitForFunction(() => Math.abs((dragged.instance(1)[0] ?? 0) - 2) < 1.2);
  await page.mouse.up();
});
