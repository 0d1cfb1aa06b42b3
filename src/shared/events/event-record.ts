/**
 * Events as records in the queue from the worker to the page.
 *
 * The type of a record identifies the event. Its payload, in 32-bit words:
 *
 *     0..1      virtual time at which the tick was due, Float64, ms
 *     2..3      tick, Float64
 *     4         flags: bit 0 on (begins, enters, falls asleep), bit 1 late, bit 2 of a replay
 *     5..       the fields of the event, in the order of {@link FIELDS}; of a custom one, the bytes of its name, the bytes of
 *               its value, then both in UTF-8, the value as JSON
 *
 * Four events are about a pair that begins and ends: two bodies, a sensor and the body in it, two colliders, and a body that
 * sleeps. They differ in their fields alone.
 *
 * Virtual time never goes back, but the ticks of a run that restarts do. Cleared, which has no fields, means that everything
 * that began is over: the run restarts, continues from another state, or is run by another worker.
 */
import type { BodyId } from '../memory/body-meta.js';
import type { Json } from '../util/json.js';
import type {
  BodyEvents,
  BuiltInEvents,
  CollisionPoint,
  EventFields,
  Point,
  UserEvent,
} from './simulation-event.js';
import { textOf } from '../util/bytes.js';
import { NO_BODY, PAIR_NAMES, phaseOf, type PairName } from './pair-events.js';

/** Types of the records. */
export const EVENT_RECORD = {
  contact: 1,
  contactForce: 2,
  sensor: 3,
  sleep: 4,
  user: 5,
  cleared: 6,
  collision: 7,
} as const;

/** Bits of a record's flags. */
export const EVENT_FLAGS = { on: 1, late: 2, replayed: 4 } as const;

type EventName = keyof BuiltInEvents;

/** Kinds of fields, with their sizes in words. A number is a Float64, so it must begin at an even word. */
const WORDS = { body: 1, word: 1, flag: 1, float: 1, number: 2, vector: 3, points: 0 } as const;
type FieldKind = keyof typeof WORDS;
type Row<Name extends EventName> = { readonly [Key in keyof EventFields[Name]]?: FieldKind };
type AnyRow = Readonly<Record<string, FieldKind>>;

const BODIES = { a: 'body', b: 'body' } as const;
const PLACE = { x: 'float', y: 'float', z: 'float' } as const;
const COLLIDERS = { colliderA: 'number', colliderB: 'number' } as const;
const FORCES = { totalForce: 'vector', maxForceDirection: 'vector' } as const;
const IMPACT = {
  normal: 'vector',
  impulse: 'float',
  impactSpeed: 'float',
  points: 'points',
} as const;

/**
 * The fields of the library's own events: first those that are always known, then the details. A record may end before the
 * details, and the page reads NaN for them: the place of what is reported late, and all that only an engine knows.
 */
const FIELDS: {
  readonly [Name in EventName]: readonly [known: Row<Name>, details: Row<Name>];
} = {
  contact: [BODIES, PLACE],
  contactForce: [
    { ...BODIES, force: 'float', ...PLACE },
    { maxForceMagnitude: 'float', ...COLLIDERS, ...FORCES },
  ],
  sensor: [{ sensor: 'word', body: 'body' }, PLACE],
  sleep: [{ body: 'body' }, {}],
  collision: [{ ...BODIES, isSensor: 'flag', ...COLLIDERS }, IMPACT],
};

/** Names of the library's own events. */
export const BUILT_IN_NAMES = Object.keys(FIELDS) as readonly EventName[];

/** Names of the events about bodies, which are no records. */
export const BODY_EVENT_NAMES: readonly (keyof BodyEvents)[] = ['spawn', 'despawn'];

/** The name of a record of a pair. Undefined: it is of no pair. */
export const pairNameOf = (type: number): PairName | undefined =>
  PAIR_NAMES.find((name) => EVENT_RECORD[name] === type);

/** Words before the fields: all of a cleared record. */
export const HEAD_WORDS = 5;

/** Words of a point of a collision, and the most points. */
const POINT_WORDS = 4;
export const MAX_POINTS = 4;

/** Words of the longest built-in event, and an even number. */
const MAX_WORDS = 34;

/** Words before the bytes of a custom event. */
const USER_HEAD_WORDS = 7;

/** Indices of words, and of the 64-bit words. */
const FLAGS = 4;
const VIRTUAL_MS = 0;
const TICK = 1;

