/** Workers that fail, and the end of those that do not. */
import { expect, test } from './library-page.js';

// Shown where it is thrown; error-places.spec.ts tests how.
// Firefox's driver does not give the text of a logged error.
test.use({ expectedConsole: /no luck (?:in|at) |the simulation threw in [^:]+: JSHandle/ });

test('dispose ends the worker, twice is the same, and pending calls reject', async ({ page }) => {
  await page.evaluate(() => library.start('toy'));
  await expect.poll(() => page.workers().length).toBe(1);
  const pending = await page.evaluate(async () => {
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    const call = simulation.queries.echo(1).catch((error: unknown) => library.describeError(error));
    const disposals = [simulation.dispose(), simulation.dispose()];
    await Promise.all(disposals);
    const later = await simulation.queries
      .echo(2)
      .catch((error: unknown) => library.describeError(error));
    return { call: await call, later, state: simulation.state };
  });
  expect(pending).toMatchObject({
    call: { name: 'SimulationDisposedError' },
    later: { name: 'SimulationDisposedError' },
    state: 'disposed',
  });
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a worker that hangs in its step is terminated anyway', async ({ page }) => {
  await page.evaluate(async () => {
    await library.start('toy');
    void library.simulation?.queries.stall(3_600_000).catch(() => {});
    await library.simulation?.dispose();
  });
  await expect.poll(() => page.workers().length).toBe(0);
});

test('connect rejects for an error in init, an error while the script loads, and no answer', async ({
  page,
}) => {
  await test.step('an error in init, with its message and stack', async () => {
    const error = await page.evaluate(() => library.failureOf('throwsInInit'));
    expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'init' });
    expect(error?.message).toContain('no luck in init');
    expect(error?.workerStack).toContain('toy.worker');
    await expect.poll(() => page.workers().length).toBe(0);
  });
  await test.step('an error while the script loads', async () => {
    const error = await page.evaluate(() => library.failureOf('throwsAtLoad'));
    expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
    expect(error?.message).toContain('no luck at load');
  });
  await test.step('a script that does not answer, after its timeout', async () => {
    const error = await page.evaluate(() => library.failureOf('silent', { startTimeoutMs: 500 }));
    expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
    expect(error?.message).toContain('runSimulation');
  });
});

test.describe('a missing script', () => {
  test.use({ expectedConsole: /404|disallowed MIME type/ });
  test('a missing script rejects connect and says what to check', async ({ page }) => {
    const error = await page.evaluate(() => library.failureOf('missing'));
    expect(error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
    expect(error?.message).toContain('Cross-Origin-Embedder-Policy');
  });
});

test('an error in a tick is reported to the page, rejects pending calls, and leaves the last frame', async ({
  page,
}) => {
  const answer = await page.evaluate(async () => {
    let failure: unknown;
    await library.start('toy');
    await library.simulation?.dispose();
    await library.start('toy');
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    simulation.on('status', (status) => {
      if (status.kind === 'failed') failure = library.describeError(status.error);
    });
    await library.moreTicks(5);
    simulation.sample(performance.now());
    // The failure may overtake the answer.
    await simulation.queries.throwInNextTick('no luck in a tick').catch(() => {});
    const pending = await simulation
      .step(1)
      .catch((error: unknown) => library.describeError(error));
    await library.reaches('failed');
    const later = await simulation.pause().catch((error: unknown) => library.describeError(error));
    const frame = simulation.sample(performance.now());
    const state = simulation.state;
    await simulation.dispose();
    return { failure, pending, later, state, hasState: frame.hasState };
  });
  expect(answer.failure).toMatchObject({ name: 'WorkerFailedError', stage: 'tick' });
  expect(answer.failure).toHaveProperty('message', expect.stringContaining('no luck in a tick'));
  expect(answer.failure).toHaveProperty('workerStack', expect.stringContaining('toy.worker'));
  expect(answer.later).toMatchObject({ name: 'WorkerFailedError' });
  expect(answer).toMatchObject({ state: 'failed', hasState: true });
});

test('a command that throws rejects its call and has no other effect', async ({ page }) => {
  const answer = await page.evaluate(async () => {
    await library.start('toy', { capacity: 3 });
    const { simulation } = library;
    if (simulation === undefined) throw new Error('not started');
    const thrown = await simulation.queries
      .throwNow('no luck')
      .catch((error: unknown) => library.describeError(error));
    const full = await simulation.commands
      .spawn(5)
      .catch((error: unknown) => library.describeError(error));
    const before = simulation.stats();
    await library.moreTicks(4);
    const after = simulation.stats();
    return {
      thrown,
      full,
      bodies: after.bodies,
      ran: after.tick - before.tick,
      state: after.state,
    };
  });
  expect(answer.thrown).toMatchObject({ message: 'no luck' });
  expect(answer.full).toMatchObject({ name: 'CapacityExceededError' });
  expect(answer.bodies).toBe(3);
  expect(answer.ran).toBeGreaterThan(3);
  expect(answer.state).toBe('running');
});
