import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { bodyId, type BodyId } from '../../../../src/shared/memory/body-meta.js';
import { EVENT_RECORD } from '../../../../src/shared/events/event-record.js';
import type {
  BuiltInEvents,
  ContactEvent,
} from '../../../../src/shared/events/simulation-event.js';
import { EventDispatcher } from '../../../../src/render-main/traffic/event-dispatcher.js';
import { EventReporter } from '../../../../src/sim-worker/events/event-reporter.js';
import { createEventQueue } from '../../../fixtures/event-queue.js';
import { stepsOf, take, type Operations } from '../../../fixtures/walk.js';

const A = bodyId(0, 1);
const B = bodyId(1, 1);
const C = bodyId(2, 1);
/** 64 words hold five contact forces or contacts, with their headers. */
const WORDS = 64;
const FORCE_WORDS = 12;

let queue: ReturnType<typeof createEventQueue>;
let reporter: EventReporter;
let page: EventDispatcher;
let received: [string, object][];

beforeEach(() => {
  queue = createEventQueue(WORDS);
  reporter = new EventReporter(queue.writer);
  page = new EventDispatcher();
  page.attach(queue.views);
  received = [];
  for (const name of ['contact', 'contactForce', 'sensor', 'sleep'] as const) {
    page.on(name, (event: BuiltInEvents[typeof name]) => received.push([name, event]), {
      when: 'now',
    });
  }
});

const begin = (tick: number) => reporter.beginTick(tick, tick * 10);
const touch = (a: BodyId | undefined, b: BodyId | undefined, isTouching = true) =>
  reporter.contact(a, b, isTouching, 1, 2, 3);
const read = () => {
  page.drain();
  return received.splice(0);
};
const phases = () =>
  read().map(([, event]) => {
    const { phase, isLate, tick } = event as ContactEvent;
    return `${tick} ${phase}${isLate ? ' again' : ''}`;
  });
/** Leaves no room. */
const fill = () => {
  const before = reporter.lost;
  while (queue.writer.freeWords >= FORCE_WORDS) reporter.contactForce(A, C, 1, 0, 0, 0);
  // A custom event without listeners.
  const rest = queue.writer.freeWords - 1;
  if (rest >= 0) queue.writer.tryPush(EVENT_RECORD.user, new Int32Array(rest));
  expect(reporter.lost).toBe(before);
};

test('contacts have the lower body first, and a missing body last', () => {
  begin(1);
  touch(B, A);
  touch(undefined, C);
  const [first, second] = read();
  expect(first).toEqual([
    'contact',
    { tick: 1, isLate: false, isReplayed: false, phase: 'begin', a: A, b: B, x: 1, y: 2, z: 3 },
  ]);
  expect(second).toMatchObject(['contact', { a: C, b: undefined }]);
});

test('a body that despawns ends its contacts and its sleep in that tick', () => {
  begin(1);
  touch(A, B);
  reporter.sleep(A, true);
  read();
  reporter.despawned(A);
  reporter.endTick();
  expect(read()).toMatchObject([
    ['contact', { a: A, b: B, phase: 'end', tick: 1, isLate: false, isReplayed: false }],
    ['sleep', { body: A, isAsleep: false }],
  ]);
});

test('events without a queue are counted and refused like those of a run', () => {
  const alone = new EventReporter(undefined, 20);
  alone.beginTick(1, 10);
  alone.contact(A, B, true, 0, 0, 0);
  alone.emit('x', 1);
  alone.clear();
  alone.contact(A, B, false, 0, 0, 0);
  expect([alone.reported, alone.lost]).toEqual([2, 0]);
  expect(() => alone.emit('x', 'y'.repeat(100))).toThrow(RangeError);
});

test('a begin that a full queue refused is emitted when there is room, marked as resynchronized', () => {
  begin(1);
  fill();
  touch(A, B);
  expect(reporter.lost).toBe(1);
  begin(2);
  expect(reporter.lost).toBe(1);
  read();
  begin(3);
  const late = { tick: 3, isLate: true, phase: 'begin', a: A, b: B, x: Number.NaN };
  expect(read()[0]).toMatchObject(['contact', late]);
  expect([reporter.lost, page.lost]).toEqual([1, 1]);
});

test('a contact that began and ended while the queue was full is skipped', () => {
  begin(1);
  fill();
  touch(A, B);
  touch(A, B, false);
  read();
  begin(2);
  expect(phases()).toEqual([]);
  expect(reporter.lost).toBe(2);
});

test('a new worker on the same queue ends the contacts that the last one began', () => {
  begin(1);
  touch(A, B);
  read();
  const next = new EventReporter(queue.writer);
  next.beginTick(6, 60);
  next.contact(A, B, true, 0, 0, 0, true);
  expect(phases()).toEqual(['6 end again', '6 begin again']);
  expect(reporter.lost).toBe(0);
});

test('after a full queue the oldest pending event is emitted first, as far as there is room', () => {
  begin(1);
  fill();
  // A sleep takes seven words.
  const bodies = Array.from({ length: 11 }, (_, slot) => bodyId(slot, 2));
  for (const body of bodies) reporter.sleep(body, true);
  expect(reporter.lost).toBe(11);
  read();
  begin(2);
  const first = read().map(([, event]) => (event as { body: BodyId }).body);
  expect(first).toEqual(bodies.slice(0, 9));
  begin(3);
  expect(read()).toHaveLength(2);
  expect(reporter.lost).toBe(11);
});

