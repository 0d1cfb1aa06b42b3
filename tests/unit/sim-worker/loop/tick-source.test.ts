import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { InputRecordWriter } from '../../../../src/shared/input/input-record.js';
import { INPUT_RECORD } from '../../../../src/shared/memory/layout.js';
import type { ByteWriter } from '../../../../src/shared/util/bytes.js';
import { QueueReader } from '../../../../src/shared/memory/record-queue.js';
import { NO_TICK_INPUTS, type TickInputs } from '../../../../src/shared/input/tick-inputs.js';
import { TickInputQueue } from '../../../../src/sim-worker/loop/tick-source.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';
import { inputOf } from '../../../fixtures/run-toy.js';
import { expectSame } from '../../../fixtures/quick-checks.js';

const QUEUE_WORDS = 1 << 12;
const COMMANDS = ['jump', 'build'];

let queue: ReturnType<typeof createEventQueue>;
let writer: InputRecordWriter;
let inputQueue: TickInputQueue;
const assets = { received: 0 };

beforeEach(() => {
  queue = createEventQueue(QUEUE_WORDS);
  writer = new InputRecordWriter(queue.writer);
  assets.received = 0;
  const reader = new QueueReader(queue.views);
  inputQueue = new TickInputQueue({ queue: reader, commandNames: COMMANDS, assets });
});

const push = (code: number, stampMs: number): boolean =>
  writer.pushInput(inputOf(code, code / 10), stampMs);
const command = (name: string, stampMs: number, call = 0): boolean =>
  writer.pushCommand(COMMANDS.indexOf(name), call, { args: `["${stampMs}"]` }, stampMs);

const batch = (stampMs: number, ...bytes: number[]): boolean => {
  const write = (out: ByteWriter): boolean => {
    out.bytes(Uint8Array.from(bytes));
    return true;
  };
  return writer.pushBatch(0, write, stampMs);
};

const codesOf = ({ inputs }: TickInputs): number[] => inputs.map(({ code }) => code);
const codesIn = (fromMs: number, untilMs: number): number[] =>
  codesOf(inputQueue.take(fromMs, untilMs));

const announce = (newest: number): boolean =>
  queue.writer.tryPush(INPUT_RECORD.asset, Int32Array.of(newest));
/** Arguments; those of a batch are its bytes. */
const argsOf = ({ commands }: Pick<TickInputs, 'commands'>): string[] =>
  commands.map((one) => (one.kind === 'command' ? one.args : one.bytes.join()));
const argsIn = (fromMs: number, untilMs: number): string[] =>
  argsOf(inputQueue.take(fromMs, untilMs));

test('commands that wait for assets are taken when these have arrived, in their order, and inputs before that', () => {
  command('jump', 101);
  announce(2);
  command('build', 102);
  push(7, 103);
  command('jump', 104);
  batch(105, 8, 9);
  const { commands, inputs } = inputQueue.take(100, 110);
  expect([argsOf({ commands }), inputs.length]).toEqual([['["101"]'], 1]);
  assets.received = 1;
  expect(argsIn(110, Infinity)).toEqual([]);
  assets.received = 2;
  announce(3);
  command('build', 115);
  // Commands do not wait for later assets.
  expect(argsIn(110, 120)).toEqual(['["102"]', '["104"]', '8,9']);
  assets.received = 3;
  expect(argsIn(120, 130)).toEqual(['["115"]']);
  expect(queue.writer.freeWords).toBe(QUEUE_WORDS);
});

test.each([
  ['an empty window: the schedule may have stepped back', 110, 105, 1],
  ['the window of the first tick, which has no beginning', Number.NEGATIVE_INFINITY, 110, 0],
])('an input has the offset 0 in %s', (_, fromMs, untilMs, late) => {
  push(1, 105);
  expect(inputQueue.take(fromMs, untilMs).inputs).toMatchObject([{ code: 1, fraction: 0 }]);
  expect(inputQueue.lateCount).toBe(late);
});

test('a tick without inputs creates no garbage', () => {
  expect(inputQueue.take(0, 10)).toBe(NO_TICK_INPUTS);
  push(1, 5);
  inputQueue.take(0, 10);
  expect(inputQueue.take(10, 20)).toBe(NO_TICK_INPUTS);
});

test('commands of a tick have the order of their timestamps', () => {
  push(1, 106);
  command('jump', 108, 7);
  push(2, 104);
  command('build', 102, 8);
  expect(inputQueue.take(100, 110)).toMatchObject({
    inputs: [{ code: 2 }, { code: 1 }],
    commands: [
      { name: 'build', args: '["102"]', call: 8 },
      { name: 'jump', args: '["108"]', call: 7 },
    ],
  });
});

