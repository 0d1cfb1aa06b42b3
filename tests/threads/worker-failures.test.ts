import type { Worker } from 'node:worker_threads';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ControlClient, openPort } from '../../src/render-main/worker/control-client.js';
import {
  SnapshotFormatError,
  WorkerFailedError,
  connect,
  fromNodeWorker,
  type ConnectOptions,
} from '../../src/render-main/index.js';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { CONTROL, LAYOUT_VERSION } from '../../src/shared/memory/layout.js';
import { connectToy, connectToyForTest, startThread, type ToyHandle } from '../fixtures/threads.js';
import { DEFAULT_WORKER_OPTIONS } from '../fixtures/worker-options.js';

const OPTIONS: ConnectOptions = { tickRateHz: 60, capacity: 64 };

const failureOf = async (promise: Promise<unknown>): Promise<WorkerFailedError> => {
  const reason: unknown = await promise.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(WorkerFailedError);
  return reason as WorkerFailedError;
};

/** The failures reported to the application from now on. */
function failuresOf(simulation: ToyHandle): unknown[] {
  const failures: unknown[] = [];
  simulation.on('status', (status) => {
    if (status.kind === 'failed') failures.push(status.error);
  });
  return failures;
}

/** Connects to a worker, and resolves when that thread has ended. */
async function failsToConnect(makeWorker: () => Worker, options: ConnectOptions = OPTIONS) {
  const exits: Promise<unknown>[] = [];
  const failure = await failureOf(
    connect(() => {
      const thread = makeWorker();
      exits.push(new Promise((resolve) => thread.once('exit', resolve)));
      return fromNodeWorker(thread);
    }, options),
  );
  await Promise.all(exits);
  return failure;
}

describe('a worker that cannot start', () => {
  test('because `init` throws, rejects with its message and stack, and is ended', async () => {
    const failure = await failsToConnect(() => startThread('toy', { initError: 'no such scene' }));
    expect(failure.stage).toBe('init');
    expect(failure.message).toBe('the simulation threw in init: no such scene');
    expect(failure.workerStack).toContain('toy-simulation');
    expect(failure.stack).toContain('toy-simulation');
    expect(failure.cause).toMatchObject({ message: 'no such scene' });
  });

  test('because its script throws, rejects with its message and stack', async () => {
    const failure = await failsToConnect(() => startThread('throwing'));
    expect(failure.stage).toBe('load');
    expect(failure.message).toMatch(/worker script failed: thrown at the top level/);
    expect(failure.workerStack).toContain('throwing.worker');
  });

  test('because its script throws a value that is not an error, rejects with that', async () => {
    const failure = await failsToConnect(() => startThread('throwing', { thrown: 'plain text' }));
    expect(failure.stage).toBe('load');
    expect(failure.message).toBe('the worker script failed: plain text');
  });

  test("because its file is missing, rejects with the file's name", async () => {
    const failure = await failsToConnect(() => startThread('missing'));
    expect(failure.stage).toBe('load');
    expect(failure.message).toMatch(/worker script failed: .*missing\.worker\.js/);
  });

  test('because it never calls runSimulation, rejects in time and says what to check', async () => {
    const failure = await failsToConnect(() => startThread('silent'), {
      ...OPTIONS,
      startTimeoutMs: 300,
    });
    expect(failure.stage).toBe('load');
    expect(failure.message).toMatch(/did not answer within 300 ms.*runSimulation/);
  });

  test('leaves nothing behind, and may be started again', async () => {
    await expect(connectToy(OPTIONS, { initError: 'first try' })).rejects.toThrow(/first try/);
    const simulation = await connectToyForTest(OPTIONS);
    expect(await simulation.queries.echo('second try')).toBe('second try');
  });
});

describe('a worker that receives a buffer', () => {
  test.each([
    [
      'of another version',
      CONTROL.version,
      LAYOUT_VERSION + 1,
      `layout version ${LAYOUT_VERSION + 1}, and this code reads version ${LAYOUT_VERSION}:`,
    ],
    ['that does not belong to the library', CONTROL.magic, 0, 'layout version none'],
  ])('%s refuses it', async (_, word, value, message) => {
    const thread = startThread('toy');
    onTestFinished(() => void thread.terminate());
    const { buffer, control } = createBuffer(64, 4);
    control[word] = value;
    const worker = fromNodeWorker(thread);
    const client = new ControlClient(worker, openPort(worker), control, {
      onFailure: () => {},
      onMessage: () => {},
    });
    const answer = client.call((remote) =>
      remote.initialize({ transport: 'shared', buffer }, DEFAULT_WORKER_OPTIONS),
    );
    await expect(answer).rejects.toThrow(message);
    await expect(answer).rejects.toBeInstanceOf(SnapshotFormatError);
    // It was not initialized, and reports that instead of failing later.
    await expect(client.call((remote) => remote.start())).rejects.toThrow(/not been initialized/);
    await expect(client.call((remote) => remote.pause())).rejects.toThrow(/not been initialized/);
  });
});

describe('a worker that throws in a tick', () => {
  test('rejects all pending and later calls with one error, and notifies the application once', async () => {
    const simulation = await connectToyForTest(OPTIONS);
    const failures = failuresOf(simulation);
    const never = simulation.queries.never();
    const failure = failureOf(never);
    const { tick } = simulation.stats();
    // The failure may overtake its answer: they come through different ports.
    await simulation.queries.failInNextTick('out of bounds').catch(() => {});

    const error = await failure;
    expect(error.stage).toBe('tick');
    expect(error.message).toMatch(/^the simulation threw in tick \d+: out of bounds$/);
    const failedTick = Number(/\d+/.exec(error.message)?.[0]);
    expect(failedTick).toBeGreaterThan(tick);
    expect(error.workerStack).toContain('toy-simulation');
    expect(simulation.state).toBe('failed');
    // The last tick that ran is the one before.
    expect(simulation.stats().tick).toBe(failedTick - 1);
    expect(failures).toEqual([error]);
    expect(await failureOf(simulation.pause())).toBe(error);
    expect(await failureOf(simulation.resume())).toBe(error);
    expect(await failureOf(simulation.queries.echo(1))).toBe(error);
  });

  test('of a step rejects that step', async () => {
    const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
    const failures = failuresOf(simulation);
    expect(await simulation.step(2)).toBe(2);
    await simulation.queries.failInNextTick('at last');
    const error = await failureOf(simulation.step(5));
    expect(failures).toEqual([error]);
    expect(error.message).toBe('the simulation threw in tick 3: at last');
  });

  test('still shows the last frame', async () => {
    const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
    const failures = failuresOf(simulation);
    await simulation.step(5);
    const failure = failureOf(simulation.queries.never());
    await simulation.queries.failInNextTick('frozen');
    await failureOf(simulation.step());
    expect(failures).toEqual([await failure]);
    expect(simulation.sample(performance.now()).hasState).toBe(true);
    expect(simulation.stats()).toMatchObject({ state: 'failed', tick: 5 });
  });
});

test('a worker that ends by itself rejects all pending calls, and has failed', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const failures = failuresOf(simulation);
  const pending = [simulation.queries.never(), simulation.queries.exit()].map(failureOf);
  const [first, second] = await Promise.all(pending);
  expect(first?.message).toMatch(/ended by itself/);
  expect(second).toBe(first);
  expect(simulation.state).toBe('failed');
  expect(failures).toEqual([first]);
});
