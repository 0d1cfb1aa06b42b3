import { beforeEach, expect, test, vi } from 'vitest';
import { bodyId, type BodyId } from '../../../../src/shared/memory/body-meta.js';
import type { UserEvent } from '../../../../src/shared/events/simulation-event.js';
import { EVENT_RECORD } from '../../../../src/shared/events/event-record.js';
import { EventDispatcher } from '../../../../src/render-main/traffic/event-dispatcher.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';

// As a type alias: an interface could be extended with more keys, and would not be one of JSON
// values.
type Own = { goal: { readonly by: string }; score: number };

const A = bodyId(0, 1);
const B = bodyId(1, 1);
/** For a handler that waits for no frame. */
const NOW = { when: 'now' } as const;

let queue: ReturnType<typeof createEventQueue>;
let reporter: EventReporter;
let page: EventDispatcher<Own>;
let received: unknown[];

beforeEach(() => {
  queue = createEventQueue(1 << 12);
  reporter = new EventReporter(queue.writer);
  page = new EventDispatcher();
  page.attach(queue.views);
  received = [];
});
/** A score of the tick's number, each tick 10 ms after the one before. */
const score = (...ticks: number[]) => {
  for (const tick of ticks) {
    reporter.beginTick(tick, tick * 10);
    reporter.emit('score', tick);
  }
};
const receive = (event: UserEvent<number>) => received.push(event.value);

test('a handler is called with the tick that the display shows, in order', () => {
  page.on('score', receive);
  score(1, 2, 3, 4);
  page.deliver(100);
  expect(received).toEqual([]);
  page.drain();
  expect(page.waiting).toBe(4);
  page.deliver(9.9);
  expect(received).toEqual([]);
  page.deliver(20);
  expect(received).toEqual([1, 2]);
  page.deliver(15);
  page.deliver(Number.NaN);
  expect(received).toEqual([1, 2]);
  page.deliver(45);
  expect(received).toEqual([1, 2, 3, 4]);
  expect(page.waiting).toBe(0);
});

test('many pending events are dispatched a few at a time', () => {
  page.on('score', receive);
  const ticks = Array.from({ length: 5000 }, (_, index) => index + 1);
  for (const tick of ticks) {
    score(tick);
    page.drain();
  }
  for (let shown = 0; shown <= 50_000; shown += 130) page.deliver(shown);
  expect(received).toEqual(ticks.slice(0, Math.floor(49_920 / 10)));
  page.deliver(50_000);
  expect(received).toEqual(ticks);
});

test('of too many pending events, the oldest are dispatched, and counted', () => {
  page = new EventDispatcher(3);
  page.attach(queue.views);
  page.on('score', receive);
  score(1, 2, 3, 4, 5);
  page.drain();
  expect([page.waiting, page.dropped]).toEqual([3, 2]);
  page.deliver(1000);
  expect(received).toEqual([3, 4, 5]);
  expect(() => new EventDispatcher(0)).toThrow(RangeError);
});

test('the events of a run whose time begins before that of the last one are not delayed by it', () => {
  page.on('score', receive);
  score(100);
  page.drain();
  // A new worker, whose virtual time starts again.
  reporter = new EventReporter(queue.writer);
  score(1);
  page.drain();
  page.deliver(10);
  expect(received).toEqual([100, 1]);
});

test('a handler receives only later events, and only of its type', () => {
  page.on('score', receive);
  score(1);
  page.drain();
  page.on('score', ({ value }) => received.push(`late ${value}`));
  page.on('goal', ({ value }) => received.push(value.by));
  score(2);
  page.drain();
  page.deliver(100);
  expect(received).toEqual([1, 2, 'late 2']);
});

test('a handler that is added in a handler receives later events', () => {
  const addAnother = ({ value }: UserEvent<number>): void => {
    page.on('score', (event) => received.push(`${value}: ${event.value}`), NOW);
  };
  page.on('score', addAnother, NOW);
  score(1, 2);
  page.drain();
  expect(received).toEqual(['1: 2']);
});

test('removing a handler takes effect immediately, also for pending events, and is safe within a handler', () => {
  const offs: (() => void)[] = [];
  const on = (name: string) => {
    const off = page.on('score', ({ value }) => {
      received.push(`${name}${value}`);
      if (value === 2) for (const each of offs) each();
    });
    offs.push(off);
  };
  for (const name of ['a', 'b']) on(name);
  page.on('score', ({ value }) => received.push(`c${value}`));
  score(1, 2, 3);
  page.drain();
  page.deliver(100);
  expect(received).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'c3']);
  offs[0]?.();
});

test('an event without listeners is discarded without being read', () => {
  const parse = vi.spyOn(JSON, 'parse');
  score(1);
  page.drain();
  page.on('goal', () => 0);
  score(2);
  page.drain();
  page.deliver(1000);
  expect(parse).not.toHaveBeenCalled();
  expect([page.waiting, queue.writer.freeWords]).toEqual([0, 1 << 12]);
});

