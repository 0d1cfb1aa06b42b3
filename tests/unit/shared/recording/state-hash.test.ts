import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOfDigest, StateHash, digestOf } from '../../../../src/shared/recording/state-hash.js';

const hashed = (add: (hash: StateHash) => void, seed = 0): string => {
  const hash = new StateHash(seed);
  add(hash);
  return hash.digest();
};
const digest = (words: readonly number[], seed = 0): string =>
  hashed((hash) => {
    for (const word of words) hash.addWord(word);
  }, seed);
const ofFloat = (value: number): string => hashed((hash) => hash.addFloat(value));
const ofNumber = (value: number): string => hashed((hash) => hash.addNumber(value));
const ofBytes = (bytes: readonly number[], offset = 0): string => {
  const memory = Uint8Array.of(...Array.from({ length: offset }, () => 9), ...bytes, 9, 9, 9);
  return hashed((hash) => hash.addBytes(memory.subarray(offset, offset + bytes.length)));
};
const halves = (text: string): string[] => [text.slice(0, 8), text.slice(8)];

test.each([
  ['', 1, '514e28b7'],
  ['\xff\xff\xff\xff', 0, '76293b50'],
  ['\x21\x43\x65\x87', 0x5082edee, '2362f9de'],
  ['\0\0\0\0', 0, '2362f9de'],
  ['aaaa', 0x9747b28c, '5a97808a'],
  ['test', 0x9747b28c, '704b81dc'],
])(
  'the first half of the hash of "%s" with seed %d is the published MurmurHash3_x86_32 value',
  (text, seed, expected) => {
    const words: number[] = [];
    for (let at = 0; at < text.length; at += 4) {
      const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((i) => text.charCodeAt(at + i));
      words.push(a | (b << 8) | (c << 16) | (d << 24));
    }
    expect(halves(digest(words, seed))[0]).toBe(expected);
  },
);

test('several words are hashed in two halves, with different constants', () => {
  // Computed by a second implementation, in integers of any size.
  expect(digest([1, -2, 3], 7)).toBe('de7567404f9d1685');
});

test('32-bit numbers are hashed by their bits', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) => {
      expect(ofFloat(value)).toBe(digest([...new Int32Array(Float32Array.of(value).buffer)]));
    }),
  );
  expect(ofFloat(0.1)).toBe(ofFloat(Math.fround(0.1)));
});

test('numbers are hashed by all 64 bits, the lower 32 first', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const bits = new DataView(new ArrayBuffer(8));
      bits.setFloat64(0, value);
      expect(ofNumber(value)).toBe(digest([bits.getInt32(4), bits.getInt32(0)]));
    }),
  );
  expect(ofNumber(0.1)).not.toBe(ofNumber(Math.fround(0.1)));
});

test('0 and −0 have different hashes', () => {
  expect(ofFloat(-0)).not.toBe(ofFloat(0));
  expect(ofNumber(-0)).not.toBe(ofNumber(0));
});

test('every NaN has the same hash', () => {
  const floats = new Float32Array(new Uint32Array([0x7fc00000, 0xffc00001, 0x7fffffff]).buffer);
  expect(new Set([...floats].map(ofFloat))).toEqual(new Set([digest([0x7fc00000])]));
  const doubles = new Float64Array(
    new BigUint64Array([0x7ff8000000000000n, 0xfff8000000000001n, 0x7fffffffffffffffn]).buffer,
  );
  expect(new Set([...doubles].map(ofNumber))).toEqual(new Set([digest([0, 0x7ff80000])]));
});

test('words of an array are added to a hash as if one by one', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.nat(), fc.nat(), (words, a, b) => {
      const [from = 0, to = 0] = [a % (words.length + 1), b % (words.length + 1)].toSorted(
        (x, y) => x - y,
      );
      const hash = new StateHash();
      hash.addWord(5);
      hash.addWords(Int32Array.from(words), from, to);
      expect(hash.digest()).toBe(digest([5, ...words.slice(from, to)]));
    }),
  );
});

test.each([
  [-1, 2],
  [2, 1],
  [0, 4],
  [Number.NaN, 2],
])('words from %d to %d of three cannot be added to a hash', (from, to) => {
  const hash = new StateHash();
  expect(() => hash.addWords(new Int32Array(3), from, to)).toThrow(RangeError);
  expect(hash.digest()).toBe(digest([]));
});

test('bytes are hashed as words with the lowest byte first, zeros at the end, and their number', () => {
  expect(ofBytes([])).toBe(digest([0]));
  expect(ofBytes([1, 2, 3, 0x84])).toBe(digest([0x84030201, 4]));
  expect(ofBytes([1, 2, 3, 4, 5])).toBe(digest([0x04030201, 5, 5]));
  expect(ofBytes([1, 2, 3, 4, 5, 6, 0xff])).toBe(digest([0x04030201, 0xff0605, 7]));
});

test('the hash of bytes does not depend on their offset in the buffer', () => {
  for (const offset of [1, 2, 3])
    expect(ofBytes([1, 2, 3, 4, 5], offset)).toBe(ofBytes([1, 2, 3, 4, 5]));
});

test('a digest leaves the hash unchanged, and a reset restores its seed', () => {
  const hash = new StateHash(3);
  hash.addWord(1);
  expect(hash.digest()).toBe(hash.digest());
  hash.addWord(2);
  expect(hash.digest()).toBe(digest([1, 2], 3));
  hash.reset();
  expect(hash.digest()).toBe(digest([], 3));
});

test('a digest in hexadecimal is two words, most significant digits first', () => {
  expect(wordsOfDigest('0123456789abcdef')).toEqual([0x01234567, 0x89abcdef]);
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (first, second) => {
      expect(wordsOfDigest(digestOf(first, second))).toEqual([first >>> 0, second >>> 0]);
    }),
  );
});

test.each(['', '0123', '0123456789ABCDEF', '0123456789abcdeg', '0123456789abcdef0'])(
  '"%s" is no digest',
  (text) => {
    expect(() => wordsOfDigest(text)).toThrow(RangeError);
  },
);
