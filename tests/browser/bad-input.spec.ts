/** Wrong options and pages that may not share memory. */
import { expect, test } from './library-page.js';

const WRONG_OPTIONS: readonly [options: object, name: string, message: RegExp][] = [
  [{ tickRateHz: 0 }, 'RangeError', /tickRateHz .* from 1 to 1000, but is 0/],
  [{ tickRateHz: -60 }, 'RangeError', /tickRateHz/],
  [{ tickRateHz: Number.NaN }, 'RangeError', /tickRateHz .* NaN/],
  [{ tickRateHz: '60' }, 'TypeError', /tickRateHz must be a number/],
  [{ capacity: 0 }, 'RangeError', /capacity/],
  [{ capacity: 1.5 }, 'RangeError', /capacity must be a whole number/],
  [{ capacity: 2 ** 30 }, 'RangeError', /capacity/],
  [{ display: { history: 5 } }, 'RangeError', /display\.history/],
  [{ display: { interpolation: 'cubic' } }, 'RangeError', /none, interpolate, extrapolate/],
  [{ tickrate: 60 }, 'TypeError', /unknown option "tickrate" .* "tickRateHz"/],
];

test('connect: every wrong option is an error that names it, and starts no worker', async ({
  page,
}) => {
  for (const [options, name, message] of WRONG_OPTIONS) {
    const error = await page.evaluate((given) => library.failureOf('toy', given), options);
    expect(error?.name).toBe(name);
    expect(error?.message).toMatch(message);
  }
  expect(page.workers()).toHaveLength(0);
});

test('a running simulation: wrong arguments leave it as it is', async ({ page }) => {
  const answer = await page.evaluate(async () => {
    await library.start('toy');
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    const errors = [];
    for (const call of [
      () => simulation.setTickRate(0),
      () => simulation.setTimeScale(Number.NaN),
      () => simulation.setMaxCatchUpTicks(0.5),
      () => simulation.step(0),
      () => simulation.step(1),
      () => simulation.setInterpolation('cubic' as 'none'),
      () => simulation.sample(Number.NaN),
    ]) {
      try {
        await call();
        errors.push('none');
      } catch (error) {
        errors.push((error as Error).message);
      }
    }
    await library.moreTicks(5);
    return { errors, stats: simulation.stats() };
  });
  expect(answer.errors[0]).toContain('tickRateHz');
  expect(answer.errors[1]).toContain('timeScale');
  expect(answer.errors[2]).toContain('maxCatchUpTicks');
  expect(answer.errors[3]).toContain('ticks');
  expect(answer.errors[4]).toContain('pause');
  expect(answer.errors[5]).toContain('interpolation');
  expect(answer.errors[6]).toContain('frameMs');
  expect(answer.stats).toMatchObject({ state: 'running', tickRateHz: 60, timeScale: 1 });
});

for (const missingHeader of ['cross-origin-opener-policy', 'cross-origin-embedder-policy']) {
  test.describe('a page that may not share memory', () => {
    test.use({ missingHeader });
    test(`connect: without ${missingHeader} the error names it and the response`, async ({
      page,
    }) => {
      const error = await page.evaluate(() => library.failureOf('toy', { transport: 'shared' }));
      expect(error?.name).toBe('NotIsolatedError');
      expect(error?.message.toLowerCase()).toContain(`lacks ${missingHeader}:`);
      expect(error?.message).toContain('/tests/browser/pages/library.html');
    });
  });
}
