/** Both ends of the calls in shared memory, in one thread. */
import { transferHandlers } from 'comlink';
import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { withResolvers } from '../../../src/render-main/util/promises.js';
import { openSharedCalls, type AskAtOnce } from '../../../src/render-main/worker/shared-calls.js';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { CONTROL } from '../../../src/shared/memory/layout.js';
import { SharedCalls } from '../../../src/sim-worker/run/shared-calls.js';
import { PageCalls } from '../../../src/sim-worker/thread/page-calls.js';
import { createToyRun } from '../../fixtures/run-toy.js';

/** A value of a class that an application transfers with a handler. */
class Kept {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

let control: Int32Array;
let slot: SharedCalls;
let calls: PageCalls;
let ask: AskAtOnce;
let isAlone: boolean;
/** What the query received. */
let received: unknown[];
/** What the worker has posted. */
let posted: unknown[];
/** What the query does. */
let answer: (given: unknown) => unknown;

beforeEach(async () => {
  ({ control } = createBuffer(4, 2));
  const { port1, port2 } = new MessageChannel();
  const { run } = await createToyRun();
  [isAlone, received, posted, calls] = [true, [], [], new PageCalls()];
  answer = (given) => given;
  const post = port2.postMessage.bind(port2);
  vi.spyOn(port2, 'postMessage').mockImplementation((message, transfer) => {
    post(message, transfer as Transferable[]);
    posted.push(message);
  });
  slot = new SharedCalls(control, calls, port2, run, {
    init: () => {},
    step: () => {},
    queries: {
      look: (given: unknown) => {
        received.push(given);
        return answer(given);
      },
    },
  });
  calls.slot = slot;
  ask = openSharedCalls(control, port1, () => isAlone);
  port1.start();
  onTestFinished(() => port1.close());
});

const lengthOfCall = (): number => Atomics.load(control, CONTROL.callLength);

/** A call that the worker has run. */
const asked = (): Promise<unknown> | undefined => {
  const called = ask('look', [1]);
  slot.take();
  return called;
};

test('a call to shared memory is left there, rings once, and is answered at once', async () => {
  const called = ask('look', [{ x: 1.5, of: ['ä', '\u{1F600}', '\uD800', null, true] }]);
  expect([slot.isFull, Atomics.load(control, CONTROL.doorbell)]).toEqual([true, 1]);
  slot.take();
  expect([slot.isFull, calls.begun, posted.length]).toEqual([false, 1, 1]);
  expect(received).toEqual([{ x: 1.5, of: ['ä', '\u{1F600}', '\uD800', null, true] }]);
  await expect(called).resolves.toEqual(received[0]);
  // Nothing is left to run.
  slot.take();
  expect([calls.begun, received.length]).toEqual([1, 1]);
});

test('a call of any arguments arrives as a message would, or has to be posted', () => {
  let accepted = 0;
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (given) => {
      received = [];
      if (ask('look', [given]) === undefined) return;
      accepted += 1;
      slot.take();
      expect(received).toStrictEqual([structuredClone(given)]);
    }),
    // About a fifth of them.
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(20);
});

const shared = { x: 1 };
const cycle: unknown[] = [];
cycle.push(cycle);
test.each<[string, unknown]>([
  ['undefined', undefined],
  ['undefined in an object', { x: undefined }],
  ['a hole', Array.from({ length: 3 }).fill(1, 1)],
  // oxlint-disable-next-line no-sparse-arrays
  ['a hole that a property makes up for', Object.assign([, 1], { x: 1 })],
  ['a list with a property', Object.assign([1], { x: 1 })],
  ['NaN', Number.NaN],
  ['−0', [-0]],
  ['a function', () => {}],
  ['a class', new Kept('x')],
  ['a typed array', new Float32Array(2)],
  ['an object twice', [shared, shared]],
  ['a cycle', cycle],
  ['more text than there is room', 'x'.repeat(512)],
  ['more numbers than there is room', Array.from({ length: 300 }, (_, index) => index)],
  ['a long list', Array.from({ length: 100_000 }, () => 0)],
])('a call with %s has to be posted', (_, given) => {
  expect(ask('look', [given])).toBeUndefined();
  expect([lengthOfCall(), Atomics.load(control, CONTROL.doorbell)]).toEqual([-1, 0]);
});

test('a call in shared memory fits up to the last word', () => {
  const room = 512 - JSON.stringify([1, 'look', ['']]).length;
  expect(ask('look', ['x'.repeat(room + 1)])).toBeUndefined();
  void ask('look', ['x'.repeat(room)]);
  expect(lengthOfCall()).toBe(512);
  slot.take();
  expect(received).toEqual(['x'.repeat(room)]);
});

