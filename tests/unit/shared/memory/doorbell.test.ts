import { expect, test } from 'vitest';
import { readDoorbell, ringDoorbell } from '../../../../src/shared/memory/doorbell.js';

const WORD = 2;

test('each ring adds one, only in its own word', () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  expect(readDoorbell(words, WORD)).toBe(0);
  for (let rings = 1; rings <= 5; rings++) {
    ringDoorbell(words, WORD);
    expect(readDoorbell(words, WORD)).toBe(rings);
  }
  expect([...words]).toEqual([0, 0, 5, 0]);
});

test('the count wraps, and its difference continues to count', () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  words[WORD] = 2 ** 31 - 1;
  const before = readDoorbell(words, WORD);
  ringDoorbell(words, WORD);
  expect(readDoorbell(words, WORD)).toBe(-(2 ** 31));
  expect((readDoorbell(words, WORD) - before) | 0).toBe(1);
});

test('a ring between reading and waiting is not missed', () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  const read = readDoorbell(words, WORD);
  ringDoorbell(words, WORD);
  expect(Atomics.wait(words, WORD, read, 10_000)).toBe('not-equal');
});
