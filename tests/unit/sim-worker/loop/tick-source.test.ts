import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { InputRecordWriter } from '../../../../src/shared/input/input-record.js';
import { INPUT_RECORD } from '../../../../src/shared/memory/layout.js';
import type { ByteWriter } from '../../../../src/shared/util/bytes.js';
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
  inputQueue = new TickInputQueue({ queue: queue.reader, commandNames: COMMANDS, assets });
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
  [110, 100, 110, 1, 0],
  // The schedule may have stepped back.
  [105, 110, 105, 0, 1],
  // The first window has no beginning, and that of a step while paused has no end.
  [105, -Infinity, 110, 0, 0],
  [50, 100, Infinity, 0, 0],
  [1e9, 100, Infinity, 0, 0],
])(
  'an input at %d ms in the window from %d to %d has the offset %d, and %d are late',
  (stampMs, fromMs, untilMs, fraction, late) => {
    push(1, stampMs);
    expect(inputQueue.take(fromMs, untilMs).inputs).toMatchObject([{ code: 1, fraction }]);
    expect(inputQueue.lateCount).toBe(late);
  },
);

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
  // Commands have no latency.
  expect(inputQueue.earliestMs).toBe(104);
});

test('in the thread of the page, batches wait for no window, but for their assets', () => {
  inputQueue = new TickInputQueue({
    queue: queue.reader,
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

const anyTicks = fc.array(
  fc.record({
    periodMs: fc.constantFrom(1, 7, 16.5),
    /** Stamps of inputs before the tick, from when the last one was due. */
    offsetsMs: fc.array(fc.double({ min: -25, max: 25, noNaN: true }), { maxLength: 4 }),
  }),
  { maxLength: 30, size: 'max' },
);

test('every input is taken once, by the first tick after it whose due time is not before its timestamp', () => {
  fc.assert(
    fc.property(anyTicks, (ticks) => {
      let dueMs = 1000;
      let code = 0;
      let waiting: { code: number; stampMs: number }[] = [];
      for (const { periodMs, offsetsMs } of [...ticks, { periodMs: 30, offsetsMs: [] }]) {
        for (const stampMs of offsetsMs.map((offsetMs) => dueMs + offsetMs)) {
          code += 1;
          waiting.push({ code, stampMs });
          push(code, stampMs);
        }
        const fromMs = dueMs;
        dueMs += periodMs;
        const due = waiting
          .filter(({ stampMs }) => stampMs <= dueMs)
          .toSorted((a, b) => a.stampMs - b.stampMs);
        waiting = waiting.filter(({ stampMs }) => stampMs > dueMs);
        const { inputs } = inputQueue.take(fromMs, dueMs);
        expect(inputs.map((input) => [input.code, input.fraction])).toEqual(
          due.map((one) => [one.code, Math.fround(Math.max(0, one.stampMs - fromMs) / periodMs)]),
        );
        expectSame(inputQueue.lateCount, due.filter(({ stampMs }) => stampMs <= fromMs).length);
        expectSame(inputQueue.earliestMs, due[0]?.stampMs ?? Number.NaN);
      }
      expectSame(queue.writer.freeWords, QUEUE_WORDS);
    }),
  );
});