test('without a queue there is no event to read', () => {
  const alone = new EventDispatcher();
  alone.drain();
  alone.deliver(1);
  expect([alone.lost, alone.waiting]).toEqual([0, 0]);
});

test('wrong arguments of `on` are refused', () => {
  const on = page.on.bind(page) as (...args: unknown[]) => unknown;
  expect(() => on('', receive)).toThrow(TypeError);
  expect(() => on('score', 1)).toThrow(/handler of "score"/);
  expect(() => on('score', receive, { when: 'later' })).toThrow(/when.*shown, now/);
  expect(() => on('score', receive, { why: 1 })).toThrow(/"why"/);
});

test('an error of a handler is reported as an uncaught one and stops nothing', () => {
  const reportError = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', reportError);
  const error = new Error('from a handler');
  const fail = (): never => {
    throw error;
  };
  for (const when of ['now', 'shown'] as const) {
    page.on('score', fail, { when });
    page.on('score', ({ value }) => received.push(`${when} ${value}`), { when });
  }
  score(1, 2);
  page.drain();
  page.deliver(1000);
  expect(received).toEqual(['now 1', 'now 2', 'shown 1', 'shown 2']);
  expect(reportError.mock.calls).toEqual([[error], [error], [error], [error]]);
  score(3);
  page.drain();
  expect(received.at(-1)).toBe('now 3');
});

test('drain and deliver in a handler neither repeat nor lose an event', () => {
  const again = (event: UserEvent<number>) => {
    receive(event);
    page.drain();
    page.deliver(1000);
  };
  page.on('score', again);
  page.on('score', again, NOW);
  score(1, 2, 3);
  page.drain();
  page.deliver(1000);
  expect([...received].toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
});

test('drain in a handler does not get ahead of the other handlers', () => {
  page.on('score', () => page.drain(), NOW);
  page.on('score', receive, NOW);
  score(1, 2, 3);
  page.drain();
  expect(received).toEqual([1, 2, 3]);
});

test('the open pairs are what the ticks up to a limit say, and end with the run in any tick', () => {
  page.on('contact', ({ phase, tick }) => received.push([phase, tick]), NOW);
  reporter.beginTick(1, 10);
  reporter.contact(A, B, true, 0, 0, 0);
  reporter.beginTick(2, 20);
  reporter.contact(A, B, false, 0, 0, 0);
  page.drain(1);
  expect(received).toEqual([['begin', 1]]);
  reporter.clear();
  page.drain(1);
  expect(received.slice(1)).toEqual([['end', 2]]);
  page.drain();
  expect(received).toHaveLength(2);
});

test('an open pair is tracked with or without listeners: later listeners see it end with the run', () => {
  reporter.beginTick(1, 10);
  reporter.contact(A, B, true, 0, 0, 0);
  reporter.contact(A, undefined, true, 0, 0, 0);
  reporter.sensor(7, B, true, 0, 0, 0);
  reporter.sleep(A, true);
  reporter.contact(A, B, false, 0, 0, 0);
  page.drain();
  for (const name of ['contact', 'sensor', 'sleep'] as const) {
    page.on(name, (event: object) => received.push(event), NOW);
  }
  reporter.clear();
  page.drain();
  expect(received).toMatchObject([
    { phase: 'end', a: A, b: undefined, isLate: true },
    { phase: 'leave', sensor: 7, body: B, isLate: true },
    { isAsleep: false, body: A, isLate: true },
  ]);
});

test('an open pair ends with the run, when that is shown', () => {
  page.on('contact', ({ phase, a }) => received.push([phase, a as BodyId]));
  reporter.beginTick(1, 10);
  reporter.contact(A, B, true, 0, 0, 0);
  reporter.clear();
  page.drain();
  page.deliver(9);
  expect(received).toEqual([]);
  page.deliver(10);
  expect(received).toEqual([
    ['begin', A],
    ['end', A],
  ]);
});

test('the loss of events is counted over several queues', () => {
  const lose = (events: number) => {
    const small = createEventQueue(64);
    for (let n = 0; n < events; n++) small.writer.tryPush(5, new Int32Array(63));
    page.attach(small.views);
  };
  lose(3);
  expect(page.lost).toBe(2);
  lose(2);
  expect(page.lost).toBe(3);
  page.attach(queue.views);
  expect(page.lost).toBe(3);
});

test.each([0, 5, 16, 18, 20, 34, 60, 1000])(
  'a collision that cannot be decoded of %i words breaks the queue, and nothing else',
  (length) => {
    page.on('collision', (event) => received.push(event), NOW);
    queue.writer.tryPush(EVENT_RECORD.collision, new Int32Array(length).fill(-1));
    expect(() => page.drain()).not.toThrow();
    expect(page.isBroken).toBe(true);
    expect(received).toEqual([]);
  },
);

test('a collision that cannot be decoded is without a handler only taken note of', () => {
  queue.writer.tryPush(EVENT_RECORD.collision, new Int32Array(1000).fill(-1));
  page.drain();
  expect(page.isBroken).toBe(false);
});
