/** The cost of a paused worker. */
import { canReadProcesses, workerThreadTicks } from '../browsers/processes.js';
import { expect, openBare, test } from './bare-page.js';

/** Long enough to detect 1 % of a processor. */
const SAMPLE_MS = 1000;

test('a paused worker uses no more processor time than one without the library', async ({
  page,
}) => {
  test.skip(!canReadProcesses, "only Linux reports a thread's processor time");
  await openBare(page);
  await page.evaluate(() => bare.startIdle());
  const bareTicks = await cpuTicksDuring(() => page.waitForTimeout(SAMPLE_MS));
  await page.goto('/tests/browser/pages/library.html');
  await page.waitForFunction(() => 'library' in globalThis);
  await page.evaluate(() => library.start({ tickRateHz: 240 }));
  // The control: one that runs does use some. On a busy machine half a second of stalling may be little of it.
  const before = cpuTicks();
  const used = async () => {
    await page.evaluate(() => library.simulation.queries.stall(500));
    return cpuTicks() - before;
  };
  await expect.poll(used).toBeGreaterThan(20);
  await page.evaluate(() => library.simulation.pause());
  // Ticks of the system's clock, 100 a second: one may be counted for the sampling itself. What the run left to the
  // engine of the browser, such as garbage and code to compile, ends after some seconds; a loop that polls never does.
  await expect
    .poll(() => cpuTicksDuring(() => page.waitForTimeout(SAMPLE_MS)))
    .toBeLessThanOrEqual(bareTicks + 1);
});

async function cpuTicksDuring(wait: () => Promise<void>): Promise<number> {
  const before = cpuTicks();
  await wait();
  return cpuTicks() - before;
}

/** Processor time of all workers, in clock ticks. */
function cpuTicks(): number {
  return workerThreadTicks().reduce((sum, ticks) => sum + ticks, 0);
}
