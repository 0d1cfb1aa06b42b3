import { beforeEach, expect, test } from 'vitest';
import { CommandCalls } from '../../../../src/render-main/traffic/command-calls.js';
import { InputSender } from '../../../../src/render-main/traffic/input-sender.js';
import { inputQueueOf } from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { QueueFullError } from '../../../../src/shared/util/errors.js';
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

test('a command is answered once, and answers to unknown calls are dropped', async () => {
  const call = calls.call('jump', 0, []);
  calls.onReply({ call: 9, value: 'of another' });
  calls.onReply({ call: 1, value: 'first' });
  calls.onReply({ call: 1, value: 'second' });
  expect(await call).toBe('first');
});

test('a command with what could not be recorded is refused, and not sent', () => {
  const args = [{ x: Number.NaN }];
  expect(() => calls.call('jump', 0, args)).toThrow(TypeError);
  expect(() => calls.call('jump', 0, args)).toThrow(/the command "jump" .* at \[0\]\.x,/);
  expect(taken()).toEqual([]);
});

test('a command that finds no room in the queue rejects, and none of it is sent', async () => {
  const accepted = Promise.any(Array.from({ length: 10 }, () => calls.call('jump', 0, [])));
  const refused = calls.call('jump', 0, []);
  await expect(refused).rejects.toBeInstanceOf(QueueFullError);
  await expect(refused).rejects.toThrow(/"jump" was refused: the input queue is full/);
  expect(taken()).toHaveLength(10);
  expect(inputs.refused).toBe(1);
  // The others still wait for their tick.
  expect(await Promise.race([accepted, Promise.resolve('pending')])).toBe('pending');
});

test('a command rejects when there could never be room for it', async () => {
  await expect(calls.call('jump', 0, ['x'.repeat(300)])).rejects.toThrow(
    /the command "jump" was refused: 324 bytes can never be queued: .* as an asset/,
  );
  await expect(calls.call('jump', 0, ['x', new Float64Array(40)])).rejects.toThrow(/348 bytes/);
});
