/** A browser's workers: what their clocks have in common, and how they fail and end. */
import { expectWorkers } from '../browsers/test.js';
import { expect, test } from './library-page.js';
import { expectNothingLost, startRun } from './run-page.js';

test("the offset of the worker's clock is within its bound", async ({ page }) => {
  await page.evaluate(() => library.start());
  const clocks = await page.evaluate(() => library.alignments(6));
  // On a machine too busy to run both threads at the same time none of the pings is answered; that
  // bound is infinite.
  for (const { method } of clocks) expect(['ping', 'origin']).toContain(method);
  // The clocks do not drift apart: one true offset is within every bound.
  const most = Math.min(...clocks.map(({ offsetMs, uncertaintyMs }) => offsetMs + uncertaintyMs));
  const least = Math.max(...clocks.map(({ offsetMs, uncertaintyMs }) => offsetMs - uncertaintyMs));
  expect(least).toBeLessThanOrEqual(most);
  // A busy machine may interrupt many of them, but not all forever.
  const narrowest = async (): Promise<number> => {
    const again = await page.evaluate(() => library.alignments(6));
    return Math.min(...again.map(({ uncertaintyMs }) => uncertaintyMs));
  };
  await expect.poll(narrowest).toBeLessThan(1);
});

test("a worker's ticks are those of the elapsed time, also while its page is blocked", async ({
  page,
}) => {
  await page.evaluate(() => library.start());
  for (let block = 0; block < 3; block++) await page.evaluate(() => library.blockFor(18));
  // The worker of a busy machine may be late at a single check.
  const ticksAhead = () =>
    page.evaluate(() => {
      const { tick, droppedTicks, elapsedMs } = library.simulation.stats();
      return Math.abs(tick + droppedTicks - Math.floor((elapsedMs * 60) / 1000));
    });
  await expect.poll(ticksAhead).toBeLessThanOrEqual(1);
});

test('a worker that sleeps until a tick far away answers as soon as it is rung', async ({
  page,
}) => {
  await page.evaluate(() => library.start({ tickRateHz: 1, timeScale: 0.01 }));
  const slowestMs = () =>
    page.evaluate(async () => {
      let slowest = 0;
      for (let call = 0; call < 5; call++) {
        const startMs = performance.now();
        await library.simulation.queries.echo(call);
        slowest = Math.max(slowest, performance.now() - startMs);
      }
      return slowest;
    });
  // By itself it takes a turn twice a second. A busy machine may interrupt it, but not all the time.
  await expect.poll(slowestMs).toBeLessThan(250);
});

const RESTARTED = {
  recovery: 'restart',
  recording: { saveEverySeconds: 0.5, hashEveryTicks: 30 },
} as const;
// A player continues for as long as it takes until a worker that hangs is given up.
const SOON_GIVEN_UP = { hangLimitMs: 1000, restartAfterMs: 2000, inputWords: 2 ** 20 };

test.describe('of a worker that hangs', () => {
  test.use({ expectedConsole: /has been in one step for/ });

  test('a worker that hangs is replaced by another one, and nothing of the run is lost', async ({
    page,
  }) => {
    await startRun(page, RESTARTED, SOON_GIVEN_UP);
    const seen = await page.evaluate(() => {
      const { simulation } = library;
      const stalled = new Promise((resolve) => {
        simulation.on('status', ({ kind }) => {
          const { hasState } = simulation.sample(performance.now());
          if (kind === 'stalled') resolve({ state: simulation.state, hasState });
        });
      });
      void simulation.queries.hang().catch(() => {});
      library.waiting = Promise.all([
        simulation.queries.never().catch((error: Error) => error.name),
        simulation.commands.push(0, 0.5).then(() => 'done'),
      ]);
      return stalled;
    });
    expect(seen).toEqual({ state: 'stalled', hasState: true });
    await page.waitForFunction(() => library.kinds().includes('restarted'));
    // A query that the old worker has not answered, and a command that no tick had taken.
    expect(await page.evaluate(() => library.waiting)).toEqual(['WorkerFailedError', 'done']);
    await page.evaluate(() => library.moreTicks(40));
    await expectWorkers(page, 1);
    await expectNothingLost(page);
  });
});

test.describe('of a worker that is gone', () => {
  test.use({ expectedConsole: /has (?:not answered|been in one step) for/ });

  // No browser tells the page of either.
  for (const [transport, how] of [
    ['shared', 'closes itself'],
    ['transfer', 'is terminated'],
  ] as const) {
    test(`a worker that ${how} between two ticks is missed with the transport ${transport}, and nothing of the run is lost`, async ({
      page,
    }) => {
      await startRun(page, { transport, ...RESTARTED }, SOON_GIVEN_UP);
      await page.evaluate((isClosed) => {
        if (isClosed) library.worker.postMessage('close');
        else library.worker.terminate();
        library.waiting = library.simulation.commands.push(0, 0.5);
      }, how === 'closes itself');
      await page.waitForFunction(() => library.kinds().includes('restarted'));
      const error = await page.evaluate(() => {
        const lost = library.statuses.find((status) => status.kind === 'restarting');
        return library.describeError(lost?.error);
      });
      expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'hang' });
      // The worker may have been in a tick when it was terminated.
      if (how === 'closes itself') expect(error.message).toMatch(/has not answered for .* is gone/);
      await page.evaluate(() => library.waiting);
      await page.evaluate(() => library.moreTicks(40));
      await expectWorkers(page, 1);
      await expectNothingLost(page);
    });
  }
});

test.describe('of workers that fail', () => {
  // Shown where it is thrown; error-places.spec.ts tests how.
  // Firefox's driver does not give the text of a logged error.
  test.use({
    expectedConsole:
      /no luck (?:in|at) |the simulation threw in [^:]+: JSHandle|404|disallowed MIME type/,
  });

  for (const [worker, stage, message] of [
    ['throws', 'init', /no luck in init/],
    ['throwsAtLoad', 'load', /no luck at load/],
    ['missing', 'load', /the server answers 404/],
  ] as const) {
    test(`connect rejects with the stage ${stage} for the worker "${worker}", and leaves none`, async ({
      page,
    }) => {
      const error = await page.evaluate(
        (name) => library.failureOf(name, { setup: 'init' }),
        worker,
      );
      expect(error).toMatchObject({ name: 'WorkerFailedError', stage });
      expect(error?.message).toMatch(message);
      if (stage === 'init') expect(error?.workerStack).toContain('throws.worker');
      await expectWorkers(page, 0);
    });
  }
});
