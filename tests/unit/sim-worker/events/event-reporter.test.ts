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

test('sensors, sleep and forces are emitted, and sleep once', () => {
  begin(4);
  reporter.sensor(A, B, true, 1, 2, 3);
  reporter.sleep(B, true);
  reporter.sleep(B, true);
  reporter.contactForce(B, A, 12.5, 0, 0, 0);
  reporter.sleep(B, false);
  expect(read()).toMatchObject([
    ['sensor', { sensor: A, body: B, phase: 'enter', tick: 4 }],
    ['sleep', { body: B, isAsleep: true }],
    ['contactForce', { a: A, b: B, force: 12.5 }],
    ['sleep', { body: B, isAsleep: false }],
  ]);
  expect(() => reporter.sensor(-1, B, true, 0, 0, 0)).toThrow(RangeError);
});

test('a body that despawns ends its own contacts, and only those', () => {
  begin(1);
  touch(A, B);
  touch(A, B);
  touch(B, C);
  // The sensor's number is that of the body.
  reporter.sensor(A, C, true, 0, 0, 0);
  reporter.sleep(A, true);
  read();
  reporter.despawned(A);
  reporter.endTick();
  const events = read();
  expect(events).toMatchObject([
    ['contact', { a: A, b: B, phase: 'end', tick: 1, isLate: false, isReplayed: false }],
    ['sleep', { body: A, isAsleep: false }],
  ]);
  // The engine may report it later; it is known already.
  begin(2);
  touch(A, B, false);
  expect(read()).toEqual([]);
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
  const [event] = read();
  expect(event).toEqual([
    'contact',
    {
      tick: 3,
      isLate: true,
      isReplayed: false,
      phase: 'begin',
      a: A,
      b: B,
      x: Number.NaN,
      y: Number.NaN,
      z: Number.NaN,
    },
  ]);
  expect([reporter.lost, page.lost]).toEqual([1, 1]);
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

const simple = (name: 'tick' | 'drain' | 'clear' | 'own') => fc.constant({ do: name } as const);

type Action =
  | { do: 'contact'; a: number; b: number; isOn: boolean }
  | { do: 'sensor'; sensor: number; body: number; isOn: boolean }
  | { do: 'sleep'; body: number; isOn: boolean }
  | { do: 'tick' | 'drain' | 'clear' | 'own' }
  | { do: 'despawn'; body: number };
const number = fc.nat(3);
const isOn = fc.boolean();
const pairActions = [
  fc.record({ do: fc.constant('contact' as const), a: number, b: number, isOn }),
  fc.record({ do: fc.constant('sensor' as const), sensor: number, body: number, isOn }),
  fc.record({ do: fc.constant('sleep' as const), body: number, isOn }),
];
const action: fc.Arbitrary<Action> = fc.oneof(
  ...pairActions.map((arbitrary) => ({ arbitrary, weight: 8 })),
  { arbitrary: simple('tick'), weight: 4 },
  { arbitrary: simple('drain'), weight: 1 },
  { arbitrary: simple('own'), weight: 2 },
  { arbitrary: simple('clear'), weight: 1 },
  { arbitrary: fc.record({ do: fc.constant('despawn' as const), body: number }), weight: 1 },
);

test('any sequence of events leaves the page with the true state; begins and ends alternate, and ticks never decrease', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const { views, writer } = createEventQueue(WORDS);
      const reported = new EventReporter(writer);
      const shown = new EventDispatcher();
      shown.attach(views);
      const open = new Set<string>();
      let lastTick = 0;
      const receive = (key: string, on: boolean, tick: number) => {
        expect(tick).toBeGreaterThanOrEqual(lastTick);
        lastTick = tick;
        expect(open.has(key), `${key} ${on}`).toBe(!on);
        if (on) open.add(key);
        else open.delete(key);
      };
      const now = { when: 'now' } as const;
      shown.on('contact', (e) => receive(`c${e.a},${e.b}`, e.phase === 'begin', e.tick), now);
      shown.on(
        'sensor',
        (e) => receive(`s${e.sensor},${e.body}`, e.phase === 'enter', e.tick),
        now,
      );
      shown.on('sleep', (e) => receive(`z${e.body}`, e.isAsleep, e.tick), now);

      const truth = new Map<string, number>();
      const count = (key: string, on: boolean, most = Infinity) => {
        const next = Math.min(most, Math.max(0, (truth.get(key) ?? 0) + (on ? 1 : -1)));
        if (next > 0) truth.set(key, next);
        else truth.delete(key);
      };
      const gone: number[] = [];
      let tick = 0;
      const nextTick = () => {
        for (const body of gone.splice(0)) {
          for (const key of truth.keys()) {
            const [first, second] = key.slice(1).split(',').map(Number);
            if (second === body || (first === body && !key.startsWith('s'))) truth.delete(key);
          }
        }
        reported.beginTick(++tick, tick * 10);
      };
      nextTick();
      for (const step of actions) {
        switch (step.do) {
          case 'contact': {
            if (step.a === step.b) break;
            const [a, b] = [step.a, step.b].toSorted((x, y) => x - y);
            count(`c${a},${b}`, step.isOn);
            reported.contact(step.a as BodyId, step.b as BodyId, step.isOn, 0, 0, 0);
            break;
          }
          case 'sensor':
            count(`s${step.sensor},${step.body}`, step.isOn);
            reported.sensor(step.sensor, step.body as BodyId, step.isOn, 0, 0, 0);
            break;
          case 'sleep':
            count(`z${step.body}`, step.isOn, 1);
            reported.sleep(step.body as BodyId, step.isOn);
            break;
          case 'despawn':
            gone.push(step.body);
            reported.despawned(step.body as BodyId);
            break;
          case 'own':
            reported.emit('own', [1, 2, 3, 4, 5]);
            break;
          case 'tick':
            nextTick();
            break;
          case 'drain':
            shown.drain();
            break;
          case 'clear':
            truth.clear();
            gone.length = 0;
            reported.clear();
            break;
        }
      }
      // The queue has room for some; each round emits at least one, as long as any are pending.
      let reportedBefore: number;
      do {
        reportedBefore = reported.reported;
        shown.drain();
        nextTick();
      } while (reported.reported > reportedBefore);
      shown.drain();
      expect([...open].toSorted()).toEqual([...truth.keys()].toSorted());
    }),
    { numRuns: 100 },
  );
});
