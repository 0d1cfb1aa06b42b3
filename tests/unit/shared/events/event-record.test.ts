import { expect, test } from 'vitest';
import { bodyId } from '../../../../src/shared/memory/body-meta.js';
import {
  CLEARED_WORDS,
  COLLISION_WORDS,
  EVENT_FLAGS,
  EVENT_RECORD,
  EVENT_WORDS,
  ReadEventRecord,
  writeBodies,
  writeUserEvent,
  NO_BODY,
  writeCollision,
  writeContactForce,
} from '../../../../src/shared/events/event-record.js';
import { utf8Of } from '../../../../src/shared/util/bytes.js';

const NOWHERE = { x: Number.NaN, y: Number.NaN, z: Number.NaN };
const LOW = bodyId(3, 1);
/** Its highest bit is set, which a signed integer would read as a minus. */
const HIGH = bodyId(5, 0xf00);

/** As the page receives it: the words, and nothing else. */
function copyOf(record: ReadEventRecord, words: number): ReadEventRecord {
  const copy = new ReadEventRecord();
  copy.reserve(words);
  copy.words.set(record.words.subarray(0, words));
  return copy;
}

test('built-in events have the documented wire format', () => {
  const record = new ReadEventRecord();
  writeBodies(record, LOW, HIGH, 1, 2, 3, 4);
  record.setHead(7, 116.5, EVENT_FLAGS.on);
  const { words } = record;
  const floats = new Float32Array(words.buffer);
  const doubles = new Float64Array(words.buffer);
  expect([...doubles.subarray(0, 2)]).toEqual([116.5, 7]);
  expect([words[4], (words[5] ?? 0) >>> 0, (words[6] ?? 0) >>> 0]).toEqual([1, LOW, HIGH]);
  expect([...floats.subarray(7, 11)]).toEqual([1, 2, 3, 4]);
  expect([EVENT_WORDS, CLEARED_WORDS]).toEqual([11, 5]);
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

test('a contact force may have all that an engine knows of it', () => {
  const record = new ReadEventRecord();
  const contact = {
    a: HIGH,
    b: undefined,
    force: 42,
    x: 1.5,
    y: -2,
    z: 3,
    colliderA: 5e-324,
    colliderB: 2 ** 40,
    totalForce: { x: 4, y: 5, z: 6 },
    maxForceDirection: { x: 0, y: -1, z: 0 },
    maxForceMagnitude: 40,
  };
  const length = writeContactForce(record, contact);
  expect(length).toBe(22);
  record.setHead(3, 50, 0);
  expect(copyOf(record, length).toEvent(EVENT_RECORD.contactForce, length)).toEqual({
    tick: 3,
    isLate: false,
    isReplayed: false,
    ...contact,
  });
});

test('built-in events are decoded as they were encoded', () => {
  const record = new ReadEventRecord();
  writeBodies(record, LOW, HIGH, 1.5, -2, 3, 42);
  record.setHead(2 ** 40, 1e6 / 3, EVENT_FLAGS.on);
  const copy = copyOf(record, EVENT_WORDS);
  const stamp = { tick: 2 ** 40, isLate: false, isReplayed: false };
  const position = { x: 1.5, y: -2, z: 3 };
  expect(copy.virtualMs).toBe(1e6 / 3);
  expect(copy.toEvent(EVENT_RECORD.contact, EVENT_WORDS)).toEqual({
    ...stamp,
    phase: 'begin',
    a: LOW,
    b: HIGH,
    ...position,
  });
  expect(copy.toEvent(EVENT_RECORD.contactForce, EVENT_WORDS)).toEqual({
    ...stamp,
    a: LOW,
    b: HIGH,
    force: 42,
    ...position,
    colliderA: Number.NaN,
    colliderB: Number.NaN,
    totalForce: NOWHERE,
    maxForceDirection: NOWHERE,
    maxForceMagnitude: Number.NaN,
  });
  expect(copy.toEvent(EVENT_RECORD.sensor, EVENT_WORDS)).toEqual({
    ...stamp,
    phase: 'enter',
    sensor: LOW,
    body: HIGH,
    ...position,
  });
  expect(copy.toEvent(EVENT_RECORD.sleep, EVENT_WORDS)).toEqual({
    ...stamp,
    body: LOW,
    isAsleep: true,
  });
});

test('the flags of an event say off and resynchronized, and no body is undefined', () => {
  const record = new ReadEventRecord();
  writeBodies(record, LOW, NO_BODY, Number.NaN, 0, 0, 0);
  record.setHead(1, 0, EVENT_FLAGS.late);
  expect(record.toEvent(EVENT_RECORD.contact, EVENT_WORDS)).toMatchObject({
    phase: 'end',
    isLate: true,
    isReplayed: false,
    b: undefined,
    x: Number.NaN,
  });
  expect(record.toEvent(EVENT_RECORD.sensor, EVENT_WORDS)).toMatchObject({
    phase: 'leave',
    body: undefined,
  });
  expect(record.toEvent(EVENT_RECORD.sleep, EVENT_WORDS)).toMatchObject({ isAsleep: false });
});

const place = { x: 0.5, y: -1, z: 2 };
const points = [1, 2, 3, 4, 5].map((depth) => ({ x: depth * 2, y: -1, z: 2, depth: depth / 4 }));
// The bits of two handles of the engine.
const [colliderA, colliderB] = [5e-324, 2.121995793e-314];
const collision = {
  phase: 'begin',
  a: LOW,
  b: undefined,
  colliderA,
  colliderB,
  isSensor: true,
  normal: place,
  impulse: 8,
  impactSpeed: -3,
  points: points.slice(0, 4),
} as const;

test('collisions have the documented wire format', () => {
  const record = new ReadEventRecord();
  expect(writeCollision(record, collision)).toBe(33);
  record.setHead(7, 116.5, EVENT_FLAGS.on);
  const { words, floats, doubles } = record;
  expect([words[4], (words[5] ?? 0) >>> 0, (words[6] ?? 0) >>> 0]).toEqual([1, LOW, NO_BODY]);
  expect([...floats.subarray(7, 12)]).toEqual([0.5, -1, 2, 8, -3]);
  expect([...doubles.subarray(6, 8)]).toEqual([colliderA, colliderB]);
  expect(words[16]).toBe(1);
  expect([...floats.subarray(17, 21)]).toEqual([2, -1, 2, 0.25]);
});

test.each([0, 1, 2, 3, 4, 5])(
  'collisions with %i points are decoded as they were encoded',
  (count) => {
    const record = new ReadEventRecord();
    const given = { ...collision, points: points.slice(0, count) };
    const length = writeCollision(record, given);
    record.setHead(9, 150, EVENT_FLAGS.on);
    const copy = copyOf(record, length);
    expect(copy.keysOf(EVENT_RECORD.collision)).toEqual([colliderA, colliderB]);
    const read = copy.toEvent(EVENT_RECORD.collision, length);
    expect(read).toEqual({
      ...given,
      points: points.slice(0, Math.min(count, 4)),
      tick: 9,
      isLate: false,
      isReplayed: false,
    });
  },
);

test('collisions of another length are refused', () => {
  const record = new ReadEventRecord();
  record.reserve(4096);
  writeCollision(record, collision);
  for (const length of [0, 1, 11, 16, 18, 19, 20, 34, 37, 4096]) {
    expect(() => record.toEvent(EVENT_RECORD.collision, length)).toThrow(/of \d+ words/);
  }
});

test('collisions end without their details', () => {
  const record = new ReadEventRecord();
  writeCollision(record, collision);
  record.setHead(9, 150, EVENT_FLAGS.on);
  const began = record.beginWords;
  record.floats.fill(1);
  record.setEnd(began, 12, 200);
  expect(record.virtualMs).toBe(200);
  const none = Number.NaN;
  expect(record.toEvent(EVENT_RECORD.collision, COLLISION_WORDS)).toEqual({
    ...collision,
    phase: 'end',
    tick: 12,
    isLate: true,
    isReplayed: false,
    normal: { x: none, y: none, z: none },
    impulse: none,
    impactSpeed: none,
    points: [],
  });
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
  expect(copy.toEvent(EVENT_RECORD.user, words)).toEqual({
    tick: 9,
    isLate: false,
    isReplayed: false,
    value,
  });
});
