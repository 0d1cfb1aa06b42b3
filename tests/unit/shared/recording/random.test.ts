import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../../../src/shared/recording/random.js';

/** The next values as the 32-bit integers that they are made from. */
const words = (random: Random, count: number): number[] =>
  Array.from({ length: count }, () => random.next() * 2 ** 32);

test.each([
  [0, [1144304738, 1416247, 958946056, 627933444]],
  [1, [2693262067, 11749833, 2265367787, 4213581821]],
  [0xdeadbeef, [4043151706, 1147597007, 3315858022, 1538288752]],
  [-5.5, [2078107854, 227493659, 4033117029, 3420415754]],
])('the seed %d produces the numbers that it always produced', (seed, expected) => {
  expect(words(new Random(seed), 4)).toEqual(expected);
});

test('a seed makes the same choices as always', () => {
  const random = new Random(2026);
  expect(random.between(-3, 9)).toBe(2.4648923920467496);
  expect(random.pick(['a', 'b', 'c'])).toBe('a');
  expect(words(random, 2)[1]).toBe(2656330836);
});

test('the state of a source of randomness is a 32-bit integer, and determines all later numbers', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat({ max: 20 }), (seed, drawn) => {
      const random = new Random(seed);
      words(random, drawn);
      const { state } = random;
      expect(state).toBe(state | 0);
      const expected = words(random, 5);

      const restored = new Random(0);
      restored.state = state;
      expect(words(restored, 5)).toEqual(expected);
    }),
  );
});

test('the state of a new source of randomness is its seed, and when it is set, its lower 32 bits are used', () => {
  const random = new Random(41);
  expect(random.state).toBe(41);
  random.state = 2 ** 32 + 0xffff_ffff;
  expect(random.state).toBe(-1);
});
