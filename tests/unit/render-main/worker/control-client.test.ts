import { beforeEach, expect, test, vi } from 'vitest';
import { ControlClient, openPort } from '../../../../src/render-main/worker/control-client.js';
import { SimulationDisposedError, WorkerFailedError } from '../../../../src/render-main/index.js';
import { CONTROL, CONTROL_LENGTH } from '../../../../src/shared/memory/layout.js';
import { firstPace } from '../../../fixtures/page-pace.js';
import { DEFAULT_WORKER_OPTIONS } from '../../../fixtures/worker-options.js';
import { FakeWorker } from '../../../fixtures/fake-worker.js';
import { turnsUntil } from '../../../fixtures/scripted-host.js';

let worker: FakeWorker;
let control: Int32Array;
let client: ControlClient;
const onFailure = vi.fn<(error: Error) => void>();

const why = async () => 'there is no script';

beforeEach(() => {
  onFailure.mockClear();
  worker = new FakeWorker();
  control = new Int32Array(new SharedArrayBuffer(CONTROL_LENGTH * 4));
  client = clientOf(worker, openPort(worker));
});

const clientOf = (
  given: FakeWorker,
  port: MessagePort,
  onMessage: (message: object) => void = () => {},
) => {
  const events = { onFailure, onMessage };
  return new ControlClient({ worker: given, port, control, events, whyNotLoaded: why });
};

const rings = (): number => control[CONTROL.doorbell] ?? 0;
const start = (): Promise<void> =>
  client.call((remote) => remote.start(firstPace(DEFAULT_WORKER_OPTIONS)));

test('a call to the worker posts first and rings second, once', () => {
  const ringsAtPost: number[] = [];
  worker.onPost = () => ringsAtPost.push(rings());
  void start().catch(() => {});
  void start().catch(() => {});
  expect(ringsAtPost).toEqual([0, 1]);
  expect(rings()).toBe(2);
  expect(worker.calls).toEqual(['start', 'start']);
});

test('a call that cannot be posted rejects, rings nothing and does not affect the next one', async () => {
  worker.onPost = () => {
    worker.onPost = undefined;
    throw new DOMException('a function could not be cloned', 'DataCloneError');
  };
  await expect(start()).rejects.toThrow(/could not be cloned/);
  expect(rings()).toBe(0);
  const answer = start();
  worker.answer('start', undefined);
  await expect(answer).resolves.toBeUndefined();
});

const calls = (): Promise<unknown>[] => {
  const made = [start(), client.call((remote) => remote.step(1))];
  // Some reject before the test looks at them.
  for (const call of made) call.catch(() => {});
  return made;
};

/** The end of a worker is reported a little later. */
const reportedTo = (): Promise<void> => turnsUntil(() => onFailure.mock.calls.length > 0);

async function expectAllRejected(pending: readonly Promise<unknown>[], pattern: RegExp) {
  const reasons = await Promise.all(
    [...pending, start()].map((promise) => promise.catch((reason: unknown) => reason)),
  );
  const [first] = reasons;
  expect(first).toBeInstanceOf(WorkerFailedError);
  expect((first as Error).message).toMatch(pattern);
  // One error for all, including later calls, and the application is notified once.
  expect(reasons.every((reason) => reason === first)).toBe(true);
  expect(client.ended).toBe(first);
  expect(onFailure.mock.calls).toEqual([[first]]);
  return first as WorkerFailedError;
}

test('when the worker fails in a tick, all calls reject with its number, message and stack', async () => {
  const pending = calls();
  const failure = {
    type: 'betwixt:failure',
    stage: 'tick',
    tick: 17,
    message: 'boom',
    stack: 'at step (sim.ts)',
    cause: new TypeError('boom'),
  };
  worker.emit('message', { data: failure });
  const error = await expectAllRejected(pending, /threw in tick 17: boom/);
  expect([error.stage, error.workerStack]).toEqual(['tick', 'at step (sim.ts)']);
  expect(error.cause).toBeInstanceOf(TypeError);
});

test('when the worker fails with an uncaught error, all calls reject with its message', async () => {
  const pending = calls();
  worker.emit('error', { message: 'Uncaught Error: boom', error: null });
  await reportedTo();
  const error = await expectAllRejected(pending, /worker script failed: Uncaught Error: boom/);
  expect(error.stage).toBe('load');
});

test.each([false, true])(
  'a worker that fails without a message, or with that of HTML (%s), did not load, for the reason that was found',
  async (html) => {
    const pending = calls();
    worker.emit('error', html ? { message: "Uncaught SyntaxError: Unexpected token '<'" } : {});
    await reportedTo();
    const error = await expectAllRejected(pending, /^there is no script$/);
    expect(error.stage).toBe('load');
  },
);

test('when the worker fails with a message that cannot be read, all calls reject', async () => {
  const pending = calls();
  worker.emit('messageerror', {});
  const error = await expectAllRejected(pending, /could not be read/);
  expect(error.stage).toBe('tick');
});

test('messages that arrive after the end of a worker count', async () => {
  const onMessage = vi.fn<(message: object) => void>();
  const reported = clientOf(worker, openPort(worker), onMessage);
  worker.emit('exit', {});
  const journal = { type: 'betwixt:journal', items: [] };
  worker.emit('message', { data: journal });
  // Not until a handler is called: the client of every test sees the same end, and may be the first.
  await turnsUntil(() => reported.ended !== undefined);
  expect(onMessage.mock.calls).toEqual([[journal]]);
  expect(reported.ended).toBeInstanceOf(WorkerFailedError);
});

test('the browser shows the error of a worker, with its place in the source', () => {
  let wasPrevented = false;
  worker.addEventListener('error', (event) => {
    wasPrevented = event.defaultPrevented;
  });
  worker.emit('error', { message: 'boom' });
  expect(wasPrevented).toBe(false);
});

const reason = new SimulationDisposedError('over');

test('the end of a client happens once: the first reason is kept', () => {
  vi.useFakeTimers();
  client.end(reason);
  client.end(new Error('later'));
  worker.emit('error', { message: 'even later' });
  vi.runAllTimers();
  expect(client.ended).toBe(reason);
  expect(onFailure).not.toHaveBeenCalled();
});

test('the end of a client leaves no listener and no port behind', () => {
  const others = new FakeWorker();
  const port = openPort(others);
  const close = vi.spyOn(port, 'close');
  const released = clientOf(others, port);
  expect(others.listeners).toBe(2);
  released.end(reason);
  expect(close).not.toHaveBeenCalled();
  released.release();
  expect(others.listeners).toBe(0);
  expect(close).toHaveBeenCalledTimes(1);
});
