import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WorkerFailedError, connect } from '../../../src/render-main/index.js';
import { FakeWorker } from '../../fixtures/fake-worker.js';
import { settling, turnsUntil } from '../../fixtures/scripted-host.js';
import { VirtualTime } from '../../fixtures/virtual-time.js';
import { tuned } from '../../../src/render-main/api/connect-options.js';

/** Connects to a worker that does not exist, and waits until it was called. */
async function connecting(options: Parameters<typeof connect>[1] = {}) {
  const worker = new FakeWorker();
  const connection = connect(() => worker, options);
  const isSettled = settling(connection);
  const outcome = connection.catch((reason: unknown) => reason as Error);
  await turnsUntil(() => isSettled() || worker.calls.includes('initialize'));
  return { worker, outcome };
}

test('a worker that does not answer in time has failed to load', async () => {
  const time = new VirtualTime();
  const { worker, outcome } = await connecting(tuned({}, { startTimeoutMs: 20 }));
  await time.advance(19);
  expect(worker.isTerminated).toBe(false);
  await time.advance(1);
  const error = await outcome;
  expect(error).toBeInstanceOf(WorkerFailedError);
  expect(error).toMatchObject({
    stage: 'load',
    message: expect.stringMatching(/did not answer within 20 ms.*runSimulation.*check its address/),
  });
  expect(worker.isTerminated).toBe(true);
});

test("an error thrown by `init` rejects with its message and the worker's stack", async () => {
  const { worker, outcome } = await connecting();
  const thrown = { name: 'Error', message: 'no scene', stack: 'at init (sim.ts)' };
  worker.emit('message', { data: { type: 'betwixt:failure', stage: 'init', tick: 1, ...thrown } });
  const error = await outcome;
  expect(error).toBeInstanceOf(WorkerFailedError);
  expect(error).toMatchObject({
    stage: 'init',
    message: 'the simulation threw in init: no scene',
    workerStack: 'at init (sim.ts)',
  });
  expect(worker.isTerminated).toBe(true);
});

const OFFLINE = { name: 'PartNotLoadedError', message: 'a part of betwixt did not load: offline' };
const RELEASE = { name: 'SnapshotFormatError', message: 'it has layout version 4, not version 3' };

test.each([
  [
    'of the library',
    { name: 'TypeError', message: 'oops' },
    {
      stage: 'protocol',
      message: 'betwixt threw, and not the simulation. Please report it: oops',
      workerStack: 'at assemble (sim.js)',
    },
  ],
  ['of a part that does not load', OFFLINE, { stage: 'load', message: OFFLINE.message }],
  ['of another release', RELEASE, RELEASE],
])(
  'an error %s in the worker is not one of the simulation, and leaves no worker',
  async (_, thrown, error) => {
    const { worker, outcome } = await connecting();
    worker.reject('initialize', { ...thrown, stack: 'at assemble (sim.js)' });
    expect(await outcome).toMatchObject(error);
    expect(worker.isTerminated).toBe(true);
  },
);

test('a failure before the start rejects `connect`, and is not also an uncaught error', async () => {
  const reportError = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', reportError);
  const { worker, outcome } = await connecting();
  worker.emit('error', { message: 'Uncaught SyntaxError: unexpected token' });
  expect((await outcome) as Error).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  expect(reportError).not.toHaveBeenCalled();
});

test('a part of the library that does not load leaves no worker, and the error says so', async () => {
  const part = fileURLToPath(
    new URL('../../../src/render-main/worker/page-mirror.ts', import.meta.url),
  );
  vi.doMock(part, () => Promise.reject(new TypeError('offline')));
  onTestFinished(async () => {
    // Vitest applies a replacement, and its end, in the next import, in many turns. Imports that are still busy with the
    // replacement would forget the end: the part would stay broken for the tests after this.
    await vi.dynamicImportSettled();
    vi.doUnmock(part);
    await import(/* @vite-ignore */ part);
  });
  const worker = new FakeWorker();
  const connection = connect(() => worker, { transport: 'transfer' });
  await expect(connection).rejects.toMatchObject({
    name: 'PartNotLoadedError',
    message: expect.stringMatching(/^a part of betwixt did not load: .*Check the connection/s),
    cause: expect.anything(),
  });
  expect(worker.isTerminated).toBe(true);
});