test('a call has to be posted and is not left in memory while another one is open', () => {
  isAlone = false;
  expect(ask('look', [1])).toBeUndefined();
});

test('a call has to be posted while the slot is closed, and the one in it runs before it closes', () => {
  void ask('look', [1]);
  slot.close();
  expect(received).toEqual([1]);
  expect(ask('look', [2])).toBeUndefined();
  slot.open();
  expect(ask('look', [3])).toBeDefined();
});

test('a call in memory runs before a message that arrives after it', () => {
  void ask('look', [1]);
  expect(calls.arrive()).toBe(true);
  expect([received, calls.begun]).toEqual([[1], 2]);
});

test('a call in memory is not answered after a tick that has thrown, but counts', () => {
  calls.askBefore(
    () => false,
    () => false,
  );
  void ask('look', [1]);
  slot.take();
  expect([received, posted, calls.begun]).toEqual([[], [], 1]);
});

test('a call in memory waits behind one whose part of the library loads', async () => {
  const { promise: part, resolve: arrive } = withResolvers<void>();
  void calls.inTurn(() =>
    calls.loaded(
      () => part,
      () => 'loaded',
    ),
  );
  const called = ask('look', [1]);
  slot.take();
  expect(received).toEqual([]);
  arrive();
  await expect(called).resolves.toBe(1);
});

test.each([undefined, null, 'text', Number.NaN, 7n, [1, { x: -0 }], { y: undefined }])(
  'the answer %s is posted at once',
  async (value) => {
    answer = () => value;
    const called = asked();
    expect(posted).toHaveLength(1);
    await expect(called).resolves.toStrictEqual(value);
  },
);

test.each([
  ['what a promise resolves with', async () => 'later', 'later'],
  ['a typed array', () => Float64Array.of(1, 2), Float64Array.of(1, 2)],
  ['a map', () => new Map([[1, 2]]), new Map([[1, 2]])],
])('an answer is %s', async (_, made, expected) => {
  answer = made;
  const called = asked();
  await expect(called).resolves.toEqual(expected);
  expect(calls.isBusy).toBe(false);
});

test('an answer keeps the worker busy until its promise is settled', async () => {
  const { promise, resolve: end } = withResolvers<string>();
  answer = () => promise;
  const called = asked();
  expect(calls.isBusy).toBe(true);
  end('done');
  await expect(called).resolves.toBe('done');
  expect(calls.isBusy).toBe(false);
});

test('an answer is sent by a handler of the application', async () => {
  transferHandlers.set('kept', {
    canHandle: (value): value is Kept => value instanceof Kept,
    serialize: ({ text }) => [text, []],
    deserialize: (text: string) => new Kept(text),
  });
  onTestFinished(() => void transferHandlers.delete('kept'));
  answer = () => new Kept('mine');
  await expect(asked()).resolves.toEqual(new Kept('mine'));
  transferHandlers.set('all', {
    canHandle: (value): value is object => typeof value === 'object' && value !== null,
    serialize: () => ['sent', []],
    deserialize: (text: string) => text,
  });
  onTestFinished(() => void transferHandlers.delete('all'));
  answer = () => ({ x: 1 });
  await expect(asked()).resolves.toBe('sent');
});

test.each([
  ['what it throws', new RangeError('no such place'), 'no such place'],
  ['what is no error', 'a text', 'a text'],
])('an answer is %s', async (_, reason, message) => {
  answer = () => {
    throw reason;
  };
  await expect(asked()).rejects.toMatchObject({ message });
});

test('an answer rejects if it cannot be cloned, or there is no such query', async () => {
  answer = () => ({ act: () => {} });
  await expect(asked()).rejects.toMatchObject({ message: 'Unserializable return value' });
  const called = ask('smell', []);
  slot.take();
  await expect(called).rejects.toMatchObject({
    message: 'the simulation has no query "smell"; it has look',
  });
});

test.each(['', '{}', '[]', '["1","look",[]]', '[1,2,[]]', '[1,"look",{}]'])(
  'what is no call is refused: %s',
  (text) => {
    const units = new Uint16Array(control.buffer, CONTROL.call * 4, 512);
    units.set(Array.from(text, (_, index) => text.charCodeAt(index)));
    Atomics.store(control, CONTROL.callLength, Math.max(text.length, 1));
    slot.take();
    expect(posted).toMatchObject([{ type: 'betwixt:failure', stage: 'protocol' }]);
  },
);
