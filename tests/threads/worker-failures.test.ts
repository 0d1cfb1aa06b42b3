/** Workers that cannot start, throw in a tick, or end: what the page reports of a real thread. */
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
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
import { tuned } from '../../src/render-main/api/connect-options.js';

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

test.each<[string, () => Worker, 'init' | 'load', RegExp, string]>([
  [
    'whose init throws',
    () => startThread('toy', { initError: 'no such scene' }),
    'init',
    /^the simulation threw in init: no such scene$/,
    'toy-simulation',
  ],
  [
    'whose script throws',
    () => startThread('throwing'),
    'load',
    /worker script failed: thrown at the top level/,
    'throwing.worker',
  ],
  [
    'whose script throws what is no error',
    () => startThread('throwing', { thrown: 'plain text' }),
    'load',
    /^the worker script failed: plain text$/,
    '',
  ],
  [
    'whose file is missing',
    () => startThread('missing'),
    'load',
    /worker script failed: .*missing\.worker\.js/,
    '',
  ],
  [
    'that never calls runSimulation',
    () => startThread('throwing', { isSilent: true }),
    'load',
    /did not answer within 300 ms.*runSimulation/,
    '',
  ],
])('a worker %s rejects connect by name, and is ended', async (_, start, stage, message, where) => {
  const exits: Promise<unknown>[] = [];
  // A worker that fails by itself may take as long as it likes.
  const startTimeoutMs = message.source.includes('300 ms') ? 300 : 60_000;
  const failure = await failureOf(
    connect(
      () => {
        const thread = start();
        exits.push(new Promise((resolve) => thread.once('exit', resolve)));
        return fromNodeWorker(thread);
      },
      tuned(OPTIONS, { startTimeoutMs }),
    ),
  );
  await Promise.all(exits);
  expect(failure.stage).toBe(stage);
  expect(failure.message).toMatch(message);
  expect(String(failure.workerStack)).toContain(where);
});

test('after a worker that could not start, another one can be', async () => {
  await expect(connectToy(OPTIONS, { initError: 'first try' })).rejects.toThrow(/first try/);
  const simulation = await connectToyForTest(OPTIONS);
  expect(await simulation.queries.echo('second try')).toBe('second try');
});

test.each([
  [
    'of another version',
    CONTROL.version,
    LAYOUT_VERSION + 1,
    `layout version ${LAYOUT_VERSION + 1}, and this code reads version ${LAYOUT_VERSION}:`,
  ],
  ['that does not belong to the library', CONTROL.magic, 0, 'layout version none'],
])('a worker refuses a buffer %s', async (_, word, value, message) => {
  const thread = startThread('toy');
  onTestFinished(() => void thread.terminate());
  const { buffer, control } = createBuffer(64, 4);
  control[word] = value;
  const worker = fromNodeWorker(thread);
  const client = new ControlClient({
    worker,
    port: openPort(worker),
    control,
    events: { onFailure: () => {}, onMessage: () => {} },
  });
  const answer = client.call((remote) =>
    remote.initialize({ transport: 'shared', buffer }, DEFAULT_WORKER_OPTIONS),
  );
  await expect(answer).rejects.toThrow(message);
  await expect(answer).rejects.toBeInstanceOf(SnapshotFormatError);
  // It was not initialized, and reports that instead of failing later.
  await expect(client.call((remote) => remote.save())).rejects.toThrow(/not been initialized/);
});

test('a worker that throws in a tick rejects all pending and later calls with one error', async () => {
  const simulation = await connectToyForTest(OPTIONS);
  const failures = failuresOf(simulation);
  const failure = failureOf(simulation.queries.never());
  const { tick } = simulation.stats();
  // The failure may overtake its answer: they come through different ports.
  await simulation.queries.failInNextTick('out of bounds').catch(() => {});

  const error = await failure;
  expect(error.stage).toBe('tick');
  expect(error.message).toMatch(/^the simulation threw in tick \d+: out of bounds$/);
  const failedTick = Number(/\d+/.exec(error.message)?.[0]);
  expect(failedTick).toBeGreaterThan(tick);
  expect(error.workerStack).toContain('toy-simulation');
  // The last tick that ran is the one before, and it is still drawn.
  expect(simulation.stats()).toMatchObject({ state: 'failed', tick: failedTick - 1 });
  expect(simulation.sample(performance.now()).hasState).toBe(true);
  expect(failures).toEqual([error]);
  expect(await failureOf(simulation.pause())).toBe(error);
  expect(await failureOf(simulation.queries.echo(1))).toBe(error);
});

test('a worker that throws in a step rejects that step', async () => {
  const simulation = await connectToyForTest({ ...OPTIONS, startPaused: true });
  const failures = failuresOf(simulation);
  expect(await simulation.step(2)).toBe(2);
  await simulation.queries.failInNextTick('at last');
  const error = await failureOf(simulation.step(5));
  expect(failures).toEqual([error]);
  expect(error.message).toBe('the simulation threw in tick 3: at last');
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
