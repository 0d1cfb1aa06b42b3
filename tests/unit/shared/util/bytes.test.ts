import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textOf, utf8Of } from '../../../../src/shared/util/bytes.js';

test('every text is decoded as it was encoded', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(textOf(utf8Of(text))).toBe(text);
    }),
  );
  expect([...utf8Of('aö€😀')]).toEqual([97, 195, 182, 226, 130, 172, 240, 159, 152, 128]);
});

test('a byte order mark in a text is a character', () => {
  expect(textOf(utf8Of('\ufeffa'))).toBe('\ufeffa');
});

test('half a surrogate pair has no encoding', () => {
  expect(() => utf8Of('a\ud800b')).toThrow(TypeError);
});

test.each([[[0xff]], [[0xc3]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]]])(
  'the bytes %j are no valid text',
  (bytes: number[]) => {
    expect(textOf(Uint8Array.from(bytes))).toBeUndefined();
  },
);
