/** What the command asks of its page: its own cases, and the user's workers. */
import { expect, type Page } from '@playwright/test';
import type {} from '../../bench/page/automation.js';
import type { CaseRequest, MeasuredCase } from '../../bench/runner/measure-case.js';
import { capacityOf, setupOf } from '../../bench/worker/bench-setup.js';
import { test } from '../browsers/shared-page.js';

const SHORT = { seed: 1, seconds: 0.4, warmUpSeconds: 0.1, repeats: 2, wantsMemory: false };

async function run(page: Page, request: CaseRequest, worker: string | null): Promise<MeasuredCase> {
  await page.goto('/bench/page/automation.html');
  await page.waitForFunction(() => 'bench' in globalThis);
  return page.evaluate(([text, script]) => bench.run(text, script), [
    JSON.stringify(request),
    worker,
  ] as const);
}

test('the bench: a scene in an engine is measured, with its frames', async ({ page }) => {
  const key = { scene: 'resting', engine: 'rapier', bodies: 50, tickRateHz: 60 } as const;
  const setup = setupOf(key, 1);
  const { result, engineName } = await run(
    page,
    {
      ...SHORT,
      // Time for some frames, also for a machine that draws few.
      seconds: 2,
      key: { ...key, runtime: 'chromium' },
      setup,
      capacity: capacityOf(setup),
      wantsMemory: true,
    },
    null,
  );
  expect(engineName).toMatch(/rapier3d/);
  expect(result).toMatchObject(key);
  expect(result.ticks).toBeGreaterThanOrEqual(result.repeats.length);
  expect(result.worstSecond.length).toBeGreaterThan(1);
  expect(result.frame?.rateHz).toBeGreaterThan(0.1);
  expect(result.frame?.costMs.p50).toBeGreaterThanOrEqual(0);
  expect(result.memory?.pageMB).toBeGreaterThan(0);
});

test("the bench: a worker of the user's is measured as it is", async ({ page }) => {
  const key = { scene: 'toy', engine: 'own', runtime: 'chromium', tickRateHz: 60 } as const;
  const { result } = await run(
    page,
    { ...SHORT, key: { ...key, bodies: 0 }, setup: null, capacity: 1000 },
    '/tests/browser/pages/toy.worker.ts',
  );
  // It has one body, whatever it is asked for, and reports that.
  expect(result.bodies).toBe(1);
  expect(result.ticks).toBeGreaterThanOrEqual(result.repeats.length);
  expect(result.stepMs.max).toBeGreaterThanOrEqual(result.stepMs.p50);
  expect(result.percentileCurve.at(-1)?.[0]).toBe(1);
  expect(result.repeats).toHaveLength(2);
});

test('the bench: a worker that does not make the requested number of bodies is detected after one repeat', async ({
  page,
}) => {
  const key = { scene: 'toy', engine: 'own', runtime: 'chromium', tickRateHz: 60 } as const;
  const { result } = await run(
    page,
    { ...SHORT, key: { ...key, bodies: 5000 }, setup: { bodies: 5000 }, capacity: 6000 },
    '/tests/browser/pages/toy.worker.ts',
  );
  expect(result.bodies).toBe(1);
  expect(result.repeats).toHaveLength(1);
});

test('the bench: stopped, a case has the repeats that were measured', async ({ page }) => {
  const key = { scene: 'scripted:constant:1', engine: 'scripted', bodies: 5, tickRateHz: 60 };
  const setup = setupOf(key, 1);
  const request: CaseRequest = {
    ...SHORT,
    repeats: 50,
    key: { ...key, runtime: 'chromium' },
    setup,
    capacity: capacityOf(setup),
  };
  await page.goto('/bench/page/automation.html');
  await page.waitForFunction(() => 'bench' in globalThis);
  const { result } = await page.evaluate((text) => {
    const measuring = bench.run(text, null);
    bench.stop();
    return measuring;
  }, JSON.stringify(request));
  expect(result.repeats).toHaveLength(1);
});