/** A record of an event, as in the queue of events. */
export interface EventEntry {
  readonly type: number;
  readonly words: Int32Array;
}

/** A payload to write: one is reused for all events. */
export class EventRecord {
  words = new Int32Array(MAX_WORDS);
  floats = new Float32Array(this.words.buffer);
  doubles = new Float64Array(this.words.buffer);

  /** Makes room for a payload. May discard the contents. */
  reserve(words: number): void {
    if (words <= this.words.length) return;
    this.words = new Int32Array(2 ** Math.ceil(Math.log2(words)));
    this.floats = new Float32Array(this.words.buffer);
    this.doubles = new Float64Array(this.words.buffer);
  }

  /** Takes a copy of the payload of another record. */
  copy(words: Int32Array): void {
    this.reserve(words.length);
    this.words.set(words);
  }

  setHead(tick: number, virtualMs: number, flags: number): void {
    this.doubles[TICK] = tick;
    this.doubles[VIRTUAL_MS] = virtualMs;
    this.words[FLAGS] = flags;
  }
}

// Only workers write records: as functions, so that pages do not load them with the class.

/**
 * Writes the fields of a built-in event: call this before setting the head. Returns the payload's length in words.
 *
 * @param fields May lack the details.
 */
export function writeEvent<Name extends EventName>(
  record: EventRecord,
  name: Name,
  fields: Partial<EventFields[Name]>,
): number {
  const given = fields as Readonly<Record<string, unknown>>;
  let at = HEAD_WORDS;
  for (const row of FIELDS[name] as readonly AnyRow[]) {
    for (const key in row) {
      if (!(key in given)) return at;
      at = writeField(record, at, row[key] as FieldKind, given[key]);
    }
  }
  return at;
}

/** The fields of an event that are still known when it is reported late. */
export function withoutDetails<Name extends EventName>(
  name: Name,
  fields: Partial<EventFields[Name]>,
): Partial<EventFields[Name]> {
  const left: Partial<EventFields[Name]> = {};
  for (const key in FIELDS[name][0]) left[key] = fields[key];
  return left;
}

/** Returns the index after it. */
function writeField(record: EventRecord, at: number, kind: FieldKind, value: unknown): number {
  const { words, floats, doubles } = record;
  switch (kind) {
    case 'body':
      words[at] = (value as BodyId | undefined) ?? NO_BODY;
      break;
    case 'word':
    case 'flag':
      words[at] = Number(value);
      break;
    case 'float':
      floats[at] = value as number;
      break;
    case 'number':
      doubles[at / 2] = value as number;
      break;
    case 'vector': {
      const { x, y, z } = value as Point;
      floats[at] = x;
      floats[at + 1] = y;
      floats[at + 2] = z;
      break;
    }
    case 'points': {
      const points = (value as readonly CollisionPoint[]).slice(0, MAX_POINTS);
      for (const [index, { x, y, z, depth }] of points.entries()) {
        floats.set([x, y, z, depth], at + index * POINT_WORDS);
      }
      return at + points.length * POINT_WORDS;
    }
  }
  return at + WORDS[kind];
}

/** Custom events: call this before setting the head. Returns the payload's length in words. */
export function writeUserEvent(record: EventRecord, name: Uint8Array, value: Uint8Array): number {
  const length = USER_HEAD_WORDS + Math.ceil((name.length + value.length) / 4);
  record.reserve(length);
  const { words } = record;
  words[HEAD_WORDS] = name.length;
  words[HEAD_WORDS + 1] = value.length;
  const bytes = new Uint8Array(words.buffer, USER_HEAD_WORDS * 4);
  bytes.set(name);
  bytes.set(value, name.length);
  return length;
}

/** A payload to read. */
export class ReadEventRecord extends EventRecord {
  get tick(): number {
    return this.doubles[TICK] ?? 0;
  }

  get virtualMs(): number {
    return this.doubles[VIRTUAL_MS] ?? 0;
  }

  get isOn(): boolean {
    return this.#has(EVENT_FLAGS.on);
  }

  get isLate(): boolean {
    return this.#has(EVENT_FLAGS.late);
  }

  get isReplayed(): boolean {
    return this.#has(EVENT_FLAGS.replayed);
  }

