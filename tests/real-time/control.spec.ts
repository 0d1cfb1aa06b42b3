/** How soon a sleeping worker answers, and what a paused one costs. */
import { canReadProcesses, workerThreadTicks } from '../browsers/processes.js';
import { expect, median, openBare, openLibrary, skipUnless, test } from './bare-page.js';

const CALLS = 9;
/** Long enough to detect 1 % of a processor. */
const SAMPLE_MS = 1000;
/** Four ticks a second: a tick is 250 ms of sleep. */
const PERIOD_MS = 250;

test('control calls: the doorbell answers them within a fraction of a tick, and without it they wait', async ({
  page,
}) => {
  const measureBare = async () => {
    await openBare(page);
    return median(await page.evaluate((calls) => bare.latenciesMs(calls), CALLS));
  };
  const bares = [await measureBare()];
  await openLibrary(page);
  const options = { tickRateHz: 1000 / PERIOD_MS };
  await page.evaluate((given) => library.start('toy', given), options);
  const rung = median(await page.evaluate((calls) => library.controlLatenciesMs(calls), CALLS));
  await page.evaluate(() => library.simulation?.dispose());
  await page.evaluate((given) => library.startWithoutDoorbell(given), options);
  const unrung = median(await page.evaluate((calls) => library.controlLatenciesMs(calls), CALLS));
  await page.evaluate(() => library.restoreDoorbell());
  bares.push(await measureBare());
  const bareMs = Math.max(...bares);
  skipUnless(
    bareMs < PERIOD_MS / 16,
    `a bare worker that is rung answers in ${bares.map((ms) => ms.toFixed(2)).join(' and ')} ms`,
  );
  console.log(`Rung ${rung.toFixed(2)} ms, not rung ${unrung.toFixed(2)} ms.`);
  expect(rung).toBeLessThan(PERIOD_MS / 4);
  expect(unrung / rung).toBeGreaterThan(4);
});

test('a paused worker uses no more processor time than one without the library', async ({
  page,
}) => {
  test.skip(!canReadProcesses, "only Linux reports a thread's processor time");
  await openBare(page);
  await page.evaluate(() => bare.startIdle());
  const bareTicks = await cpuTicksDuring(() => page.waitForTimeout(SAMPLE_MS));
  await page.evaluate(() => bare.endIdle());
  await openLibrary(page);
  await page.evaluate(() => library.start('toy', { tickRateHz: 240 }));
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
