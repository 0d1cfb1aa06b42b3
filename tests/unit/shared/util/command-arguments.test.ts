import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ownArguments,
  packArguments,
  unpackArguments,
  ARRAY_NAMES,
} from '../../../../src/shared/util/command-arguments.js';
import { ONE_OF_EACH, typedArrays } from '../../../fixtures/typed-arrays.js';

const packed = (args: readonly unknown[]) => packArguments('args', args);
const through = (args: readonly unknown[]): unknown[] => unpackArguments(packed(args));

test('plain data and typed arrays in the arguments of a command arrive as they were, bit for bit', () => {
  const plain = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
  const nested = fc.record({
    data: typedArrays,
    note: fc.oneof(fc.string(), fc.constantFrom('$array', '"$array"')),
    list: fc.array(typedArrays),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(typedArrays, plain, nested)), (args) => {
      expect(through(args)).toEqual(args);
    }),
  );
});

test('the last argument of a command is sent as an array, if it is one, and no other', () => {
  const [first, last] = [Uint8Array.of(1), Uint8Array.of(2)];
  expect(packed([])).toEqual({ args: '[]', data: undefined });
  expect(packed([last])).toEqual({ args: '[]', data: last });
  expect(packed(['x', 1, last])).toEqual({ args: '["x",1]', data: last });
  expect(packed([first, last])).toEqual({
    args: '[{"$array":"Uint8Array","data":"01"}]',
    data: last,
  });
  expect(packed([first, 1]).data).toBeUndefined();
  expect(packed([[last]]).data).toBeUndefined();
});

test('each kind of array in the arguments of a command stays that kind, bit for bit, also as a part of a larger buffer', () => {
  expect(ONE_OF_EACH.map((array) => array[Symbol.toStringTag])).toEqual(ARRAY_NAMES);
  for (const array of ONE_OF_EACH.flatMap((whole) => [whole, whole.subarray(1)])) {
    const [asLast, inside] = [through([array])[0], (through([[array]])[0] as unknown[])[0]];
    for (const copy of [asLast, inside] as (typeof array)[]) {
      expect(copy).toStrictEqual(array);
      expect(copy.buffer.byteLength).toBe(array.byteLength);
    }
  }
});

test('the arguments of a command are separate for the page, the command and the recording', () => {
  // Whose `slice` returns a view.
  const given = Buffer.from([1, 2, 3]);
  const sent = packed([given]);
  const kept = ownArguments(sent);
  const [received] = unpackArguments(sent) as [Uint8Array];
  given.fill(9);
  received.fill(8);
  expect([...(kept.data ?? [])]).toEqual([1, 2, 3]);
  expect([...received]).toEqual([8, 8, 8]);
  expect(given).toEqual(Buffer.from([9, 9, 9]));
});

test('a shared array in the arguments of a command arrives as one that is not shared', () => {
  const shared = new Int16Array(new SharedArrayBuffer(4));
  shared.set([1, 2]);
  const [copy] = through([shared]) as [Int16Array];
  expect([copy.buffer.constructor, ...copy]).toEqual([ArrayBuffer, 1, 2]);
});

test.each([
  [[new Date(0)], /args, at \[0\], must be a value that JSON can hold, .* of the class Date/],
  [[{ data: [new DataView(new ArrayBuffer(1))] }], /at \[0\]\.data\[0\], .* class DataView/],
  [[new DataView(new ArrayBuffer(1))], /at \[0\], .* class DataView/],
  [[new BigInt64Array(1)], /class BigInt64Array/],
  [[Number.NaN, new Uint8Array()], /at \[0\], .* is NaN/],
  [[{ a: { $array: 'Float32Array' } }], /must not contain an object with the key "\$array"/],
])('the arguments %o of a command are refused', (args, message) => {
  expect(() => packed(args)).toThrow(message);
});

test.each([
  '[{"$array":"Function","data":""}]',
  '[{"$array":"constructor","data":""}]',
  '[{"$array":"Float32Array"}]',
  '[{"$array":1,"data":""}]',
  '[{"$array":"Float32Array","data":"00ff00"}]',
  '[{"$array":"Float32Array","data":"0x"}]',
])('arguments in a file that were not written so are refused: %s', (args) => {
  expect(() => unpackArguments({ args })).toThrow(/JSON\.parse|typed array|multiple of/);
});
