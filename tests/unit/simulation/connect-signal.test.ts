/** The option `signal` of `connect`: it ends connecting at any point, and has no effect afterwards. */
import { getEventListeners } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { connect } from '../../../src/render-main/index.js';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import { CONTROL, CONTROL_LENGTH, WORKER_PHASE } from '../../../src/shared/memory/layout.js';
import { FakeWorker } from '../../fixtures/fake-worker.js';
import { turnsUntil } from '../../fixtures/scripted-host.js';

const reason = new Error('unmounted');

/** Answers what is answered at once, in the page's thread, and stops when it is asked to. */
class AnsweringWorker extends FakeWorker {
  #control: Int32Array = new Int32Array(CONTROL_LENGTH);

  constructor(answers: readonly string[]) {
    super();
    const info = { commands: [], queries: [], canSave: false };
    this.onPost = () => {
      const name = this.calls.at(-1) ?? '';
      const value = name === 'initialize' ? info : undefined;
      if (answers.includes(name)) queueMicrotask(() => this.answer(name, value));
      if (name === 'stop') Atomics.store(this.#control, CONTROL.phase, WORKER_PHASE.stopped);
    };
  }

  attachMemory(buffer: ArrayBufferLike): void {
    this.#control = new Int32Array(buffer, 0, CONTROL_LENGTH);
  }
}

let controller: AbortController;
beforeEach(() => {
  controller = new AbortController();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});

/** The outcome of `connect`. Listens immediately, so that no rejection is unhandled. */
const connecting = (
  createWorker: () => FakeWorker | Promise<FakeWorker>,
  signal = controller.signal,
): Promise<unknown> =>
  connect(createWorker, { transport: 'local', signal }).catch((error: unknown) => error);

/** Nothing is left of connecting to a worker. */
function expectNothingLeft(worker: FakeWorker): void {
  expect([worker.isTerminated, worker.listeners]).toEqual([true, 0]);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
}

const WRONG = new TypeError('signal must be an AbortSignal');

test.each<[signal: unknown, error: Error]>([
  [null, WRONG],
  [{}, WRONG],
  [new AbortController(), WRONG],
  // Aborted already.
  [AbortSignal.abort(reason), reason],
])('with %o as its signal, connect creates no worker', async (signal, error) => {
  const createWorker = vi.fn<() => FakeWorker>();
  expect(await connecting(createWorker, signal as AbortSignal)).toEqual(error);
  expect(createWorker).not.toHaveBeenCalled();
});

test('no worker is created if the signal is aborted in the same task, as between the two mounts of StrictMode', async () => {
  const createWorker = vi.fn<() => FakeWorker>(
    () => new AnsweringWorker(['initialize', 'start', 'stop']),
  );
  const first = connecting(createWorker);
  controller.abort(reason);
  const { signal } = new AbortController();
  const second = connect(createWorker, { transport: 'local', signal });
  expect(await first).toBe(reason);
  const simulation = await second;
  expect(createWorker).toHaveBeenCalledTimes(1);
  await simulation.dispose();
});

test('a worker that is still being created is terminated when it exists', async () => {
  const { promise, resolve } = withResolvers<FakeWorker>();
  const createWorker = vi.fn<() => Promise<FakeWorker>>(() => promise);
  const outcome = connecting(createWorker);
  await turnsUntil(() => createWorker.mock.calls.length > 0);
  controller.abort(reason);
  // Before it exists.
  expect(await outcome).toBe(reason);
  const worker = new AnsweringWorker([]);
  resolve(worker);
  await turnsUntil(() => worker.isTerminated);
  expect(worker.posted).toEqual([]);
});

test('a worker is terminated if the signal is aborted just after it was created', async () => {
  const worker = new AnsweringWorker([]);
  const outcome = connecting(() => {
    queueMicrotask(() => controller.abort(reason));
    return worker;
  });
  expect(await outcome).toBe(reason);
  await turnsUntil(() => worker.isTerminated);
  expect(worker.posted).toEqual([]);
});

test.each([
  ['initialize', []],
  ['start', ['initialize']],
] as const)(
  'a worker that has not answered %s is terminated by the signal of connect',
  async (name, answers) => {
    const worker = new AnsweringWorker(answers);
    const outcome = connecting(() => worker);
    await turnsUntil(() => worker.calls.includes(name));
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await turnsUntil(() => getEventListeners(controller.signal, 'abort').length === 0);
    expectNothingLeft(worker);
  },
);

test('a connection that fails by itself rejects with its own reason, and leaves no listener', async () => {
  const worker = new AnsweringWorker([]);
  const outcome = connecting(() => worker);
  await turnsUntil(() => worker.calls.includes('initialize'));
  worker.emit('error', { message: 'Uncaught SyntaxError: unexpected token' });
  vi.runOnlyPendingTimers();
  expect(await outcome).toMatchObject({ name: 'WorkerFailedError', stage: 'load' });
  expectNothingLeft(worker);
});

test('a signal has no effect after `connect` has resolved', async () => {
  const worker = new AnsweringWorker(['initialize', 'start', 'stop', 'follow']);
  const { signal } = controller;
  const simulation = await connect(() => worker, { transport: 'local', signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  controller.abort(reason);
  await simulation.pause();
  expect([simulation.state, worker.isTerminated]).toEqual(['paused', false]);
  await simulation.dispose();
});
