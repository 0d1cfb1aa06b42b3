import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { InputSender } from '../../../../src/render-main/traffic/input-sender.js';
import { inputQueueOf } from '../../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import { decodeInput, stampOf } from '../../../../src/shared/input/input-record.js';
import { INPUT_RECORD, type BufferViews } from '../../../../src/shared/memory/layout.js';
import { QueueReader } from '../../../../src/shared/memory/record-queue.js';
import { inputValues } from '../../../fixtures/input-values.js';
import { scanned } from '../../../fixtures/test-queue.js';

/** Room for four inputs: each takes 15 words. */
const QUEUES = { inputWords: 64, eventWords: 64 };
const ROOM = 4;
const NOW_MS = 5000;

let sender: InputSender;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(NOW_MS);
  sender = new InputSender();
});

const attachNew = (): BufferViews => {
  const views = createBuffer(1, 2, undefined, QUEUES);
  sender.attach(views);
  return views;
};

const input = (code: number) => inputValues('keydown', { code });
const push = (...codes: number[]): boolean[] =>
  codes.map((code) => sender.push(input(code), NOW_MS - 1));
const pushCommand = (): boolean => sender.pushCommand(0, 1, { args: '[]' }, NOW_MS);

/** Accepts inputs as a worker does. @returns Their codes; 'command' for a command. */
function take(views: BufferViews, most = Number.POSITIVE_INFINITY): (number | string)[] {
  const reader = new QueueReader(inputQueueOf(views));
  const found = scanned(reader, (_, index) => index < most).slice(0, most);
  return found.map(([type, ...payload]) =>
    type === INPUT_RECORD.input ? decodeInput(Int32Array.from(payload)).code : 'command',
  );
}

test.each([
  ['their timestamps', 1234.5, 1234.5],
  ['the current time instead of a timestamp in the future', NOW_MS + 1e6, NOW_MS],
])('inputs reach the worker, with %s', (_, given, received) => {
  const views = attachNew();
  expect(sender.push(input(7), given)).toBe(true);
  const reader = new QueueReader(inputQueueOf(views));
  const payload = Int32Array.from(scanned(reader).flat().slice(1));
  expect([stampOf(payload), decodeInput(payload)]).toEqual([received, input(7)]);
});

test('inputs are refused and counted while a replay is shown, and so are commands', () => {
  const views = attachNew();
  sender.isOpen = false;
  expect(push(1)).toEqual([false]);
  expect(pushCommand()).toBe(false);
  expect(sender.refused).toBe(2);
  sender.isOpen = true;
  expect(push(2)).toEqual([true]);
  expect(take(views)).toEqual([2]);
});

test('inputs before the first worker are refused and counted', () => {
  expect(push(1)).toEqual([false]);
  expect(sender.refused).toBe(1);
  expect(take(attachNew())).toEqual([]);
});

test.each<[string, object, RegExp]>([
  ['kind', { kind: 'keypress' }, /^kind must be one of keydown/],
  ['name of a key', { code: 'KeyW' }, /^code, such as keyCode\('ArrowRight'\)/],
  ['code', { code: 0.5 }, /^code must be a whole number/],
  ['device', { device: '1' }, /^device must be a number/],
  ['x', { x: Number.NaN }, /^x must be a number/],
])('inputs with a wrong %s throw, and nothing is pushed', (_, change, message) => {
  const views = attachNew();
  expect(() => sender.push({ ...input(1), ...change }, 0)).toThrow(message);
  expect(() => sender.push(input(1), Number.NaN)).toThrow(/^stampMs must be a number/);
  expect(take(views)).toEqual([]);
  expect(sender.refused).toBe(0);
});

test('the next worker does not receive again what was accepted out of order behind a waiting input', () => {
  const old = attachNew();
  push(1, 2, 3);
  scanned(new QueueReader(inputQueueOf(old)), (_, index) => index === 1);
  sender.detach();
  expect(take(attachNew())).toEqual([1, 3]);
});

test('the next worker receives each accepted input and command once, in order, whatever the order of events', () => {
  const happenings = fc.array(
    fc.oneof(
      fc.constantFrom('push', 'push', 'command', 'detach', 'attach'),
      fc.record({ take: fc.nat({ max: ROOM }) }),
    ),
    { maxLength: 40, size: 'max' },
  );
  fc.assert(
    fc.property(happenings, (items) => {
      sender = new InputSender();
      let views: BufferViews | undefined = attachNew();
      const accepted: (number | string)[] = [];
      const taken: (number | string)[] = [];
      let pushes = 0;
      for (const item of items) {
        if (item === 'push' || item === 'command') {
          pushes += 1;
          const isInput = item === 'push';
          const isAccepted = isInput ? push(pushes)[0] === true : pushCommand();
          if (isAccepted) accepted.push(isInput ? pushes : 'command');
        } else if (item === 'detach') {
          sender.detach();
          views = undefined;
        } else if (item === 'attach') {
          views ??= attachNew();
        } else if (views !== undefined && typeof item === 'object') {
          taken.push(...take(views, item.take));
        }
      }
      views ??= attachNew();
      taken.push(...take(views));
      expect(taken).toEqual(accepted);
      expect(sender.refused).toBe(pushes - accepted.length);
    }),
  );
});
