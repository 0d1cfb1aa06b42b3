/**
 * The loops that can run in a worker, there, on the real clock: their reports are consistent,
 * however fast they are.
 */
import type {} from '../../lab/real/real-page.js';
import { STEPPER_INFO } from '../../lab/engine/loops/stepper-info.js';
import { WORKER_STEPPERS } from '../../src/shared/loops/worker-steppers.js';
import { expect, test } from '../browsers/test.js';

const SECONDS = 2;

test('real loops: every loop for workers gives the columns of the lab, from the real clock', async ({
  page,
}) => {
  await page.goto('/lab/real/real.html');
  await page.waitForFunction(() => 'lab' in globalThis);
  const reports = await page.evaluate(
    ([kinds, seconds]) =>
      globalThis.lab.run(kinds.map((kind) => ({ stepper: { kind }, seconds, updateMs: 0.2 }))),
    [WORKER_STEPPERS, SECONDS] as const,
  );
  expect(reports.map(({ stepper }) => stepper)).toEqual(WORKER_STEPPERS);
  for (const report of reports) {
    expect(report.realS).toBeGreaterThanOrEqual(SECONDS);
    expect(report.perSecond).toHaveLength(SECONDS);
    expect(report.frames).toBe(report.distinctFrames + report.repeatedFrames);
    // All elapsed time was simulated, dropped or is left.
    const outMs = report.simulatedS * 1000 + report.droppedMs + report.leftMs;
    expect(Math.abs(report.realS * 1000 + report.inventedMs - outMs)).toBeLessThan(1);
    const updated = report.perSecond.reduce((sum, second) => sum + second.updated, 0);
    expect(updated).toBe(report.updates);
    if (report.tickHz !== null && STEPPER_INFO[report.stepper].step === 'equal') {
      expect(report.simulatedS).toBeCloseTo(report.updates / report.tickHz, 6);
    }
  }
});
