/** A page that goes away and comes back: one gap is a pause, nothing is lost, no key stays stuck. */
import { pageProcesses, canReadProcesses } from '../browsers/processes.js';
import type { TestPage } from '../browsers/test.js';
import { expect, test } from './library-page.js';
import { expectNothingLost, startRun } from './run-page.js';

const OPTIONS = { recording: { hashEveryTicks: 10 } } as const;
const AWAY_MS = 1500;

/** Ticks that were due, whether they ran or a busy machine missed them. */
const dueTicks = (page: TestPage): Promise<number> =>
  page.evaluate(() => {
    const { tick, droppedTicks } = library.simulation.stats();
    return tick + droppedTicks;
  });

/**
 * No ticks were due for the time away.
 *
 * @param awakeSinceMs When the page came back, less the time between `before` and its departure.
 */
async function expectNoFastForward(
  page: TestPage,
  before: number,
  awakeSinceMs: number,
  tickRateHz = 60,
): Promise<void> {
  const due = (await dueTicks(page)) - before;
  // Some of them were due before it left.
  const thereMs = Date.now() - awakeSinceMs + 200;
  expect(due).toBeLessThan(((thereMs + AWAY_MS / 2) / 1000) * tickRateHz);
}

const reaches = (page: TestPage, state: 'paused' | 'running'): Promise<void> =>
  page.evaluate((wanted) => library.reaches(wanted), state);

test('a page that is frozen pauses, and releases the keys that were held', async ({ page }) => {
  test.skip(!canReadProcesses, 'stops processes by signals');
  await startRun(page, OPTIONS);
  await page.keyboard.down('KeyW');
  await page.evaluate(() => library.moreTicks(10));
  // As the browser does with a page in the background: it fires the event, and then nothing runs
  // any more.
  await page.evaluate(() => document.dispatchEvent(new Event('freeze')));
  await reaches(page, 'paused');
  // Not earlier: until it pauses, it runs, and on a busy machine that takes long.
  const before = await dueTicks(page);
  const { backMs } = await whileStopped();
  await page.evaluate(() => document.dispatchEvent(new Event('resume')));
  await reaches(page, 'running');
  await expectNoFastForward(page, before, backMs);
  await page.evaluate(() => library.moreTicks(20));
  const keys = await page.evaluate(() =>
    library.simulation
      .recording()
      .entries.flatMap((entry) =>
        entry.kind === 'input' && entry.input.kind.startsWith('key') ? [entry.input.kind] : [],
      ),
  );
  expect(keys).toEqual(['keydown', 'keyup']);
  await page.keyboard.up('KeyW');
  await expectNothingLost(page);
});

/**
 * A system may be put to sleep during a step. At this rate steps take a fortieth of the time, where
 * they take longest.
 */
const NAP_RATE_HZ = 20;

test('a system that sleeps is a gap: page and worker stop without an event, and nothing is caught up', async ({
  page,
}) => {
  test.skip(!canReadProcesses, 'stops processes by signals');
  await startRun(page, { ...OPTIONS, tickRateHz: NAP_RATE_HZ });
  // If it falls asleep during a step it looks like a step that took long; that is rare.
  while (!(await isGap(page)));
  expect(await page.evaluate(() => library.kinds())).toEqual([]);
  // Each is reported, by messages that may arrive later than the count.
  const unreported = () =>
    page.evaluate(() => {
      const reported = library.statuses.filter(({ kind }) => kind === 'gap').length;
      return library.simulation.stats().gaps - reported;
    });
  await expect.poll(unreported).toBe(0);
  await expectNothingLost(page);
});

/** Puts page and worker to sleep for a while. @returns Whether the worker took that for a gap, and not for load. */
async function isGap(page: TestPage): Promise<boolean> {
  const gaps = await page.evaluate(() => library.simulation.stats().gaps);
  const beforeMs = Date.now();
  const before = await dueTicks(page);
  const { stoppedMs, backMs } = await whileStopped();
  // Load is dropped, except for the few ticks that may be caught up.
  await page.waitForFunction(
    ([gapsBefore, least]) => {
      const stats = library.simulation.stats();
      return stats.gaps > gapsBefore || stats.tick + stats.droppedTicks > least;
    },
    [gaps, before + (AWAY_MS / 1000) * NAP_RATE_HZ] as const,
  );
  if ((await page.evaluate(() => library.simulation.stats().gaps)) === gaps) return false;
  await expectNoFastForward(page, before, backMs - (stoppedMs - beforeMs), NAP_RATE_HZ);
  return true;
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