  #has(flag: number): boolean {
    return ((this.words[FLAGS] ?? 0) & flag) !== 0;
  }

  /** Name of the event. Its type is in the record's header in the queue. */
  nameOf(type: number): string {
    if (type === EVENT_RECORD.user) return this.#text(0, this.#word(HEAD_WORDS));
    return BUILT_IN_NAMES.find((name) => EVENT_RECORD[name] === type) ?? '';
  }

  /**
   * The fields of a built-in event.
   *
   * @param length Of the payload. Default: without the details.
   * @param into Receives the fields.
   * @throws RangeError if the event cannot have that length.
   */
  fieldsOf<Name extends EventName>(
    name: Name,
    length?: number,
    into: Record<string, unknown> = {},
  ): EventFields[Name] {
    const [known, details] = FIELDS[name];
    const start = this.#readRow(known as AnyRow, HEAD_WORDS, Infinity, into);
    const given = length ?? start;
    const end = this.#readRow(details as AnyRow, start, given, into);
    if (given !== start && given !== end) throw new RangeError(`a ${name} of ${given} words`);
    return into as unknown as EventFields[Name];
  }

  /**
   * The event. Its type and length are in the record's header in the queue.
   *
   * @throws RangeError if it cannot have that length. @throws SyntaxError if a value is not JSON.
   */
  toEvent(type: number, length: number): BuiltInEvents[EventName] | UserEvent<Json> {
    const name = pairNameOf(type);
    if (name !== undefined) return this.#pairEvent(name, this.isOn, this.isLate, length);
    const { tick, isLate, isReplayed } = this;
    if (type !== EVENT_RECORD.user) {
      return { tick, isLate, isReplayed, ...this.fieldsOf('contactForce', length) };
    }
    const json = this.#text(this.#word(HEAD_WORDS), this.#word(HEAD_WORDS + 1));
    return { tick, isLate, isReplayed, value: JSON.parse(json) as Json };
  }

  /** How a pair ends that this record begins, if nothing more is known of it than that: late, in the same tick. */
  toEnd(name: PairName): BuiltInEvents[PairName] {
    return this.#pairEvent(name, false, true);
  }

  // Without a spread of objects, which takes longer than all else here.
  #pairEvent(name: PairName, isOn: boolean, isLate: boolean, length?: number) {
    const event = { tick: this.tick, isLate, isReplayed: this.isReplayed };
    const [key, value] = phaseOf(name, isOn);
    const members: Record<string, unknown> = event;
    members[key] = value;
    this.fieldsOf(name, length, members);
    return event as unknown as BuiltInEvents[PairName];
  }

  /** @param end Words from here on are not part of the record. Returns the index after the last field. */
  #readRow(row: AnyRow, start: number, end: number, fields: Record<string, unknown>): number {
    let at = start;
    for (const key in row) {
      const kind = row[key] as FieldKind;
      const value = this.#read(kind, at, end);
      fields[key] = value;
      at += Array.isArray(value) ? value.length * POINT_WORDS : WORDS[kind];
    }
    return at;
  }

  #read(kind: FieldKind, at: number, end: number): unknown {
    switch (kind) {
      case 'body':
        return this.#word(at) === NO_BODY ? undefined : this.#word(at);
      case 'word':
        return this.#word(at);
      case 'flag':
        return this.#word(at) !== 0;
      case 'float':
        return this.#float(at, end);
      case 'number':
        return at < end ? this.doubles[at / 2] : Number.NaN;
      case 'vector':
        return this.#vector(at, end);
      case 'points':
        return this.#points(at, end);
    }
  }

  #points(start: number, end: number): CollisionPoint[] {
    const points: CollisionPoint[] = [];
    for (let at = start; at + POINT_WORDS <= end && points.length < MAX_POINTS; at += POINT_WORDS) {
      const { x, y, z } = this.#vector(at, end);
      points.push({ x, y, z, depth: this.#float(at + 3, end) });
    }
    return points;
  }

  #word(at: number): number {
    return (this.words[at] ?? 0) >>> 0;
  }

  #float(at: number, end: number): number {
    return at < end ? (this.floats[at] ?? 0) : Number.NaN;
  }

  #vector(at: number, end: number): Point {
    return { x: this.#float(at, end), y: this.#float(at + 1, end), z: this.#float(at + 2, end) };
  }

  #text(start: number, length: number): string {
    const from = USER_HEAD_WORDS * 4 + start;
    // The reporter writes UTF-8, so this is never undefined.
    return textOf(new Uint8Array(this.words.buffer, from, length)) ?? '';
  }
}
