import { expect, test, vi } from 'vitest';
import { readDoorbell, ringDoorbell } from '../../../../src/shared/memory/doorbell.js';

const WORD = 2;

test('each ring of the doorbell adds one, only in its own word', () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  for (let rings = 0; rings < 5; rings++) {
    expect(readDoorbell(words, WORD)).toBe(rings);
    ringDoorbell(words, WORD);
  }
  expect([...words]).toEqual([0, 0, 5, 0]);
});

test('the count of the doorbell wraps, and its difference continues to count', () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  words[WORD] = 2 ** 31 - 1;
  const before = readDoorbell(words, WORD);
  ringDoorbell(words, WORD);
  expect(readDoorbell(words, WORD)).toBe(-(2 ** 31));
  expect((readDoorbell(words, WORD) - before) | 0).toBe(1);
});

test('the doorbell counts a ring before it wakes the worker', () => {
  const words = new Int32Array(new SharedArrayBuffer(16));
  const notify = vi.spyOn(Atomics, 'notify').mockImplementation(() => words[WORD] ?? 0);
  ringDoorbell(words, WORD);
  expect(notify.mock.calls.map(([view, index]) => [view, index])).toEqual([[words, WORD]]);
  expect(notify).toHaveReturnedWith(1);
});
