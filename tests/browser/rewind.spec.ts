/** A slider that rewinds: counted in ticks that are run again, and in frames after the worker's answer. */
import { expect, test } from '../browsers/test.js';
import type { RewindPage } from './pages/rewind.js';

declare global {
  var rewind: RewindPage;
}

const TICKS = 400;

test('a rewinding slider runs the ticks after a kept state again, and the next frame shows the tick', async ({
  page,
}) => {
  await page.goto('/tests/browser/pages/rewind.html');
  await page.waitForFunction(() => 'rewind' in globalThis);
  await page.evaluate((ticks) => rewind.start(ticks), TICKS);
  for (const tick of [399, 250, 100, 101, 387, 100]) {
    await page.evaluate((value) => {
      const slider = document.querySelector('input') as HTMLInputElement;
      slider.value = String(value);
      slider.dispatchEvent(new Event('input'));
    }, tick);
    await page.waitForFunction((value) => rewind.answers.at(-1)?.tick === value, tick);
  }
  const answers = await page.evaluate(() => rewind.answers);
  expect(answers.map(({ tick }) => tick)).toEqual([399, 250, 100, 101, 387, 100]);
  for (const { tick, keptTick, steps, frames } of answers) {
    expect({ tick, steps, frames }).toEqual({ tick, steps: tick - keptTick, frames: [tick] });
    // There is one a second, or more.
    expect(steps).toBeLessThanOrEqual(60);
  }
  expect(await page.evaluate(() => rewind.replay.report.differsAt)).toBeUndefined();
});
