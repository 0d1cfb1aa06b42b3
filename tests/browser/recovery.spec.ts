/**
 * Faults injected into a real worker: what is detected, what is reported, and that nothing else is
 * lost.
 */
import { expect, test } from '../browsers/test.js';
import { RECOVERING, expectNothingLost, startRun, tickOf, ticksFrom } from './run-page.js';

const isRestarted = (): boolean => run.kinds().includes('restarted');

test('a step that throws: another worker continues after the last tick', async ({ page }) => {
  await startRun(page, RECOVERING);
  const pending = await page.evaluate(() => {
    const never = run.simulation.queries.never().catch((error: Error) => error.name);
    void run.simulation.queries.failInNextTick('no luck').catch(() => {});
    return never;
  });
  expect(pending).toBe('WorkerFailedError');
  await page.waitForFunction(isRestarted);
  const tick = await tickOf(page);
  await ticksFrom(page, tick);
  expect(await page.evaluate(() => run.kinds())).toEqual(['restarting', 'restarted']);
  await expect.poll(() => page.workers().length).toBe(1);
  await expectNothingLost(page);
});

test('a step that never ends: it is detected, calls wait, the last frame stays, and the run continues', async ({
  page,
}) => {
  // The limit begins to count when there is no more progress.
  await startRun(page, {
    ...RECOVERING,
    recovery: { mode: 'restart', hangLimitMs: 2000, restartAfterMs: 6000 },
  });
  const seen = await page.evaluate(() => {
    const { simulation } = run;
    const { commands, queries } = simulation;
    const stalled = new Promise((resolve) => {
      simulation.on('status', ({ kind }) => {
        const { state } = simulation;
        if (kind === 'stalled') {
          resolve({ state, hasState: simulation.sample(performance.now()).hasState });
        }
      });
    });
    void queries.hang().catch(() => {});
    run.waiting = Promise.all([
      queries.never().catch((error: Error) => error.name),
      commands.push(0, 0.5).then(() => 'done'),
    ]);
    return stalled;
  });
  expect(seen).toEqual({ state: 'stalled', hasState: true });
  await page.waitForFunction(isRestarted);
  // A query that the old worker has not answered, and a command that no tick had taken.
  expect(await page.evaluate(() => run.waiting)).toEqual(['WorkerFailedError', 'done']);
  await ticksFrom(page, await tickOf(page));
  // On a busy machine, also a step that ends may count as hanging for a while.
  const kinds = (await page.evaluate(() => run.kinds())).join();
  expect(kinds.replaceAll(/stalled,recovered,|,stalled,recovered/g, '')).toBe(
    'stalled,restarting,restarted',
  );
  await expectNothingLost(page);
});

test('a worker that fails permanently reports it once, and later calls reject', async ({
  page,
}) => {
  await startRun(page, { recovery: { hangLimitMs: 3_600_000 } });
  await page.evaluate(() => {
    addEventListener('error', (event) => event.preventDefault());
    void run.simulation.queries.failInNextTick('no luck').catch(() => {});
  });
  await page.waitForFunction(() => run.kinds().includes('failed'));
  const later = await page.evaluate(() => ({
    state: run.simulation.state,
    echo: run.simulation.queries.echo(1).catch((error: Error) => error.name),
    hasState: run.simulation.sample(performance.now()).hasState,
  }));
  expect(later).toMatchObject({ state: 'failed', hasState: true });
  expect(await page.evaluate(() => run.kinds())).toEqual(['failed']);
});
