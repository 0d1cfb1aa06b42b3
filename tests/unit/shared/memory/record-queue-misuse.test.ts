import { describe, expect, test } from 'vitest';
import { assertQueue } from '../../../fixtures/invariants.js';
import { CONTROL, RING, TestQueue } from '../../../fixtures/test-queue.js';

describe('misuse', () => {
  test('a payload that can never fit is refused', () => {
    const queue = new TestQueue();
    expect(queue.writer.tryPush(0, new Int32Array(RING))).toBe(false);
    expect(queue.writer.refused).toBe(1);
  });

  test('taking without a record', () => {
    const queue = new TestQueue();
    queue.push(1);
    const { reader } = queue;
    expect(() => reader.take()).toThrow(RangeError);
    reader.begin();
    expect(() => reader.take()).toThrow(RangeError);
    reader.next();
    reader.next();
    expect(() => reader.take()).toThrow(RangeError);
    reader.begin();
    reader.next();
    reader.end();
    expect(() => reader.take()).toThrow(RangeError);
    expect(queue.peek()).toEqual([[1]]);
  });
});

/** Bit of a header. */
const TAKEN = 1 << 31;

describe('the check of the invariants', () => {
  test.each([-1, RING + 1])('names Q1 when tail is head and %d', (filled) => {
    const { views } = new TestQueue();
    views.control[CONTROL.tailIndex] = filled;
    expect(() => assertQueue(views)).toThrow(/^Q1/);
  });

  test('names Q2 when a record continues behind tail', () => {
    const queue = new TestQueue();
    queue.push(1, 2, 3);
    queue.views.control[CONTROL.tailIndex] = 2;
    expect(() => assertQueue(queue.views)).toThrow(/^Q2: the last record ends 1 words after/);
  });

  test('names Q5 when a taken record was not freed', () => {
    const queue = new TestQueue();
    queue.push(1);
    queue.views.data[0] = (queue.views.data[0] as number) | TAKEN;
    expect(() => assertQueue(queue.views)).toThrow(/^Q5/);
  });
});
