import { assert, boolean, constantFrom, integer, property, record, array } from 'fast-check';
import { expect, test } from 'vitest';
import { ReliableInputState } from '../../../../src/render-main/inputs/reliable-input-state.js';
import type { InputValues } from '../../../../src/shared/input/input-event.js';
import { FakeSink } from './fakes.js';

const key = (code: number, value: number): InputValues => ({
  kind: value === 0 ? 'keyup' : 'keydown',
  code,
  device: 0,
  x: value,
  y: 0,
  z: 0,
  w: 0,
});

test('a refused release is sent again, with its own timestamp, before anything newer', () => {
  const sink = new FakeSink();
  const state = new ReliableInputState(sink);
  state.set(1, 1, key(1, 1), 10);
  sink.room = 0;
  state.set(1, 0, key(1, 0), 20);
  expect(state.flush()).toBe(false);
  sink.room = Infinity;
  state.set(2, 1, key(2, 1), 30);
  expect(sink.take()).toEqual(['keydown 1 @10', 'keyup 1 @20', 'keydown 2 @30']);
  expect(state.flush()).toBe(true);
  expect(sink.take()).toEqual([]);
});

test('a press that was refused is forgotten when it is released', () => {
  const sink = new FakeSink();
  const state = new ReliableInputState(sink);
  sink.room = 0;
  state.set(1, 1, key(1, 1), 10);
  expect(state.held()).toEqual([1]);
  state.set(1, 0, key(1, 0), 20);
  sink.room = Infinity;
  expect(state.flush()).toBe(true);
  expect(sink.take()).toEqual([]);
});

test('an input without a lasting effect is dropped rather than sent ahead of waiting ones', () => {
  const sink = new FakeSink();
  const state = new ReliableInputState(sink);
  sink.room = 0;
  state.set(1, 1, key(1, 1), 10);
  state.pass(key(9, 1), 20);
  sink.room = 1;
  state.pass(key(9, 1), 30);
  expect(sink.take()).toEqual(['keydown 1 @10']);
});

test('once there is room, the state that was sent matches the state held, whenever the queue was full', () => {
  const change = record({
    id: integer({ min: 0, max: 3 }),
    value: constantFrom(0, 0.5, 1),
    hasRoom: boolean(),
  });
  assert(
    property(array(change), (changes) => {
      const sink = new FakeSink();
      const state = new ReliableInputState(sink);
      const held = new Map<number, number>();
      changes.forEach(({ id, value, hasRoom }, index) => {
        sink.room = hasRoom ? Infinity : 0;
        state.set(id, value, key(id, value), index);
        held.set(id, value);
        expect(state.last(id)).toBe(value);
      });
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
