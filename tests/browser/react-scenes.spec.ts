/** Five of the scenes for React, in every browser: each opens, is drawn in motion, and has a clean console. */
import type {} from '../../examples/react/src/side.js';
import { expect, needWebGL, test, watchConsole } from '../browsers/test.js';
import type { TestPage } from '../browsers/test-page.js';

test.use({ hasWindow: true });

/** The software renderer's notes on performance come from the browser, and fiber has a clock that three.js replaces. */
const NOT_OURS = /GL Driver Message|THREE\.Clock/;

/** Where objects with names are drawn. */
const drawnPlaces = (page: TestPage): Promise<readonly (readonly number[])[]> =>
  page.evaluate(() => {
    const places: number[][] = [];
    globalThis.reactScene.betwixt?.state.scene.traverse((object) => {
      if (object.name !== '') places.push([...object.matrixWorld.elements]);
    });
    return places;
  });

const press = (page: TestPage, button: string): Promise<void> =>
  page.evaluate(
    (text) =>
      [...document.querySelectorAll('button')].find((one) => one.textContent === text)?.click(),
    button,
  );

for (const name of ['collision-events', 'one-way-platform', 'plinko', 'rope-joint', 'sensors']) {
  test(`the scene ${name} moves, with a clean console`, async ({ page }) => {
    await needWebGL(page);
    const lines = watchConsole(page);
    await page.goto(`/examples/react.html?scene=${name}`);
    await page.waitForFunction(() => globalThis.reactScene?.betwixt?.simulation !== undefined);
    // From its beginning: before a busy machine has looked, everything might rest.
    await page.evaluate(() => {
      Object.assign(globalThis, { first: globalThis.reactScene.betwixt?.world });
    });
    await press(page, 'Pause');
    await press(page, 'Reset');
    await page.waitForFunction(() => {
      const { first } = globalThis as { first?: unknown };
      return ![undefined, first].includes(globalThis.reactScene.betwixt?.world);
    });
    const before = await drawnPlaces(page);
    await press(page, 'Pause');
    const movedObjects = async (): Promise<number> =>
      (await drawnPlaces(page)).filter((place, index) =>
        place.some((value, at) => Math.abs(value - (before[index]?.[at] ?? value)) > 0.1),
      ).length;
    await expect.poll(movedObjects).toBeGreaterThan(1);
    expect((await lines()).filter((line) => !NOT_OURS.test(line))).toEqual([]);
  });
}
