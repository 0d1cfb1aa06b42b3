import { describe, expect, test } from 'vitest';
import {
  MAX_RECORD_TYPE,
  privateQueueViews,
  QueueReader,
  QueueWriter,
} from '../../../../src/shared/memory/record-queue.js';
import { CONTROL, RING, STARTS, TestQueue, type Item } from '../../../fixtures/test-queue.js';

describe('a record', () => {
  test('is read as it was written, in order', () => {
    const queue = new TestQueue();
    const items: Item[] = [
      [0, 1, 2, 3],
      [MAX_RECORD_TYPE, -1, 2 ** 31 - 1, -(2 ** 31)],
      [7, 0],
    ];
    for (const item of items) expect(queue.push(...item)).toBe(true);
    expect(queue.scan()).toEqual(items);
    expect(queue.scan()).toEqual([]);
  });

  test('may have no payload', () => {
    const queue = new TestQueue();
    queue.push(0);
    queue.push(MAX_RECORD_TYPE);
    expect(queue.tail).toBe(2);
    expect(queue.scan()).toEqual([[0], [MAX_RECORD_TYPE]]);
  });

  test('is what the payload begins with, when a length is given', () => {
    const queue = new TestQueue();
    const payload = Int32Array.of(1, 2, 3, 4);
    queue.writer.tryPush(1, payload, 2);
    queue.writer.tryPush(2, payload, 0);
    expect(queue.scan()).toEqual([[1, 1, 2], [2]]);
  });

  test("has the layout that the file's header describes", () => {
    const queue = new TestQueue();
    queue.push(5, 11, 12);
    queue.push(MAX_RECORD_TYPE, 13);
    expect([...queue.views.data.subarray(0, 6)]).toEqual([
      0x05_00_00_02, 11, 12, 0x7f_00_00_01, 13, 0,
    ]);
    queue.scan(([type]) => type === MAX_RECORD_TYPE);
    expect([...queue.views.data.subarray(0, 6)]).toEqual([
      0x05_00_00_02,
      11,
      12,
      0xff_00_00_01 | 0,
      13,
      0,
    ]);
    expect([...queue.views.control]).toEqual([0, 0, 0, 0, 5, 0, 0, 0]);
  });

  test('that is long wraps around at any place', () => {
    const length = 512;
    const views = privateQueueViews(length);
    const writer = new QueueWriter(views);
    const reader = new QueueReader(views);
    const into = new Int32Array(length);
    for (let size = 250; size < length; size++) {
      const payload = Int32Array.from({ length: size + 1 }, (_, word) => 1000 * size + word);
      expect(writer.tryPush(3, payload, size)).toBe(true);
      reader.begin();
      expect(reader.next()).toBe(true);
      reader.read(into);
      expect(reader.take()).toBe(true);
      reader.end();
      expect([reader.length, ...into.subarray(0, size)]).toEqual([
        size,
        ...payload.subarray(0, size),
      ]);
    }
  });

  test('is read into the beginning of the array; the rest is unchanged', () => {
    const queue = new TestQueue();
    queue.push(1, 5, 6);
    queue.reader.begin();
    queue.reader.next();
    const into = Int32Array.of(1, 2, 3, 4);
    queue.reader.read(into);
    expect([...into]).toEqual([5, 6, 3, 4]);
  });

  test('may still be read, and taken again, after it was taken', () => {
    const queue = new TestQueue();
    queue.push(1, 5);
    queue.reader.begin();
    queue.reader.next();
    queue.reader.take();
    queue.reader.take();
    const into = new Int32Array(1);
    queue.reader.read(into);
    queue.reader.end();
    expect([...into]).toEqual([5]);
    expect(queue.head).toBe(2);
  });
});

