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

const TICK_FAILURE = {
  type: 'betwixt:failure',
  stage: 'tick',
  tick: 17,
  message: 'boom',
  stack: 'at step (sim.ts)',
  cause: new TypeError('boom'),
};

test.each<[how: string, event: string, fields: object, says: RegExp, error: object]>([
  [
    'in a tick',
    'message',
    { data: TICK_FAILURE },
    /threw in tick 17: boom/,
    { stage: 'tick', workerStack: 'at step (sim.ts)', cause: expect.any(TypeError) },
  ],
  [
    'with an uncaught error',
    'error',
    { message: 'Uncaught Error: boom', error: null },
    /worker script failed: Uncaught Error: boom/,
    { stage: 'load' },
  ],
  ['without a message: not loaded', 'error', {}, /^there is no script$/, { stage: 'load' }],
  [
    'with the message of HTML: not loaded',
    'error',
    { message: "Uncaught SyntaxError: Unexpected token '<'" },
    /^there is no script$/,
    { stage: 'load' },
  ],
  ['with what cannot be read', 'messageerror', {}, /could not be read/, { stage: 'tick' }],
])('if a worker fails %s, all calls have one reason', async (_, event, fields, says, error) => {
  const pending = calls();
  worker.emit(event, fields);
  await reportedTo();
  const reasons = await Promise.all(
    [...pending, start()].map((promise) => promise.catch((reason: unknown) => reason)),
  );
  const [first] = reasons;
  expect(first).toBeInstanceOf(WorkerFailedError);
  expect(first).toMatchObject({ ...error, message: expect.stringMatching(says) as unknown });
  expect(reasons.every((reason) => reason === first)).toBe(true);
  expect(client.ended).toBe(first);
  expect(onFailure.mock.calls).toEqual([[first]]);
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
