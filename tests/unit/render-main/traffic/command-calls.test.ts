import { beforeEach, expect, test } from 'vitest';
import { CommandCalls } from '../../../../src/render-main/traffic/command-calls.js';
import { InputSender } from '../../../../src/render-main/traffic/input-sender.js';
import { inputQueueOf } from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import {
  CapacityExceededError,
  QueueFullError,
  ReplayShownError,
} from '../../../../src/shared/util/errors.js';
import type { BufferViews } from '../../../../src/shared/memory/layout.js';
import { QueueReader } from '../../../../src/shared/memory/record-queue.js';
import type { TickInputs } from '../../../../src/shared/input/tick-inputs.js';
import { TickInputQueue } from '../../../../src/sim-worker/loop/tick-source.js';

let inputs: InputSender;
let calls: CommandCalls;
let views: BufferViews;

beforeEach(() => {
  views = createBuffer(1, 2, undefined, { inputWords: 64, eventWords: 64 });
  inputs = new InputSender();
  inputs.attach(views);
  calls = new CommandCalls(inputs, new Set());
});

/** The commands that a tick would receive. */
const taken = (): TickInputs['commands'] =>
  new TickInputQueue({
    queue: new QueueReader(inputQueueOf(views)),
    commandNames: ['jump', 'build'],
  }).take(0, Number.POSITIVE_INFINITY).commands;

/** The state of a promise now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise.catch((reason: unknown) => reason), Promise.resolve('pending')]);
}

test('a command goes through the queue with its index, its arguments and its own number', () => {
  void calls.call('build', 1, [1, 'two', { three: [null] }]);
  void calls.call('jump', 0, []);
  expect(taken()).toEqual([
    { kind: 'command', name: 'build', args: '[1,"two",{"three":[null]}]', call: 1 },
    { kind: 'command', name: 'jump', args: '[]', call: 2 },
  ]);
});

test('a command resolves with the result of its tick, in any order', async () => {
  const first = calls.call('jump', 0, []);
  const second = calls.call('jump', 0, []);
  calls.onReply({ call: 2, value: 'second' });
  expect(await second).toBe('second');
  expect(await stateOf(first)).toBe('pending');
  calls.onReply({ call: 1, value: undefined });
  expect(await first).toBeUndefined();
});

test('a command rejects with what it threw: name, message, stack, and class', async () => {
  const wrong = calls.call('jump', 0, []);
  const full = calls.call('jump', 0, []);
  const error = { name: 'RangeError', message: 'too high', stack: 'at jump (sim.ts)' };
  calls.onReply({ call: 1, error });
  await expect(wrong).rejects.toMatchObject(error);
  const capacity = { ...error, name: 'CapacityExceededError' };
  calls.onReply({ call: 2, error: capacity });
  await expect(full).rejects.toBeInstanceOf(CapacityExceededError);
});

test('a command is answered once, and answers to unknown calls are dropped', async () => {
  const call = calls.call('jump', 0, []);
  calls.onReply({ call: 9, value: 'of another' });
  calls.onReply({ call: 1, value: 'first' });
  calls.onReply({ call: 1, value: 'second' });
  expect(await call).toBe('first');
});

test.each([TypeError, /the command "jump" .* at \[0\]\.x,/])(
  'a command with what could not be recorded is refused, and not sent: %s',
  (error) => {
    expect(() => calls.call('jump', 0, [{ x: Number.NaN }])).toThrow(error);
    expect(taken()).toEqual([]);
  },
);

test('a command that finds no room in the queue rejects, and none of it is sent', async () => {
  const accepted = Array.from({ length: 10 }, () => calls.call('jump', 0, []));
  const refused = calls.call('jump', 0, []);
  await expect(refused).rejects.toBeInstanceOf(QueueFullError);
  await expect(refused).rejects.toThrow(/"jump" was refused: the input queue is full/);
  expect(taken()).toHaveLength(10);
  expect(inputs.refused).toBe(1);
  // The others still wait for their tick.
  expect(await stateOf(Promise.any(accepted))).toBe('pending');
});

test("a command rejects while a recording's inputs are replayed", async () => {
  inputs.isOpen = false;
  await expect(calls.call('jump', 0, [])).rejects.toBeInstanceOf(ReplayShownError);
  inputs.isOpen = true;
  void calls.call('jump', 0, []);
  expect(taken()).toHaveLength(1);
});

test('a command rejects when there could never be room for it', async () => {
  await expect(calls.call('jump', 0, ['x'.repeat(300)])).rejects.toThrow(
    /the command "jump" was refused: 324 bytes can never be queued: .* as an asset/,
  );
  await expect(calls.call('jump', 0, ['x', new Float64Array(40)])).rejects.toThrow(/348 bytes/);
});

test('a command sends a typed array as it was at the call', () => {
  const array = Int16Array.of(1, 2, 3);
  void calls.call('jump', 0, ['by', array]);
  array.fill(9);
  expect(taken()).toMatchObject([{ args: '["by"]', data: Int16Array.of(1, 2, 3) }]);
});

test('the end of a worker rejects pending calls, and later calls work', async () => {
  const reason = new Error('the worker has failed');
  const waiting = [calls.call('jump', 0, []), calls.call('jump', 0, [])];
  calls.rejectAll(reason);
  for (const call of waiting) await expect(call).rejects.toBe(reason);
  const later = calls.call('jump', 0, []);
  calls.onReply({ call: 1, value: 'too late' });
  calls.onReply({ call: 3, value: 'in time' });
  expect(await later).toBe('in time');
});
