/** Components of React Three Fiber whose physics is in a real worker, in a real page. */
import { expect, expectWorkers, needWebGL, test } from '../browsers/test.js';
import type {} from './pages/react.js';

// Fiber needs WebGL.
test.use({ hasWindow: true });

test('a ball of React components falls onto a plate and asleep in one worker, which ends with the canvas', async ({
  page,
}) => {
  await needWebGL(page);
  await page.goto('/tests/browser/pages/react.html');
  await page.waitForFunction(() => 'components' in globalThis);
  await page.evaluate(() => components.show(true));
  await page.waitForFunction(() => components.isAsleep());
  const [height, drawn] = await page.evaluate(() => components.heights());
  expect(height).toBeCloseTo(0.5, 2);
  expect(drawn).toBeCloseTo(height ?? Number.NaN, 2);
  // In StrictMode, which mounts everything twice.
  await expectWorkers(page, 1);
  await page.evaluate(() => components.show(false));
  await expectWorkers(page, 0);
});