test('a seek that is muted emits no events, and a reset after it', () => {
  begin(5);
  touch(A, B);
  read();
  reporter.setMuted(true);
  reporter.clear();
  // An engine learns from this number that all pairs are over.
  expect(reporter.run).toBe(1);
  begin(1);
  touch(B, C);
  reporter.emit('goal', 1);
  reporter.despawned(C);
  reporter.endTick();
  expect([read(), reporter.reported]).toEqual([[], 1]);
  reporter.setMuted(false);
  expect(phases()).toEqual(['1 end again']);
  begin(2);
  touch(B, C, false);
  touch(B, C, true);
  expect(phases()).toEqual(['2 begin']);
});

test('custom events reach the page or are lost, and wrong ones are refused with the reason', () => {
  const values: unknown[] = [];
  page.on('goal', (event) => values.push(event), { when: 'now' });
  begin(3);
  reporter.emit('goal', { by: [1] });
  page.drain();
  expect(values).toEqual([{ tick: 3, isLate: false, isReplayed: false, value: { by: [1] } }]);
  expect(() => reporter.emit('contact', 1)).toThrow(RangeError);
  expect(() => reporter.emit('', 1)).toThrow(/string that is not empty/);
  expect(() => reporter.emit(3 as unknown as string, 1)).toThrow(/string that is not empty/);
  expect(() => reporter.emit('goal', { at: [Number.NaN] })).toThrow(
    /the event "goal", at at\[0\],.*NaN/,
  );
  expect(() => reporter.emit('goal', 'x'.repeat(WORDS * 4))).toThrow(/"goal" takes .* 63/);
  expect([reporter.reported, reporter.lost]).toEqual([1, 0]);
  fill();
  const { reported } = reporter;
  reporter.emit('goal', 'a long text that has no room');
  expect([reporter.reported, reporter.lost]).toEqual([reported, 1]);
});

/** Drawn for each step. */
interface Given {
  readonly a: number;
  readonly b: number;
  readonly isOn: boolean;
}

/** A page that follows a reporter, and what is true. */
class Play {
  readonly #queue = createEventQueue(WORDS);
  readonly reporter = new EventReporter(this.#queue.writer);
  readonly page = new EventDispatcher();
  readonly open = new Set<string>();
  readonly truth = new Map<string, number>();
  readonly gone: number[] = [];
  #tick = 0;
  #lastTick = 0;

  constructor() {
    this.page.attach(this.#queue.views);
    const now = { when: 'now' } as const;
    const see = (key: string, isOn: boolean, tick: number) => {
      expect(tick).toBeGreaterThanOrEqual(this.#lastTick);
      this.#lastTick = tick;
      expect(this.open.has(key), `${key} ${isOn}`).toBe(!isOn);
      if (isOn) this.open.add(key);
      else this.open.delete(key);
    };
    this.page.on('contact', (e) => see(`c${e.a},${e.b}`, e.phase === 'begin', e.tick), now);
    this.page.on('sensor', (e) => see(`s${e.sensor},${e.body}`, e.phase === 'enter', e.tick), now);
    this.page.on('sleep', (e) => see(`z${e.body}`, e.isAsleep, e.tick), now);
    this.nextTick();
  }

  count(key: string, isOn: boolean, most = Infinity): void {
    const next = Math.min(most, Math.max(0, (this.truth.get(key) ?? 0) + (isOn ? 1 : -1)));
    if (next > 0) this.truth.set(key, next);
    else this.truth.delete(key);
  }

  nextTick(): void {
    for (const body of this.gone.splice(0)) {
      for (const key of this.truth.keys()) {
        const [first, second] = key.slice(1).split(',').map(Number);
        if (second === body || (first === body && !key.startsWith('s'))) this.truth.delete(key);
      }
    }
    this.#tick += 1;
    this.reporter.beginTick(this.#tick, this.#tick * 10);
  }
}

const OPERATIONS: Operations<Play, Given> = {
  contact: [
    8,
    (play, _, { a, b, isOn }) => {
      if (a === b) return;
      play.count(`c${Math.min(a, b)},${Math.max(a, b)}`, isOn);
      play.reporter.contact(a as BodyId, b as BodyId, isOn, 0, 0, 0);
    },
  ],
  sensor: [
    8,
    (play, _, { a, b, isOn }) => {
      play.count(`s${a},${b}`, isOn);
      play.reporter.sensor(a, b as BodyId, isOn, 0, 0, 0);
    },
  ],
  sleep: [
    8,
    (play, _, { a, isOn }) => {
      play.count(`z${a}`, isOn, 1);
      play.reporter.sleep(a as BodyId, isOn);
    },
  ],
  tick: [4, (play) => play.nextTick()],
  own: [2, ({ reporter: own }) => own.emit('own', [1, 2, 3, 4, 5])],
  drain: (play) => play.page.drain(),
  despawn(play, _, { a }) {
    play.gone.push(a);
    play.reporter.despawned(a as BodyId);
  },
  clear(play) {
    play.truth.clear();
    play.gone.length = 0;
    play.reporter.clear();
  },
};
const anyBody = fc.nat(3);
const sequences = stepsOf(OPERATIONS, {
  maxLength: 100,
  max: 0,
  more: { a: anyBody, b: anyBody, isOn: fc.boolean() },
});

test('any sequence of events leaves the page with the true state; begins and ends alternate, and ticks never decrease', () => {
  fc.assert(
    fc.property(sequences, (steps) => {
      const play = new Play();
      for (const step of steps) take(OPERATIONS, play, step);
      // The queue has room for some; each round emits at least one, as long as any are pending.
      let before: number;
      do {
        before = play.reporter.reported;
        play.page.drain();
        play.nextTick();
      } while (play.reporter.reported > before);
      play.page.drain();
      expect([...play.open].toSorted()).toEqual([...play.truth.keys()].toSorted());
    }),
    { numRuns: 50 },
  );
});
