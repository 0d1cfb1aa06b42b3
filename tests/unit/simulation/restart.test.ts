/** Restarts that fail, or whose caller does not wait. */
import { expect, test } from 'vitest';
import { SimulationDisposedError, WorkerFailedError } from '../../../src/render-main/index.js';
import { RESTART, connectFaulty } from '../../fixtures/faulty-toy.js';
import { takeTurn } from '../../fixtures/scripted-host.js';
import { expectReplays, failureOf } from '../../fixtures/stepped-toy.js';
import { reportsOfTest } from '../../fixtures/worlds.js';

/** Paused after two ticks. What a test adds to `silent` is not answered by the workers after that. */
async function stepped() {
  const silent: string[] = [];
  const { faulty, simulation, time } = await connectFaulty(
    'local',
    { ...RESTART, startPaused: true },
    { silent },
  );
  await time.until(simulation.step(2));
  return { faulty, simulation, time, silent };
}

test.each(['initialize', 'start'])(
  'disposing does not wait for a restarted worker that has not answered %s',
  async (call) => {
    const { faulty, simulation, silent } = await stepped();
    silent.push(call);
    faulty.worker.die();
    await faulty.pass(200);
    expect(faulty.worker.calls.at(-1)).toBe(call);
    expect([simulation.state, faulty.workers.length]).toEqual(['restarting', 2]);
    const pending = faulty.watch(simulation.pause());
    await faulty.dispose();
    expect(pending.outcome).toEqual({ reason: expect.any(SimulationDisposedError) as unknown });
    expect([faulty.worker.isTerminated, simulation.state]).toEqual([true, 'disposed']);
    expect(faulty.kinds).toEqual(['restarting', 'disposed']);
  },
);

test('what is paused, resumed or set while the next worker is being built applies to it', async () => {
  const { faulty, simulation, time } = await stepped();
  await time.until(simulation.resume());
  for (const isPaused of [true, false]) {
    const workers = faulty.workers.length;
    faulty.worker.die();
    const passed = time.advance(0);
    // The worker has received the pace from before.
    while (!faulty.workers[workers]?.calls.includes('initialize')) await takeTurn();
    const tickRateHz = isPaused ? 30 : 120;
    const calls = [isPaused ? simulation.pause() : simulation.resume()];
    await time.until(Promise.all([...calls, simulation.setTickRate(tickRateHz)]));
    await passed;
    const { tick } = simulation.stats();
    await time.advance(100);
    expect(simulation.stats()).toMatchObject({
      state: isPaused ? 'paused' : 'running',
      tickRateHz,
    });
    expect(simulation.stats().tick > tick).toBe(!isPaused);
  }
});

test('inputs that a restart has left out are reported, also if its worker fails before it runs', async () => {
  const { faulty, simulation, silent } = await stepped();
  faulty.watch(simulation.commands.poison('bad luck'));
  faulty.watch(simulation.step());
  await faulty.restarts();
  expect(faulty.kinds).toEqual(['restarting', 'restarted']);
  // The worker fails again with the command, and the next worker dies when it should start.
  silent.push('start');
  faulty.watch(simulation.step());
  while (faulty.workers.length < 3) await faulty.pass(1);
  while (!faulty.worker.calls.includes('start')) await faulty.pass(1);
  silent.length = 0;
  faulty.worker.die();
  await faulty.restarts();
  const restarted = faulty.statuses.filter(({ kind }) => kind === 'restarted');
  expect(faulty.workers).toHaveLength(4);
  expect(restarted).toMatchObject([{ skippedInputs: 0 }, { skippedInputs: 1 }]);
});

test('a tick that fails after the run has gone back is tried again with its inputs', async () => {
  const { faulty, simulation, time } = await stepped();
  faulty.worker.die();
  await faulty.restarts();
  await time.until(simulation.seek(1));
  faulty.watch(simulation.commands.poison('bad luck'));
  faulty.watch(simulation.step());
  await faulty.restarts();
  const restarted = faulty.statuses.filter(({ kind }) => kind === 'restarted');
  expect(restarted).toMatchObject([
    { tick: 2, skippedInputs: 0 },
    { tick: 1, skippedInputs: 0 },
  ]);
});