describe.each(STARTS)('a ring that starts at count %i', (start) => {
  test('wraps around', () => {
    const queue = new TestQueue(start);
    for (let turn = 0; turn < 200; turn++) {
      const items: Item[] = [
        [1, turn, ~turn],
        [2, ...Array.from({ length: turn % 50 }, (_, word) => turn + word)],
      ];
      for (const item of items) expect(queue.push(...item)).toBe(true);
      expect(queue.scan()).toEqual(items);
      expect(queue.writer.freeWords).toBe(RING);
    }
  });

  test('holds exactly as much as it has room for', () => {
    const queue = new TestQueue(start);
    queue.fill(40);
    expect(queue.writer.freeWords).toBe(24);
    expect(queue.fill(25)).toBe(false);
    expect(queue.fill(24)).toBe(true);
    expect(queue.writer.freeWords).toBe(0);
    expect(queue.fill(1)).toBe(false);
    expect(queue.peek()).toHaveLength(2);
    expect(queue.scan()).toHaveLength(2);
    expect(queue.writer.freeWords).toBe(RING);
  });

  test('can be filled by one record', () => {
    const queue = new TestQueue(start);
    const item: Item = [3, ...Array.from({ length: queue.writer.maxLength }, (_, word) => word)];
    expect(queue.writer.maxLength).toBe(RING - 1);
    expect(queue.push(...item)).toBe(true);
    expect(queue.writer.freeWords).toBe(0);
    expect(queue.scan()).toEqual([item]);
  });

  test('can be continued by other ends', () => {
    const queue = new TestQueue(start);
    queue.push(1, 10);
    queue.push(2, 20, 21);
    queue.scan(([type]) => type === 1);
    const writer = new QueueWriter(queue.views);
    expect(writer.freeWords).toBe(RING - 3);
    writer.tryPush(3, Int32Array.of(30));
    expect(queue.scan(undefined, new QueueReader(queue.views))).toEqual([
      [2, 20, 21],
      [3, 30],
    ]);
  });
});

describe('a full queue', () => {
  test('refuses, counts it, and changes nothing else', () => {
    const queue = new TestQueue();
    queue.fill(60);
    const before = [...queue.views.control];
    const ring = [...queue.views.data];
    expect(queue.push(9, 1, 2, 3, 4)).toBe(false);
    expect(queue.push(9, 1, 2, 3, 4, 5)).toBe(false);
    expect(queue.writer.refused).toBe(2);
    before[CONTROL.refusedIndex] = 2;
    expect([...queue.views.control]).toEqual(before);
    expect([...queue.views.data]).toEqual(ring);
  });

  test('still accepts a record that is small enough', () => {
    const queue = new TestQueue();
    queue.fill(60);
    expect(queue.fill(5)).toBe(false);
    expect(queue.fill(4)).toBe(true);
  });

  test('accepts records again when there is room', () => {
    const queue = new TestQueue();
    queue.fill(60);
    queue.fill(5);
    queue.scan();
    expect(queue.fill(5)).toBe(true);
    expect(queue.writer.refused).toBe(1);
  });

  test('counts unsigned, and wraps after 2^32', () => {
    const queue = new TestQueue();
    queue.fill(RING);
    queue.views.control[CONTROL.refusedIndex] = 2 ** 31 - 1;
    queue.fill(1);
    expect(queue.writer.refused).toBe(2 ** 31);
    queue.views.control[CONTROL.refusedIndex] = -1;
    queue.fill(1);
    expect(queue.writer.refused).toBe(0);
  });
});

/** Three records of types 1 to 3. */
const letters = (): TestQueue => {
  const queue = new TestQueue();
  for (const type of [1, 2, 3]) queue.push(type, type * 10);
  return queue;
};

const isType =
  (...types: number[]) =>
  ([type]: Item): boolean =>
    types.includes(type);

