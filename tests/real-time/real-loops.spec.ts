/**
 * The loops that can run in a worker, on the real clock, all at the same time: whether they keep
 * up.
 */
import type {} from '../../lab/real/real-page.js';
import { WORKER_STEPPERS } from '../../lab/engine/loops/registry.js';
import type { TestPage } from '../browsers/test.js';
import { expect, openBare, skipUnless, test } from './bare-page.js';

const SECONDS = 1.5;
const UPDATE_MS = 0.2;
const BARE_HZ = 60;

/**
 * The share of beats that workers without our loops keep: the same number of them, with the same
 * work.
 */
async function measureBare(page: TestPage): Promise<number> {
  await openBare(page);
  const rate = { rateHz: BARE_HZ, seconds: 1, busyMs: UPDATE_MS };
  const reports = await page.evaluate(([count, given]) => bare.rates(count, given), [
    WORKER_STEPPERS.length,
    rate,
  ] as const);
  return 1 - Math.max(...reports.map(({ missed }) => missed)) / BARE_HZ;
}

test('real loops: each simulates nine tenths of the time or more, and those that sleep do', async ({
  page,
}) => {
  const bares = [await measureBare(page)];
  await page.goto('/lab/real/real.html');
  await page.waitForFunction(() => 'lab' in globalThis);
  const reports = await page.evaluate(
    ([kinds, seconds, updateMs]) =>
      globalThis.lab.run(kinds.map((kind) => ({ stepper: { kind }, seconds, updateMs }))),
    [WORKER_STEPPERS, SECONDS, UPDATE_MS] as const,
  );
  bares.push(await measureBare(page));
  const kept = Math.min(...bares);
  skipUnless(
    kept > 0.95,
    `of ${WORKER_STEPPERS.length} bare workers at ${BARE_HZ} Hz one kept ${(100 * kept).toFixed(1)} % of its beats`,
  );
  for (const { effectiveSpeed } of reports) expect(effectiveSpeed / kept).toBeGreaterThan(0.9);
  const sleepers = reports.filter(({ stepper }) => /frame-locked|rate-groups/.test(stepper));
  expect(sleepers.length).toBeGreaterThan(0);
  for (const { sleptMs } of sleepers) expect(sleptMs).toBeGreaterThan(0);
});
