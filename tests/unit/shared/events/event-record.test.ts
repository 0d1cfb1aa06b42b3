import { expect, test } from 'vitest';
import { bodyId } from '../../../../src/shared/memory/body-meta.js';
import {
  EVENT_FLAGS,
  EVENT_RECORD,
  HEAD_WORDS,
  ReadEventRecord,
  withoutDetails,
  writeEvent,
  writeUserEvent,
} from '../../../../src/shared/events/event-record.js';
import { NO_BODY } from '../../../../src/shared/events/pair-events.js';
import type { BuiltInEvents, EventFields } from '../../../../src/shared/events/simulation-event.js';
import { utf8Of } from '../../../../src/shared/util/bytes.js';

const none = Number.NaN;
const NOWHERE = { x: none, y: none, z: none };
const LOW = bodyId(3, 1);
/** A number whose highest bit is set, which a signed integer would read as a minus. */
const HIGH = bodyId(5, 0xf00);

/** As the page receives it: the words, and nothing else. */
function copyOf(record: ReadEventRecord, words: number): ReadEventRecord {
  const copy = new ReadEventRecord();
  copy.reserve(words);
  copy.words.set(record.words.subarray(0, words));
  return copy;
}

const PLACE = { x: 1.5, y: -2, z: 3 };
const POINTS = [1, 2, 3, 4, 5].map((depth) => ({ x: depth * 2, y: -1, z: 2, depth: depth / 4 }));
// The bits of two handles of the engine.
const COLLIDERS = { colliderA: 5e-324, colliderB: 2.121995793e-314 };
const FORCE = { a: HIGH, b: undefined, force: 42, ...PLACE };
const FORCES = {
  ...COLLIDERS,
  totalForce: { x: 4, y: 5, z: 6 },
  maxForceDirection: { x: 0, y: -1, z: 0 },
  maxForceMagnitude: 40,
};
const COLLISION = { a: LOW, b: undefined, isSensor: true, ...COLLIDERS };
const IMPACT = { normal: PLACE, impulse: 8, impactSpeed: -3, points: POINTS.slice(0, 4) };

interface Case<Name extends keyof BuiltInEvents> {
  readonly name: Name;
  /** The words of the payload, with and without details. */
  readonly words: readonly [all: number, known: number];
  readonly known: Partial<EventFields[Name]>;
  readonly details: object;
  readonly unknown: object;
  readonly begin?: object;
  readonly end?: object;
}
const BEGIN = { begin: { phase: 'begin' }, end: { phase: 'end' } };
const CASES: readonly Case<keyof BuiltInEvents>[] = [
  {
    name: 'contact',
    words: [10, 7],
    known: { a: LOW, b: HIGH },
    details: PLACE,
    unknown: NOWHERE,
    ...BEGIN,
  },
  {
    name: 'contactForce',
    words: [22, 11],
    known: FORCE,
    details: FORCES,
    unknown: {
      colliderA: none,
      colliderB: none,
      totalForce: NOWHERE,
      maxForceDirection: NOWHERE,
      maxForceMagnitude: none,
    },
  },
  {
    name: 'sensor',
    words: [10, 7],
    known: { sensor: 0xffffffff, body: HIGH },
    details: PLACE,
    unknown: NOWHERE,
    begin: { phase: 'enter' },
    end: { phase: 'leave' },
  },
  {
    name: 'sleep',
    words: [6, 6],
    known: { body: LOW },
    details: {},
    unknown: {},
    begin: { isAsleep: true },
    end: { isAsleep: false },
  },
  {
    name: 'collision',
    words: [33, 12],
    known: COLLISION,
    details: IMPACT,
    unknown: { normal: NOWHERE, impulse: none, impactSpeed: none, points: [] },
    ...BEGIN,
  },
];

test('records have the documented head and types', () => {
  const record = new ReadEventRecord();
  record.setHead(7, 116.5, EVENT_FLAGS.on);
  expect([...record.doubles.subarray(0, 2), record.words[4]]).toEqual([116.5, 7, 1]);
  expect(HEAD_WORDS).toBe(5);
  expect({ ...EVENT_RECORD }).toEqual({
    contact: 1,
    contactForce: 2,
    sensor: 3,
    sleep: 4,
    user: 5,
    cleared: 6,
    collision: 7,
  });
});

