import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  MAX_RECORD_TYPE,
  privateQueueViews,
  QueueReader,
  QueueWriter,
} from '../../../../src/shared/memory/record-queue.js';
import { CONTROL, RING, STARTS, TestQueue, type Item } from '../../../fixtures/test-queue.js';
import { expectEqual, expectSame } from '../../../fixtures/quick-checks.js';
import { assertQueue } from '../../../fixtures/invariants.js';

test("a record has the layout that the file's header describes", () => {
  const queue = new TestQueue();
  queue.push(5, 11, 12);
  queue.push(MAX_RECORD_TYPE, 13);
  const ring = (): number[] => [...queue.views.data.subarray(0, 6)];
  expect(ring()).toEqual([0x05_00_00_02, 11, 12, 0x7f_00_00_01, 13, 0]);
  queue.scan(([type]) => type === MAX_RECORD_TYPE);
  expect(ring()).toEqual([0x05_00_00_02, 11, 12, 0xff_00_00_01 | 0, 13, 0]);
  expect([...queue.views.control]).toEqual([0, 0, 0, 0, 5, 0, 0, 0]);
});

test('a long record wraps around at any place', () => {
  const length = 512;
  const views = privateQueueViews(length);
  const writer = new QueueWriter(views);
  const reader = new QueueReader(views);
  const into = new Int32Array(length);
  for (let size = 250; size < length; size++) {
    const payload = Int32Array.from({ length: size + 1 }, (_, word) => 1000 * size + word);
    expectSame(writer.tryPush(3, payload, size), true);
    reader.begin();
    expectSame(reader.next(), true);
    reader.read(into);
    reader.take();
    reader.end();
    expectSame(reader.length, size);
    expectEqual(into.slice(0, size), payload.slice(0, size));
  }
});

test.each([
  [255, 0],
  [256, 1],
])('a payload of %i words is copied with %i views of it, which are garbage', (length, views) => {
  const payload = new Int32Array(length);
  const subarray = vi.spyOn(payload, 'subarray');
  new QueueWriter(privateQueueViews(512)).tryPush(1, payload);
  expect(subarray).toHaveBeenCalledTimes(views);
});

test('the count of refused records is unsigned, and wraps after 2^32', () => {
  const queue = new TestQueue();
  queue.fill(RING);
  queue.views.control[CONTROL.refusedIndex] = 2 ** 31 - 1;
  queue.fill(1);
  expect(queue.writer.refused).toBe(2 ** 31);
  queue.views.control[CONTROL.refusedIndex] = -1;
  queue.fill(1);
  expect(queue.writer.refused).toBe(0);
});

test('a reader finds nothing before the first scan begins and after its end', () => {
  const queue = new TestQueue();
  queue.push(1, 10);
  expect(queue.reader.next()).toBe(false);
  queue.peek();
  expect(queue.reader.next()).toBe(false);
  queue.reader.end();
  expect(queue.head).toBe(0);
});

test('taking without a current record throws and takes nothing', () => {
  const queue = new TestQueue();
  queue.push(1);
  const { reader } = queue;
  const expectThrow = (): void => expect(() => reader.take()).toThrow(RangeError);
  expectThrow();
  reader.begin();
  expectThrow();
  reader.next();
  reader.next();
  expectThrow();
  reader.begin();
  reader.next();
  reader.begin();
  expectThrow();
  reader.next();
  reader.end();
  expectThrow();
  expect(queue.peek()).toEqual([[1]]);
});

test('after the death of the producer within a push the record is invisible, and another producer can continue', () => {
  const queue = new TestQueue(-3);
  queue.push(1, 10);
  // The next record as it is before the store of tail: its header and one word of its two.
  const { data } = queue.views;
  data[queue.tail & (RING - 1)] = 0x02_00_00_02;
  data[(queue.tail + 1) & (RING - 1)] = 20;
  expect(queue.peek()).toEqual([[1, 10]]);
  new QueueWriter(queue.views).tryPush(3, Int32Array.of(30));
  expect(queue.scan()).toEqual([
    [1, 10],
    [3, 30],
  ]);
});

test.each<[what: string, head: number, tail: number, header: number]>([
  ['ends that are further apart than the ring is long', 0, RING + 1, 0],
  ['a tail before its head', 1, 0, 0],
  ['a waiting record that ends after the tail', 0, 3, 3],
  ['a taken record that ends after the tail', 0, 3, (1 << 31) | 3],
])('a reader that finds %s is broken, finds nothing and frees nothing', (_, head, tail, header) => {
  const { views, reader } = new TestQueue();
  views.control[CONTROL.headIndex] = head;
  views.control[CONTROL.tailIndex] = tail;
  views.data[0] = header;
  reader.begin();
  expect([reader.next(), reader.isBroken]).toEqual([false, true]);
  expect(() => reader.take()).toThrow(RangeError);
  reader.end();
  expect(views.control[CONTROL.headIndex]).toBe(head);
});

