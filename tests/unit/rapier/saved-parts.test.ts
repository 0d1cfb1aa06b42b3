import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packParts, unpackParts } from '../../../src/rapier/saved-parts.js';

const parts = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 4 });
const unpack = (bytes: Uint8Array, count: number): Uint8Array[] =>
  unpackParts('test', count, bytes, 'a saved test');

test('saved parts are unpacked unchanged', () => {
  fc.assert(
    fc.property(parts, (given) => {
      expect(unpack(packParts('test', given), given.length)).toEqual(given);
    }),
  );
});

test('saved parts are refused wherever they are cut off, and with a byte more', () => {
  const packed = packParts('test', [Uint8Array.of(1, 2), Uint8Array.of(3)]);
  for (let length = 0; length < packed.length; length++) {
    expect(() => unpack(packed.subarray(0, length), 2)).toThrow(RangeError);
  }
  expect(() => unpack(Uint8Array.of(...packed, 0), 2)).toThrow(RangeError);
});

test.each([
  ['another kind', packParts('tset', [new Uint8Array(3)]), /not a saved test/],
  ['nothing', new Uint8Array(), /not a saved test/],
  ['another number of parts', packParts('test', []), /has 1 parts.*have 0/],
])('the message says why %s is refused as saved parts', (_, bytes, message) => {
  expect(() => unpack(bytes, 1)).toThrow(message);
});
