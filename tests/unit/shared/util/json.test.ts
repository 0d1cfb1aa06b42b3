import { expect, test } from 'vitest';
import { copyOfJson, requireJson } from '../../../../src/shared/util/json.js';

const cycle: Record<string, unknown> = { inner: {} };
cycle['inner'] = { list: [cycle] };
const shared = { x: 1 };
const hole: unknown[] = [1];
hole[2] = 3;

test.each([[null], [0], ['a'], [[[]]], [{ a: { b: [1] } }], [Object.create(null)]])(
  '%j is a value for JSON',
  (value) => {
    expect(requireJson('it', value)).toBe(value);
  },
);

test('a value for JSON may contain a value twice, and properties that are undefined', () => {
  const value = { first: shared, second: [shared, shared], none: undefined };
  expect(requireJson('it', value)).toBe(value);
});

test('a copy of a value for JSON is what a recording has of it', () => {
  const value = { zero: -0, list: [-0, 1], none: undefined };
  expect(copyOfJson('it', value)).toStrictEqual({ zero: 0, list: [0, 1] });
  expect(() => copyOfJson('it', [Number.NaN])).toThrow('it, at [0], must');
});

test.each<[string, unknown, RegExp]>([
  ['NaN', { a: [0, Number.NaN] }, /^it, at a\[1\], must .* NaN$/],
  ['undefined', undefined, /undefined/],
  ['a hole', hole, /at \[1\].*undefined/],
  ['a function', { f: () => 0 }, /at f.*function/],
  ['a big integer', [1n], /at \[0\].*bigint/],
  ['a symbol', Symbol('s'), /symbol/],
  ['a typed array', { a: { b: new Float32Array(1) } }, /at a\.b,.*Float32Array/],
  ['a date', new Date(0), /Date/],
  ['a cycle', cycle, /at inner\.list\[0\].*itself/],
])('%s is no value for JSON', (_, value, message) => {
  expect(() => requireJson('it', value)).toThrow(TypeError);
  expect(() => requireJson('it', value)).toThrow(message);
});
