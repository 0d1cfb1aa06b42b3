import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packParts, unpackParts } from '../../../../src/shared/recording/saved-parts.js';

const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 4 });
const unpack = (bytes: Uint8Array, count: number): Uint8Array[] =>
  unpackParts('test', count, bytes, 'a saved test');

test('saved parts are unpacked unchanged, from any offset in memory', () => {
  fc.assert(
    fc.property(parts, fc.nat(7), (given, offset) => {
      const packed = packParts('test', given);
      const moved = new Uint8Array(packed.length + offset);
      moved.set(packed, offset);
      const found = unpack(moved.subarray(offset), given.length);
      expect(found.map((part) => [...part])).toEqual(given.map((part) => [...part]));
      for (const part of found) expect(part.byteOffset % 4).toBe(0);
    }),
  );
});

test('saved parts with one byte changed, a byte less or a byte more are refused', () => {
  fc.assert(
    fc.property(parts, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, change) => {
      const packed = packParts('test', given);
      const damaged = packed.slice();
      const index = at % damaged.length;
      damaged[index] = (damaged[index] ?? 0) ^ change;
      expect(() => unpack(damaged, given.length)).toThrow(RangeError);
      expect(() => unpack(packed.subarray(1), given.length)).toThrow(RangeError);
      expect(() => unpack(packed.subarray(0, -1), given.length)).toThrow(RangeError);
      expect(() => unpack(new Uint8Array([...packed, 0]), given.length)).toThrow(RangeError);
    }),
  );
});

test.each([
  ['another kind', packParts('tset', [new Uint8Array(3)]), /not a saved test/],
  ['nothing', new Uint8Array(), /not a saved test/],
  ['a few bytes', new Uint8Array([116, 101, 115, 116, 0, 0]), /cut off/],
  ['another number of parts', packParts('test', []), /has 1 parts.*have 0/],
])('the message says why %s is refused as saved parts', (_, bytes, message) => {
  expect(() => unpack(bytes, 1)).toThrow(message);
});
