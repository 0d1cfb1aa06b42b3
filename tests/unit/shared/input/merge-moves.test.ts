import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputState } from '../../../../src/shared/input/input-state.js';
import { INPUT_KINDS, type TickInput } from '../../../../src/shared/input/tick-inputs.js';
import { InputRecordWriter } from '../../../../src/shared/input/input-record.js';
import { mergeMoves } from '../../../../src/shared/input/merge-moves.js';
import { TickInputQueue } from '../../../../src/sim-worker/loop/tick-source.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';
import { tickInput as input } from '../../../fixtures/input-values.js';

const move = (x: number, values: Partial<TickInput> = {}): TickInput =>
  input('pointermove', { code: -1, device: 1, x, fraction: x / 16, ...values });
const wheel = (y: number, values: Partial<TickInput> = {}): TickInput =>
  input('wheel', { code: -1, y, fraction: y / 16, ...values });

const other = (x: number): TickInput => move(x, { device: 2 });
const pressed = (x: number): TickInput => move(x, { w: 1 });

test.each<[string, TickInput[], TickInput[]]>([
  [
    'those of one pointer become the last of them, with its offset in the window',
    [move(1), move(2, { z: 0.5 }), move(3)],
    [move(3)],
  ],
  [
    'those of two pointers become the last of each, and the last that moved stays the same',
    [move(1), other(2), move(3), other(4), move(5)],
    [other(4), move(5)],
  ],
  [
    'those with other buttons are not merged',
    [move(1), move(2), pressed(3), pressed(4), move(5)],
    [move(2), pressed(4), move(5)],
  ],
  [
    'wheel movements in a row become one, with their sum',
    [wheel(1, { x: 2 }), wheel(4, { z: 8 }), wheel(2)],
    [wheel(2, { x: 2, y: 7, z: 8 })],
  ],
  ...[
    input('pointerdown', { device: 1, w: 1 }),
    input('pointerup', { device: 2 }),
    input('keydown', { code: 7 }),
    input('custom'),
    wheel(3),
  ].map((between): [string, TickInput[], TickInput[]] => [
    `those before and after an input of the kind ${between.kind} are not merged`,
    [move(1), between, move(2)],
    [move(1), between, move(2)],
  ]),
  [
    'wheel movements with other buttons, or around a move, are not merged',
    [wheel(1), wheel(2, { w: 1 }), move(3), wheel(4, { w: 1 })],
    [wheel(1), wheel(2, { w: 1 }), move(3), wheel(4, { w: 1 })],
  ],
])('of the moves within one tick, %s', (_, inputs, merged) => {
  const before = structuredClone(inputs);
  expect(mergeMoves(inputs)).toEqual(merged);
  expect(inputs).toEqual(before);
});

/**
 * Few devices and buttons, so that much of it can be merged; wheel movements whose sums are exact.
 */
const anyInput = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('pointermove' as const, 'wheel' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...INPUT_KINDS) },
  ),
  code: fc.integer({ min: -1, max: 1 }),
  device: fc.integer({ min: 0, max: 2 }),
  x: fc.integer({ min: -100, max: 100 }),
  y: fc.integer({ min: -100, max: 100 }),
  z: fc.constantFrom(0, 0.5, 1),
  w: fc.constantFrom(0, 0, 1),
  fraction: fc.constantFrom(0, 0.5, 1),
});
const anyTicks = fc.array(fc.array(anyInput, { maxLength: 30 }), { maxLength: 5 });

/** The state, with the keys that were pressed within the tick. */
const seen = (state: InputState): unknown => [
  state.save(),
  state.wheel(),
  state.pointers(),
  [-1, 0, 1].map((code) => [state.wasPressed(code), state.wasReleased(code)]),
];
const others = (all: readonly TickInput[]): readonly TickInput[] =>
  all.filter(({ kind }) => kind !== 'pointermove' && kind !== 'wheel');

test('after merged moves the input state is the same, and other inputs keep their order', () => {
  fc.assert(
    fc.property(anyTicks, (ticks) => {
      const [given, merged] = [new InputState(), new InputState()];
      for (const inputs of ticks) {
        const fewer = mergeMoves(inputs);
        given.apply(inputs);
        merged.apply(fewer);
        expect(seen(merged)).toEqual(seen(given));
        expect(others(fewer)).toEqual(others(inputs));
        // Nothing is left to merge.
        expect(mergeMoves(fewer)).toEqual(fewer);
      }
    }),
  );
});

test('a tick is given the last move by time; all of them count, and latency is that of the first', () => {
  const queue = createEventQueue(1 << 12);
  const writer = new InputRecordWriter(queue.writer);
  // The second arrives first, and late.
  for (const [index, stampMs] of [103, 99, 104, 108].entries()) {
    writer.pushInput(move(index + 1), stampMs);
  }
  const inputQueue = new TickInputQueue({ queue: queue.reader, commandNames: [] });
  expect(inputQueue.take(100, 110).inputs).toEqual([move(4, { fraction: Math.fround(0.8) })]);
  expect(inputQueue).toMatchObject({ inputCount: 4, lateCount: 1, earliestMs: 99 });
  inputQueue.take(110, 120);
  expect(inputQueue.inputCount).toBe(0);
});