describe('a scan', () => {
  test('leaves records that are not taken', () => {
    const queue = letters();
    const all = [
      [1, 10],
      [2, 20],
      [3, 30],
    ];
    expect(queue.peek()).toEqual(all);
    expect(queue.peek()).toEqual(all);
    expect(queue.head).toBe(0);
  });

  test('takes out of order, and does not show taken records again', () => {
    const queue = letters();
    queue.scan(isType(2));
    expect(queue.peek()).toEqual([
      [1, 10],
      [3, 30],
    ]);
  });

  test('frees taken records before the first waiting one, and no more', () => {
    const queue = letters();
    queue.scan(isType(2));
    expect(queue.head).toBe(0);
    queue.scan(isType(1));
    expect(queue.head).toBe(4);
    expect(queue.writer.freeWords).toBe(RING - 2);
    queue.scan();
    expect(queue.head).toBe(6);
  });

  test('frees what an earlier scan took, even if it ends before reaching it', () => {
    const queue = letters();
    queue.scan(isType(2));
    queue.reader.begin();
    queue.reader.next();
    queue.reader.take();
    queue.reader.end();
    expect(queue.head).toBe(4);
  });

  test('frees nothing before its end', () => {
    const queue = letters();
    queue.reader.begin();
    while (queue.reader.next()) queue.reader.take();
    expect(queue.head).toBe(0);
    expect(queue.writer.freeWords).toBe(RING - 6);
    queue.reader.end();
    expect(queue.writer.freeWords).toBe(RING);
  });

  test('shows what was there when it began', () => {
    const queue = letters();
    queue.reader.begin();
    queue.push(4, 40);
    const types: number[] = [];
    while (queue.reader.next()) {
      types.push(queue.reader.type);
      queue.reader.take();
    }
    queue.reader.end();
    expect(types).toEqual([1, 2, 3]);
    expect(queue.peek()).toEqual([[4, 40]]);
  });

  test('that was not ended is forgotten, and the records it took stay taken', () => {
    const queue = letters();
    queue.reader.begin();
    queue.reader.next();
    queue.reader.take();
    expect(queue.peek()).toEqual([
      [2, 20],
      [3, 30],
    ]);
    expect(queue.head).toBe(2);
  });

  test('finds nothing before the first begin and after its end', () => {
    const queue = letters();
    expect(queue.reader.next()).toBe(false);
    queue.peek();
    expect(queue.reader.next()).toBe(false);
    queue.reader.end();
    expect(queue.head).toBe(0);
  });

  test('may be ended early', () => {
    const queue = letters();
    queue.reader.begin();
    queue.reader.next();
    queue.reader.take();
    queue.reader.next();
    queue.reader.end();
    expect(queue.peek()).toEqual([
      [2, 20],
      [3, 30],
    ]);
  });
});

/** Records of types 1 to 4, of which 1 and 3 were taken by a consumer that never ended its scan. */
const died = (): TestQueue => {
  const queue = new TestQueue(2 ** 31 - 3);
  for (const type of [1, 2, 3, 4]) queue.push(type, type * 10);
  queue.reader.begin();
  for (const takes of [true, false, true]) {
    queue.reader.next();
    if (takes) queue.reader.take();
  }
  return queue;
};

describe('after the death of the consumer', () => {
  test('a third party sees exactly the records that were not taken', () => {
    const queue = died();
    const page = new QueueReader(queue.views);
    expect(queue.scan(() => false, page)).toEqual([
      [2, 20],
      [4, 40],
    ]);
  });

  test('looking changes nothing', () => {
    const queue = died();
    const before = [...queue.views.control, ...queue.views.data];
    const page = new QueueReader(queue.views);
    page.begin();
    while (page.next()) page.read(new Int32Array(1));
    expect([...queue.views.control, ...queue.views.data]).toEqual(before);
  });
});

describe('after the death of the producer within a push', () => {
  test('the record is invisible, and another producer can continue', () => {
    const queue = new TestQueue(-3);
    queue.push(1, 10);
    // The next record as it is before the store of tail: its header and one word of its two.
    const { data } = queue.views;
    data[(queue.tail + 0) & (RING - 1)] = 0x02_00_00_02;
    data[(queue.tail + 1) & (RING - 1)] = 20;
    expect(queue.peek()).toEqual([[1, 10]]);
    new QueueWriter(queue.views).tryPush(3, Int32Array.of(30));
    expect(queue.scan()).toEqual([
      [1, 10],
      [3, 30],
    ]);
  });
});