test('the fields of a record have the documented places', () => {
  const { words, floats, doubles } = new ReadEventRecord();
  const record = { words, floats, doubles } as ReadEventRecord;
  writeEvent(record, 'contact', { a: LOW, b: undefined, ...PLACE });
  expect([words[5], (words[6] ?? 0) >>> 0, ...floats.subarray(7, 10)]).toEqual([
    LOW,
    NO_BODY,
    1.5,
    -2,
    3,
  ]);
  writeEvent(record, 'collision', { ...COLLISION, ...IMPACT });
  expect([words[7], ...doubles.subarray(4, 6)]).toEqual([1, ...Object.values(COLLIDERS)]);
  expect([...floats.subarray(12, 21)]).toEqual([1.5, -2, 3, 8, -3, 2, -1, 2, 0.25]);
  writeEvent(record, 'contactForce', { ...FORCE, ...FORCES });
  expect([...floats.subarray(7, 12)]).toEqual([42, 1.5, -2, 3, 40]);
  expect([...doubles.subarray(6, 8)]).toEqual(Object.values(COLLIDERS));
  expect([...floats.subarray(16, 22)]).toEqual([4, 5, 6, 0, -1, 0]);
});

test.each(CASES)('a $name is read as it was written, with its details and without', (given) => {
  const { name, words, known, details, unknown, begin, end } = given;
  const record = new ReadEventRecord();
  const all = { ...known, ...details };
  const type = EVENT_RECORD[name];
  const stamp = { tick: 2 ** 40, isLate: false, isReplayed: false };
  expect(writeEvent(record, name, all)).toBe(words[0]);
  record.setHead(stamp.tick, 1e6 / 3, EVENT_FLAGS.on);
  const whole = copyOf(record, words[0]);
  expect([whole.virtualMs, whole.nameOf(type)]).toEqual([1e6 / 3, name]);
  expect(whole.toEvent(type, words[0])).toEqual({ ...stamp, ...begin, ...all });

  expect(writeEvent(record, name, withoutDetails(name, all))).toBe(words[1]);
  record.setHead(3, 50, EVENT_FLAGS.late | EVENT_FLAGS.replayed);
  const late = copyOf(record, words[1]).toEvent(type, words[1]);
  expect(late).toEqual({ tick: 3, isLate: true, isReplayed: true, ...end, ...known, ...unknown });
  if (name === 'contactForce') return;
  expect(whole.toEnd(name)).toEqual({ ...stamp, isLate: true, ...end, ...known, ...unknown });
});

test.each(CASES)('a $name of another length is refused', ({ name, words, known, details }) => {
  const record = new ReadEventRecord();
  record.reserve(4096);
  writeEvent(record, name, { ...known, ...details });
  for (const length of [0, 1, words[1] - 1, words[1] + 1, words[0] - 1, words[0] + 1, 37, 4096]) {
    expect(() => record.toEvent(EVENT_RECORD[name], length)).toThrow(/of \d+ words/);
  }
});

test.each([0, 1, 2, 3, 4, 5])('of %i points, a collision has at most four', (count) => {
  const record = new ReadEventRecord();
  const points = POINTS.slice(0, count);
  const length = writeEvent(record, 'collision', { ...COLLISION, ...IMPACT, points });
  const read = copyOf(record, length).toEvent(EVENT_RECORD.collision, length);
  expect(read).toMatchObject({ points: points.slice(0, 4) });
});

test.each([
  ['goal', { by: 'Ärgernis 🎈', points: [1, null, true] }],
  ['日本', 'x'.repeat(1000)],
  ['n', null],
])('the custom event %s is decoded as it was encoded', (name, value) => {
  const record = new ReadEventRecord();
  const words = writeUserEvent(record, utf8Of(name), utf8Of(JSON.stringify(value)));
  record.setHead(9, 150, 0);
  const copy = copyOf(record, words);
  expect(copy.nameOf(EVENT_RECORD.user)).toBe(name);
  const event = copy.toEvent(EVENT_RECORD.user, words);
  expect(event).toEqual({ tick: 9, isLate: false, isReplayed: false, value });
});