test('handlers of the status find the simulation restarting, and their calls wait for the next worker', async () => {
  const { faulty, simulation } = await stepped();
  const found: string[] = [];
  simulation.on('status', ({ kind }) => {
    if (kind !== 'restarting') return;
    found.push(simulation.state);
    faulty.watch(simulation.save());
  });
  faulty.worker.die();
  await faulty.restarts();
  await faulty.pass(100);
  expect(found).toEqual(['restarting']);
  expect(faulty.calls.at(-1)?.outcome).toMatchObject({ value: { tick: 2 } });
});

test('a worker that cannot be restarted ends the simulation, and all calls have the reason', async () => {
  const reports = reportsOfTest();
  const { faulty, simulation } = await connectFaulty(
    'local',
    { ...RESTART, recording: { limitBytes: 4096 } },
    { cannotSave: true },
  );
  // A recording that is full leads nowhere.
  while (!simulation.stats().isRecordingFull) {
    await faulty.time.until(simulation.commands.note('x'.repeat(500)));
  }
  const thrown = new Error('from a handler');
  simulation.on('status', ({ kind }) => {
    if (kind === 'failed') throw thrown;
  });
  await faulty.time.until(simulation.queries.failInNextTick('broken'));
  await faulty.pass(300);
  const error: unknown = await faulty.time.until(simulation.pause().catch((reason) => reason));
  expect(error).toMatchObject({
    name: 'WorkerFailedError',
    stage: 'tick',
    workerStack: expect.any(String) as unknown,
    message: expect.stringMatching(/broken.*cannot be restarted: the recording was full/) as string,
  });
  expect(faulty.kinds.slice(-2)).toEqual(['restarting', 'failed']);
  expect(faulty.statuses.at(-1)).toHaveProperty('error', error);
  expect([simulation.state, faulty.workers.length]).toEqual(['failed', 1]);
  // An error of a handler is the page's.
  expect(reports()).toEqual([String(thrown)]);
});

test('a run that has failed is not moved by any call made before the failure was known', async () => {
  const { faulty, simulation, time } = await stepped();
  await time.until(simulation.queries.failInNextTick('bad luck'));
  const step = failureOf(simulation.step());
  // The call is queued, and is posted within this turn of the event loop.
  for (let hops = 0; hops < 20; hops++) await Promise.resolve();
  for (const { reason } of [step, failureOf(simulation.queries.rebuild())]) {
    expect(await time.until(reason)).toBeInstanceOf(WorkerFailedError);
  }
  await faulty.restarts();
  expect(faulty.statuses).toMatchObject([{ kind: 'restarting' }, { kind: 'restarted', tick: 2 }]);
  expect(simulation.stats().tick).toBe(2);
});

test('commands that are left out are not in the recording, also if the failing tick comes before the answer to the start', async () => {
  const { faulty, simulation, time } = await connectFaulty('local', {
    ...RESTART,
    timeScale: 100,
    recording: { hashEveryTicks: 1 },
  });
  await time.advance(100);
  // A tick is due at the next reading of the clock.
  time.readingMs = 2;
  const poison = time.until(simulation.commands.poison('bad luck'));
  await expect(poison).rejects.toBeInstanceOf(WorkerFailedError);
  await faulty.restarts();
  time.readingMs = 0;
  expect(faulty.statuses.findLast(({ kind }) => kind === 'restarted')).toMatchObject({
    skippedInputs: 1,
  });
  await time.until(simulation.commands.push(1, 0.5));
  await time.until(simulation.pause());
  const recording = simulation.recording();
  expect(recording.entries.filter(({ kind }) => kind === 'command')).toMatchObject([
    { name: 'push' },
  ]);
  await expectReplays(recording);
});
