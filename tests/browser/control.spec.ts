/** Control calls reach a sleeping worker, and a paused one costs nothing. */
import { tellsProcesses, workerThreadTicks } from '../browsers/processes.js';
import { expect, test } from './library-page.js';

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test(
  'the doorbell answers calls within a fraction of a tick, and without it they wait',
  { tag: '@clock' },
  async ({ page }) => {
    // Four ticks a second: a tick is 250 ms of sleep.
    await page.evaluate(() => library.start('toy', { tickRateHz: 4 }));
    const rung = median(await page.evaluate(() => library.controlLatenciesMs(15)));
    await page.evaluate(() => library.simulation?.dispose());
    await page.evaluate(() => library.startWithoutDoorbell({ tickRateHz: 4 }));
    const unrung = median(await page.evaluate(() => library.controlLatenciesMs(15)));
    await page.evaluate(() => library.restoreDoorbell());
    expect(rung).toBeLessThan(250 / 4);
    expect(unrung / rung).toBeGreaterThan(4);
  },
);

test(
  'paused, the loop stands still and its thread uses no processor time',
  { tag: '@clock' },
  async ({ page }) => {
    await page.evaluate(() => library.start('toy', { tickRateHz: 240 }));
    await page.waitForTimeout(200);
    await page.evaluate(() => library.simulation?.pause());
    const before = await page.evaluate(() => library.simulation?.stats());
    const cpuBefore = workerCpuTicks();
    await page.waitForTimeout(2000);
    const cpuAfter = workerCpuTicks();
    const after = await page.evaluate(() => library.simulation?.stats());
    expect(after?.state).toBe('paused');
    expect(after?.iterations).toBe(before?.iterations);
    expect(after?.tick).toBe(before?.tick);
    // Ticks of the system's clock, 100 a second: one may be counted for the sampling itself.
    if (cpuBefore !== undefined && cpuAfter !== undefined) {
      expect(cpuAfter - cpuBefore).toBeLessThanOrEqual(1);
    }
  },
);

test('running, the same thread does use processor time', { tag: '@clock' }, async ({ page }) => {
  const isKnown = workerCpuTicks() !== undefined;
  await page.evaluate(() => library.start('toy', { tickRateHz: 240 }));
  const before = workerCpuTicks() ?? 0;
  const used = async () => {
    await page.evaluate(() => library.simulation?.commands.stall(500));
    return (workerCpuTicks() ?? 0) - before;
  };
  // On a busy machine half a second of stalling may be little of the processor's time.
  if (isKnown) await expect.poll(used).toBeGreaterThan(20);
});

test('paused, steps run one by one, and resume goes on', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    await library.start('toy', { startPaused: true });
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    const start = simulation.stats().tick;
    const first = await simulation.step();
    const third = await simulation.step(2);
    await simulation.resume();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { start, first, third, later: simulation.stats().tick };
  });
  expect(answers).toMatchObject({ start: 0, first: 1, third: 3 });
  expect(answers.later).toBeGreaterThan(3);
});

test('a hidden page pauses, and comes back without a fast-forward', async ({ page }) => {
  // Room to catch up half a second, as a busy machine may need.
  await page.evaluate(() => library.start('toy', { maxCatchUpTicks: 30 }));
  const setHidden = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, isHidden);
  await setHidden(true);
  await page.waitForTimeout(200);
  const hidden = await page.evaluate(() => library.simulation?.stats());
  await page.waitForTimeout(1000);
  const still = await page.evaluate(() => library.simulation?.stats());
  expect(hidden?.state).toBe('paused');
  expect(still?.tick).toBe(hidden?.tick);
  await setHidden(false);
  await page.waitForTimeout(300);
  const back = await page.evaluate(() => library.simulation?.stats());
  expect(back?.state).toBe('running');
  expect(back?.tick).toBeGreaterThan(still?.tick ?? 0);
  // A second of ticks would have been 60.
  expect((back?.tick ?? 0) - (still?.tick ?? 0)).toBeLessThan(45);
  expect(back?.droppedTicks).toBe(0);
});

/** Processor time of all workers, in clock ticks; undefined where the system tells nobody. */
function workerCpuTicks(): number | undefined {
  if (!tellsProcesses) return undefined;
  return workerThreadTicks().reduce((sum, ticks) => sum + ticks, 0);
}