/** The calls of Atomics on a queue's control words and headers, in order. */
function tracedAtomics(queue: TestQueue, act: () => void): string[] {
  const calls: string[] = [];
  const names = new Map([
    [CONTROL.headIndex as number, 'head'],
    [CONTROL.tailIndex as number, 'tail'],
  ]);
  const atomics = Atomics as unknown as Record<string, (...args: unknown[]) => number>;
  const spies = ['load', 'store', 'or'].map((method) => {
    const real = atomics[method];
    return vi.spyOn(atomics, method).mockImplementation((...args) => {
      const isHeader = args[0] === queue.views.data;
      const name = isHeader ? 'header' : (names.get(args[1] as number) ?? 'refused');
      const written = queue.views.data.slice(0, 2);
      calls.push(
        `${method} ${name}${`${method} ${name}` === 'store tail' ? ` after ${written}` : ''}`,
      );
      return real?.(...args) ?? Number.NaN;
    });
  });
  act();
  for (const spy of spies) spy.mockRestore();
  return calls;
}

test('a record is written before the store of the tail, and freed by one store of the head after it was marked', () => {
  const queue = new TestQueue();
  const push = tracedAtomics(queue, () => queue.push(1, 5));
  expect(push).toEqual(['load tail', 'store tail after 16777217,5']);
  const { reader } = queue;
  const scan = tracedAtomics(queue, () => {
    reader.begin();
    reader.next();
    reader.take();
    reader.end();
  });
  expect(scan).toEqual([
    'load head',
    'load tail',
    'load header',
    'or header',
    'load header',
    'load head',
    'store head',
  ]);
});

/** A scan that visits some records, and may not be ended. After it has begun, a record is pushed. */
interface Step {
  readonly item: Item;
  readonly most: number;
  /** Whether a record is taken: these answers, repeated. */
  readonly takes: readonly boolean[];
  readonly isEnded: boolean;
}
const takesAt = ({ takes }: Step, index: number): boolean => takes[index % takes.length] as boolean;

/** A queue on plain arrays, as the model. */
class ModelQueue {
  #records: { readonly item: Item; isTaken: boolean }[] = [];
  refused = 0;

  get freeWords(): number {
    return this.#records.reduce((free, { item }) => free - item.length, RING);
  }

  get waiting(): Item[] {
    return this.#waiting.map(({ item }) => item);
  }

  get #waiting() {
    return this.#records.filter(({ isTaken }) => !isTaken);
  }

  take(step: Step): [isAccepted: boolean, seen: Item[]] {
    const seen = this.#waiting.slice(0, step.most);
    const fits = step.item.length <= this.freeWords;
    if (fits) this.#records.push({ item: step.item, isTaken: false });
    else this.refused += 1;
    for (const [index, record] of seen.entries()) record.isTaken = takesAt(step, index);
    const first = this.#records.findIndex(({ isTaken }) => !isTaken);
    if (step.isEnded) this.#records = first < 0 ? [] : this.#records.slice(first);
    return [fits, seen.map(({ item }) => item)];
  }
}

/** Reads and takes records of a scan. One that was taken may be read and taken again. */
function visit(
  reader: QueueReader,
  most = Infinity,
  takes: (index: number) => boolean = () => false,
): Item[] {
  const seen: Item[] = [];
  while (seen.length < most && reader.next()) {
    if (takes(seen.length)) for (let times = 0; times < 2; times++) reader.take();
    const payload = new Int32Array(reader.length + 1);
    reader.read(payload);
    expectSame(payload[reader.length], 0);
    seen.push([reader.type, ...payload.subarray(0, -1)]);
  }
  return seen;
}

function take(queue: TestQueue, step: Step): [isAccepted: boolean, seen: Item[]] {
  const { reader } = queue;
  reader.begin();
  const isAccepted = queue.push(...step.item);
  const seen = visit(reader, step.most, (index) => takesAt(step, index));
  if (step.isEnded) {
    reader.end();
    assertQueue(queue.views);
  }
  return [isAccepted, seen];
}

/** The records that a third party finds, which changes nothing. */
function waitingIn({ views }: TestQueue): Item[] {
  const before = [...views.control, ...views.data];
  const page = new QueueReader(views);
  page.begin();
  const seen = visit(page);
  expectEqual([...views.control, ...views.data], before);
  return seen;
}

test('a queue behaves like plain arrays, also for a third party, in any sequence of pushes and scans, ended or not', () => {
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const steps = fc.record({
    item: fc
      .tuple(fc.nat(MAX_RECORD_TYPE), fc.array(int32, { maxLength: 20, size: 'max' }))
      .map(([type, payload]): Item => [type].concat(payload) as [number, ...number[]]),
    most: fc.constantFrom(0, 0, 0, 1, 2, Infinity),
    takes: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
    isEnded: fc.boolean(),
  });
  const sequences = fc.array(steps, { maxLength: 80, size: 'max' });
  const start = fc.oneof(fc.constantFrom(...STARTS), int32);
  let refusals = 0;
  fc.assert(
    fc.property(start, sequences, (count, sequence) => {
      const queue = new TestQueue(count);
      const model = new ModelQueue();
      for (const step of sequence) {
        expectEqual(take(queue, step), model.take(step));
        expectEqual(waitingIn(queue), model.waiting);
        expectSame(queue.writer.freeWords, model.freeWords);
        expectSame(queue.writer.refused, model.refused);
      }
      refusals += model.refused;
    }),
    { numRuns: 200 },
  );
  expect(refusals).toBeGreaterThan(0);
});
