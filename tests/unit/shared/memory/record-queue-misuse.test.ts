import { describe, expect, test } from 'vitest';
import {
  MAX_RECORD_TYPE,
  QueueReader,
  QueueWriter,
} from '../../../../src/shared/memory/record-queue.js';
import { assertQueue } from '../../../fixtures/invariants.js';
import { CONTROL, RING, TestQueue, memory } from '../../../fixtures/test-queue.js';

describe('misuse', () => {
  test.each([-1, MAX_RECORD_TYPE + 1, 1.5, Number.NaN])('type %d is refused', (type) => {
    const queue = new TestQueue();
    expect(() => queue.push(type)).toThrow(RangeError);
    expect(() => queue.push(type)).toThrow(/^type must be a whole number from 0 to 127/);
    expect(queue.tail).toBe(0);
  });

  test.each([-1, 3, 0.5, Number.NaN])('a payload of 2 words has no index %d', (length) => {
    const queue = new TestQueue();
    const push = () => queue.writer.tryPush(0, new Int32Array(2), length);
    expect(push).toThrow(RangeError);
    expect(push).toThrow(/^length must be a whole number from 0 to 2/);
  });

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

  test.each([
    ['a ring that is too short', { data: new Int32Array(32) }, /^the length of the ring.*from 64/],
    ['a ring of no power of two', { data: new Int32Array(96) }, /power of two.*but is 96/],
    [
      'a ring that is too long',
      { data: { length: 2 ** 23 } as Int32Array },
      /^the length of the ring/,
    ],
    ['an index outside of the control words', { headIndex: 8 }, /^headIndex.*from 0 to 7/],
    ['another', { tailIndex: -1 }, /^tailIndex/],
    ['a third', { refusedIndex: 0.5 }, /^refusedIndex/],
    ['one word instead of two', { tailIndex: CONTROL.headIndex }, /three different words/],
  ])('opening %s', (_, wrong, message) => {
    for (const End of [QueueWriter, QueueReader]) {
      const open = () => new End({ ...memory(), ...wrong });
      expect(open).toThrow(RangeError);
      expect(open).toThrow(message);
    }
  });

  test.each([-1, RING + 1])('opening a queue whose tail is head and %d', (filled) => {
    const views = memory(2 ** 31 - 1);
    views.control[CONTROL.tailIndex] = 2 ** 31 - 1 + filled;
    for (const End of [QueueWriter, QueueReader]) {
      expect(() => new End(views)).toThrow(/^head and tail must be 0 to 64 words apart/);
    }
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
