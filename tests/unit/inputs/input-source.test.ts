/** All sources of inputs alike: stamps, changes that wait for a full queue, and their arguments. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { gamepadSource } from '../../../src/inputs/gamepad-source.js';
import { EventStamps, ReliableInputState } from '../../../src/inputs/input-source.js';
import { keyboardSource } from '../../../src/inputs/keyboard-source.js';
import { pointerSource } from '../../../src/inputs/pointer-source.js';
import type { InputSink } from '../../../src/shared/input/tick-inputs.js';
import { inputValues } from '../../fixtures/input-values.js';
import { FakeSink, openPage, setClock } from './fakes.js';

test.each([0, -5, NaN, 1001, 1.7e12])('the implausible timestamp %d is replaced', (timeStamp) => {
  setClock(1000);
  expect(new EventStamps().of({ timeStamp })).toBe(1000);
});

test('the timestamps of events are kept, though they are handled later, and never go back', () => {
  setClock(1000);
  const stamps = new EventStamps();
  const returned = [980.5, 970, 990, 0, 995].map((timeStamp) => stamps.of({ timeStamp }));
  expect(returned).toEqual([980.5, 980.5, 990, 1000, 1000]);
  expect(stamps.now()).toBe(1000);
});

const key = (code: number, x: number) => inputValues(x === 0 ? 'keyup' : 'keydown', { code, x });

function openState() {
  const sink = new FakeSink();
  return { sink, state: new ReliableInputState(sink) };
}

test('an input without a lasting effect is dropped rather than sent ahead of waiting ones', () => {
  const { sink, state } = openState();
  sink.room = 0;
  state.set(1, 1, key(1, 1), 10);
  state.pass(key(9, 1), 20);
  sink.room = 1;
  state.pass(key(9, 1), 30);
  expect(sink.take()).toEqual(['keydown 1 @10']);
});

const changes = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 3 }),
    value: fc.constantFrom(0, 0.5, 1),
    hasRoom: fc.boolean(),
  }),
);

test('once there is room, the state that was sent is the state held, whenever the queue was full', () => {
  fc.assert(
    fc.property(changes, (made) => {
      const { sink, state } = openState();
      const held = new Map<number, number>();
      for (const [index, { id, value, hasRoom }] of made.entries()) {
        sink.room = hasRoom ? Infinity : 0;
        state.set(id, value, key(id, value), index);
        held.set(id, value);
        expect(state.last(id)).toBe(value);
      }
      sink.room = Infinity;
      state.flush();
      const seen = new Map<number, number>();
      for (const { code, x } of sink.pushed) {
        expect(x).not.toBe(seen.get(code) ?? 0);
        seen.set(code, x);
      }
      for (const [id, value] of held) expect(seen.get(id) ?? 0).toBe(value);
      const stamps = sink.pushed.map(({ stampMs }) => stampMs);
      expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    }),
  );
});

const target = new EventTarget();
type Open = (sink: InputSink, options: never) => unknown;

test.each<[Open, unknown, typeof TypeError, RegExp]>([
  [keyboardSource, { key: ['KeyW'] }, TypeError, /unknown option "key" .* "keys"/],
  [keyboardSource, { target: 'canvas' }, TypeError, /target/],
  [keyboardSource, { keys: ['W'] }, RangeError, /keys.*"W"/],
  [keyboardSource, { ignore: true }, TypeError, /ignore/],
  [pointerSource, undefined, TypeError, /options/],
  [pointerSource, {}, TypeError, /target/],
  [pointerSource, { target, move: 'all' }, TypeError, /unknown option "move" .* "moves"/],
  [pointerSource, { target, moves: 'some' }, RangeError, /moves/],
  [gamepadSource, { deadzone: 0 }, TypeError, /unknown option "deadzone" .* "deadZone"/],
  [gamepadSource, { deadZone: 1 }, RangeError, /deadZone/],
])('%o refuses the options %j, and says what is wrong', (open, options, error, message) => {
  openPage();
  const attempt = () => open(new FakeSink(), options as never);
  expect(attempt).toThrow(error);
  expect(attempt).toThrow(message);
});

test('a source needs a sink that takes inputs, and a window', () => {
  openPage();
  for (const open of [keyboardSource, pointerSource, gamepadSource] as Open[]) {
    expect(() => open({} as FakeSink, { target } as never)).toThrow(/sink/);
  }
  expect(() => gamepadSource(new FakeSink()).poll(NaN)).toThrow(/frameMs/);
  vi.unstubAllGlobals();
  expect(() => keyboardSource(new FakeSink())).toThrow(/target/);
  expect(() => keyboardSource(new FakeSink(), { target })).toThrow(/window/);
  expect(() => gamepadSource(new FakeSink())).toThrow(/window/);
});
