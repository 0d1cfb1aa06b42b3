/**
 * A page that goes away and comes back: one gap is a pause, nothing is lost, no key stays stuck.
 */
import { pageProcesses, canReadProcesses } from '../browsers/processes.js';
import { expect, test, type TestPage } from '../browsers/test.js';
import { PATIENT } from './patient.js';
import { expectNothingLost, startRun, tickOf, ticksFrom } from './run-page.js';

const OPTIONS = { ...PATIENT, recording: { hashEveryTicks: 30 } } as const;
const AWAY_MS = 1500;
/**
 * A system may be put to sleep during a step. At this rate steps take a fortieth of the time, where
 * they take longest.
 */
const NAPPING = { ...PATIENT, tickRateHz: 20, recording: { hashEveryTicks: 10 } } as const;
const NAPS = 2;

interface Progress {
  readonly tick: number;
  readonly droppedTicks: number;
  readonly gaps: number;
}

const progressOf = (page: TestPage): Promise<Progress> =>
  page.evaluate(() => {
    const { tick, droppedTicks, gaps } = run.simulation.stats();
    return { tick, droppedTicks, gaps };
  });

/**
 * Ticks were due for about as long as the page was there, whether they ran or a busy machine missed
 * them: not for the time away as well.
 *
 * @param awakeSinceMs When it came back, less the time between `before` and its departure.
 */
async function expectNoFastForward(
  page: TestPage,
  before: Progress,
  awakeSinceMs: number,
  tickRateHz = 60,
): Promise<void> {
  const after = await progressOf(page);
  // Some of them were due before it left.
  const thereMs = Date.now() - awakeSinceMs + 200;
  const possible = (thereMs / 1000) * tickRateHz;
  // The ticks due while it was away, if they had been caught up.
  const owed = (AWAY_MS / 1000) * tickRateHz;
  const were = after.tick - before.tick + after.droppedTicks - before.droppedTicks;
  expect(were).toBeLessThan(possible + owed / 2);
}

test('page life: a page that is frozen, and its keys', async ({ page }) => {
  test.skip(!canReadProcesses, 'stops processes by signals');
  await startRun(page, OPTIONS);
  await page.evaluate(() => run.listen());
  await page.keyboard.down('KeyW');
  await ticksFrom(page, await tickOf(page), 10);
  // What the browser does to a page in the background: it fires the event, and then nothing runs
  // any more.
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
  await page.waitForFunction(() => run.simulation.state === 'paused');
  // Not earlier: until it pauses, it runs, and on a busy machine that takes long.
  const before = await progressOf(page);
  const { backMs } = await whileStopped();
  await page.evaluate(() => document.dispatchEvent(new Event('resume')));
  await page.waitForFunction(() => run.simulation.state === 'running');
  await expectNoFastForward(page, before, backMs);
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

test('page life: a page that enters the back/forward cache and returns', async ({ page }) => {
  await startRun(page, OPTIONS);
  // What a back/forward cache does to a page; the cache of a driven browser is disabled.
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  });
  await page.waitForFunction(() => run.simulation.state === 'paused');
  const before = await progressOf(page);
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  expect((await progressOf(page)).tick).toBeLessThan(before.tick + 10);
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  });
  await page.waitForFunction(() => run.simulation.state === 'running');
  await ticksFrom(page, await tickOf(page));
  await expectNothingLost(page);
});

test('page life: a system that sleeps: page and worker stop without an event', async ({ page }) => {
  test.skip(!canReadProcesses, 'stops processes by signals');
  await startRun(page, NAPPING);
  const seenAs: ('gap' | 'load')[] = [];
  // If it falls asleep during a step it looks like a step that took long; that is rare. And on a
  // machine too busy to run both threads at the same time none of the pings is answered after it.
  while (seenAs.length < NAPS || !seenAs.includes('gap') || !(await isAlignedByPings(page))) {
    seenAs.push(await seenNap(page));
  }
  expect(await page.evaluate(() => run.kinds())).toEqual([]);
  // The machine may have been suspended in addition.
  const { gaps } = await progressOf(page);
  expect(gaps).toBeGreaterThanOrEqual(seenAs.filter((kind) => kind === 'gap').length);
  // Each is reported, by messages that may arrive later than the count.
  const unreported = () =>
    page.evaluate(
      () => run.simulation.stats().gaps - run.statuses.filter(({ kind }) => kind === 'gap').length,
    );
  await expect.poll(unreported).toBe(0);
  await expectNothingLost(page);
});

const isAlignedByPings = (page: TestPage): Promise<boolean> =>
  page.evaluate(() => run.simulation.stats().clock.method === 'ping');

/** Puts page and worker to sleep for a while. @returns How the worker accounted for that time. */
async function seenNap(page: TestPage): Promise<'gap' | 'load'> {
  const beforeMs = Date.now();
  const before = await progressOf(page);
  const { stoppedMs, backMs } = await whileStopped();
  // Load is dropped, except for the few ticks that may be caught up.
  await page.waitForFunction(
    ({ gaps, leastDropped }) => {
      const stats = run.simulation.stats();
      return stats.gaps > gaps || stats.droppedTicks > leastDropped;
    },
    {
      gaps: before.gaps,
      leastDropped: before.droppedTicks + ((AWAY_MS / 1000) * NAPPING.tickRateHz) / 2,
    },
  );
  if ((await progressOf(page)).gaps === before.gaps) return 'load';
  const awakeSinceMs = backMs - (stoppedMs - beforeMs);
  await expectNoFastForward(page, before, awakeSinceMs, NAPPING.tickRateHz);
  return 'gap';
}

/**
 * Stops the page, its worker and their clocks' readers, and lets them continue.
 *
 * @returns When they had stopped, and when they were about to continue.
 */
async function whileStopped(): Promise<{ stoppedMs: number; backMs: number }> {
  const pages = pageProcesses();
  expect(pages.length).toBeGreaterThan(0);
  for (const id of pages) process.kill(id, 'SIGSTOP');
  const stoppedMs = Date.now();
  await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  const backMs = Date.now();
  for (const id of pages) process.kill(id, 'SIGCONT');
  return { stoppedMs, backMs };
}