test('a step while paused takes all inputs, none of them late, with no offset in a window', () => {
  for (const [code, stampMs] of [50, 105, 1e9].entries()) push(code, stampMs);
  command('jump', 1e12);
  const { inputs, commands } = inputQueue.take(100, Number.POSITIVE_INFINITY);
  expect(inputs.map(({ code, fraction }) => [code, fraction])).toEqual([
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
  expect(commands).toHaveLength(1);
  expect(inputQueue.lateCount).toBe(0);
});

test('the offset of an input in its window is in (0, 1], and a 32-bit float', () => {
  const anyWindow = fc.tuple(
    fc.double({ min: 1, max: 1e9, noNaN: true }),
    fc.double({ min: 1e-3, max: 1000, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(anyWindow, ([fromMs, lengthMs, share]) => {
      const untilMs = fromMs + lengthMs;
      const stampMs = Math.min(untilMs, fromMs + share * lengthMs);
      fc.pre(untilMs > fromMs && stampMs > fromMs);
      push(1, stampMs);
      const fraction = inputQueue.take(fromMs, untilMs).inputs[0]?.fraction ?? Number.NaN;
      expect(fraction).toBeGreaterThan(0);
      expect(fraction).toBeLessThanOrEqual(1);
      expect(fraction).toBe(Math.fround(fraction));
    }),
  );
});

test.each([
  [102.5, 0.25],
  [110, 1],
  [101, Math.fround(0.1)],
])('the offset of an input at %d ms in the window from 100 to 110 is %d', (stampMs, fraction) => {
  push(1, stampMs);
  expect(inputQueue.take(100, 110).inputs[0]?.fraction).toBe(fraction);
});

test('the earliest input of a tick is the one with the lowest timestamp, late or not; commands have no latency', () => {
  command('jump', 90);
  push(1, 108);
  push(2, 99);
  push(3, 103);
  inputQueue.take(100, 110);
  expect(inputQueue.earliestMs).toBe(99);
  inputQueue.take(110, 120);
  expect(inputQueue.earliestMs).toBeNaN();
  command('jump', 125);
  inputQueue.take(120, 130);
  expect(inputQueue.earliestMs).toBeNaN();
});

/**
 * The next action: an input is pushed with a timestamp at a distance from the clock, or the clock
 * advances by a tick.
 */
const happenings = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('push' as const), offsetMs: fc.integer({ min: -25, max: 25 }) }),
    fc.record({ kind: fc.constant('tick' as const), periodMs: fc.constantFrom(1, 7, 16.5) }),
  ),
  { maxLength: 60, size: 'max' },
);

test('in the thread of the page, batches wait for no window, but for their assets', () => {
  const reader = new QueueReader(queue.views);
  inputQueue = new TickInputQueue({
    queue: reader,
    commandNames: COMMANDS,
    assets,
    takesAllBatches: true,
  });
  batch(90, 1);
  batch(120, 2);
  push(7, 120);
  command('jump', 120);
  announce(1);
  batch(120, 3);
  expect(argsIn(84, 100)).toEqual(['1', '2']);
  assets.received = 1;
  expect(argsIn(100, 116)).toEqual(['3']);
  expect(argsIn(116, 132)).toEqual(['["120"]']);
});

test('every input is taken once, by the first tick after it whose due time is not before its timestamp', () => {
  fc.assert(
    fc.property(happenings, (items) => {
      const reader = new QueueReader(queue.views);
      inputQueue = new TickInputQueue({ queue: reader, commandNames: COMMANDS });
      let dueMs = 1000;
      let code = 0;
      let waiting: { code: number; stampMs: number }[] = [];
      const tick = (periodMs: number): void => {
        const fromMs = dueMs;
        dueMs += periodMs;
        const due = waiting.filter(({ stampMs }) => stampMs <= dueMs);
        waiting = waiting.filter(({ stampMs }) => stampMs > dueMs);
        expect(codesIn(fromMs, dueMs)).toEqual(
          due.toSorted((a, b) => a.stampMs - b.stampMs).map((input) => input.code),
        );
        expectSame(inputQueue.lateCount, due.filter(({ stampMs }) => stampMs <= fromMs).length);
      };
      for (const item of items) {
        if (item.kind === 'tick') {
          tick(item.periodMs);
        } else {
          code += 1;
          waiting.push({ code, stampMs: dueMs + item.offsetMs });
          push(code, dueMs + item.offsetMs);
        }
      }
      tick(30);
      expect(waiting).toEqual([]);
      reader.begin();
      expect(reader.next()).toBe(false);
      reader.end();
    }),
  );
});
