/** A page that goes away and comes back: one gap is a pause, nothing is lost, no key stays stuck. */
import { pageProcesses, tellsProcesses } from '../browsers/processes.js';
import { expect, test, type TestPage } from '../browsers/test.js';
import { expectNothingLost, startRun, tickOf, ticksFrom } from './run-page.js';

const OPTIONS = { hashEveryTicks: 30 } as const;
const AWAY_MS = 1500;
/** Of those the ticks that a second would have had at 60 Hz, if they had been caught up. */
const OWED_TICKS = (AWAY_MS / 1000) * 60;

interface Standing {
  readonly tick: number;
  readonly droppedTicks: number;
}

const standing = (page: TestPage): Promise<Standing> =>
  page.evaluate(() => {
    const { tick, droppedTicks } = run.simulation.stats();
    return { tick, droppedTicks };
  });

/** Ticks ran for about as long as the page was there: not for the time away as well. */
async function expectNoFastForward(
  page: TestPage,
  before: Standing,
  thereMs: number,
): Promise<void> {
  const after = await standing(page);
  const possible = (thereMs / 1000) * 60;
  expect(after.tick - before.tick).toBeLessThan(possible + OWED_TICKS / 2);
  // What a pause skips is not dropped.
  expect(after.droppedTicks - before.droppedTicks).toBeLessThan(OWED_TICKS / 2);
}

test('a page that is frozen, and its keys', async ({ page }) => {
  test.skip(!tellsProcesses, 'stops processes by signals');
  await startRun(page, OPTIONS);
  await page.evaluate(() => run.listen());
  await page.keyboard.down('KeyW');
  await ticksFrom(page, await tickOf(page), 10);
  const before = await standing(page);
  // What the browser does to a page in the background: it says so, and then nothing runs any more.
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
  await page.waitForFunction(() => run.simulation.state === 'paused');
  await whileStopped();
  const backMs = Date.now();
  await page.evaluate(() => document.dispatchEvent(new Event('resume')));
  await page.waitForFunction(() => run.simulation.state === 'running');
  await expectNoFastForward(page, before, Date.now() - backMs + 200);
  await ticksFrom(page, await tickOf(page));
  const keys = await page.evaluate(() =>
    run.simulation
      .recording()
      .entries.flatMap((entry) =>
        entry.kind === 'input' && entry.input.kind.startsWith('key') ? [entry.input.kind] : [],
      ),
  );
  expect(keys).toEqual(['keydown', 'keyup']);
  await page.keyboard.up('KeyW');
  await expectNothingLost(page);
});

test('a page that the browser puts aside and takes out again', async ({ page }) => {
  await startRun(page, OPTIONS);
  // What a back/forward cache does to a page; that of a driven browser is switched off.
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  });
  await page.waitForFunction(() => run.simulation.state === 'paused');
  const before = await standing(page);
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  expect((await standing(page)).tick).toBeLessThan(before.tick + 10);
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await page.waitForFunction(() => run.simulation.state === 'running');
  await ticksFrom(page, await tickOf(page));
  await expectNothingLost(page);
});

test('a system that sleeps: page and worker stop without being told', async ({ page }) => {
  test.skip(!tellsProcesses, 'stops processes by signals');
  await startRun(page, OPTIONS);
  const before = await standing(page);
  await whileStopped();
  const backMs = Date.now();
  await page.waitForFunction(() => run.kinds().includes('gap'));
  await ticksFrom(page, before.tick, 20);
  await expectNoFastForward(page, before, Date.now() - backMs + 200);
  expect(await page.evaluate(() => run.kinds().filter((kind) => kind !== 'gap'))).toEqual([]);
  const { gaps, clock } = await page.evaluate(() => run.simulation.stats());
  expect(gaps).toBeGreaterThan(0);
  expect(clock.method).toBe('ping');
  await expectNothingLost(page);
});

/** Stops the page, its worker and their clocks' readers, and lets them go on. */
async function whileStopped(): Promise<void> {
  const pages = pageProcesses();
  expect(pages.length).toBeGreaterThan(0);
  for (const id of pages) process.kill(id, 'SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  for (const id of pages) process.kill(id, 'SIGCONT');
}
