import { describe, expect, test } from 'vitest';
import { assertQueue } from '../../../fixtures/invariants.js';
import { CONTROL, RING, TestQueue } from '../../../fixtures/test-queue.js';

describe('misuse', () => {
  test('a payload that can never fit is an error, not a refusal', () => {
    const queue = new TestQueue();
    const push = () => queue.writer.tryPush(0, new Int32Array(RING));
    expect(push).toThrow(RangeError);
    expect(push).toThrow(
      /^a record of 64 words can never be queued: the ring holds 63 and a header/,
    );
    expect(queue.writer.refused).toBe(0);
  });

  test('reading into an array that is too short', () => {
    const queue = new TestQueue();
    queue.push(0, 1, 2);
    queue.reader.begin();
    queue.reader.next();
    expect(() => queue.reader.read(new Int32Array(1))).toThrow(RangeError);
    expect(() => queue.reader.read(new Int32Array(1))).toThrow(/has 2 words/);
  });

  test('reading and taking without a record', () => {
    const queue = new TestQueue();
    queue.push(1);
    const { reader } = queue;
    const isRefused = (): void => {
      expect(() => reader.take()).toThrow(/next\(\) has to return true/);
      expect(() => reader.read(new Int32Array(9))).toThrow(/next\(\) has to return true/);
    };
    isRefused();
    reader.begin();
    isRefused();
    reader.next();
    reader.next();
    isRefused();
    reader.begin();
    reader.next();
    reader.begin();
    isRefused();
    reader.next();
    reader.end();
    isRefused();
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
