/**
 * Events as records in the queue from the worker to the page.
 *
 * The type of a record identifies the event. Its payload, in 32-bit words:
 *
 *     word      contact    contactForce   sensor     sleep      user              cleared
 *     0..1      virtual time at which the tick was due, Float64, ms               the same
 *     2..3      tick, Float64                                                     the same
 *     4         flags: bit 0 on (begins, enters, falls asleep), bit 1 late, bit 2 of a replay
 *     5         a          a              sensor     body       bytes of name     ·
 *     6         b          b              body       NO_BODY    bytes of value    ·
 *     7..9      x, y, z, Float32                     ·          name, then value as JSON, in UTF-8
 *     10        ·          force, Float32 ·          ·          …
 *
 * A collision has words 0 to 6 of a contact, and then:
 *
 *     7..9      normal, Float32
 *     10, 11    impulse and impact speed, Float32
 *     12..15    the two colliders, Float64
 *     16        1 if one of the two is a sensor, otherwise 0
 *     17..      up to four points, each x, y, z and depth, Float32: as many as the record is long
 *
 * A contact force may have, after its word 10:
 *
 *     11        magnitude of the largest force, Float32
 *     12..15    the two colliders, Float64
 *     16..18    sum of the forces, Float32
 *     19..21    direction of the largest, Float32
 *
 * Virtual time never goes back, but the ticks of a run that restarts do. Cleared means that everything that began is
 * over: the run restarts, continues from another state, or is run by another worker.
 */
import type { BodyId } from '../memory/body-meta.js';
import type { Json } from '../util/json.js';
import type {
  BodyEvents,
  BuiltInEvents,
  CollisionEvent,
  CollisionPoint,
  ContactEvent,
  ContactForceEvent,
  Point,
  UserEvent,
  SensorEvent,
  SleepEvent,
  Collision,
  ContactForce,
} from './simulation-event.js';
import { textOf } from '../util/bytes.js';

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

/** Names of the library's own events, by the type of their record. */
const NAMES: readonly (keyof BuiltInEvents | '')[] = [
  '',
  'contact',
  'contactForce',
  'sensor',
  'sleep',
  '',
  '',
  'collision',
];

/** Names of the library's own events. */
export const BUILT_IN_NAMES = NAMES.filter((name) => name !== '');

/** Names of the events about bodies, which are no records. */
export const BODY_EVENT_NAMES: readonly (keyof BodyEvents)[] = ['spawn', 'despawn'];

/** Events that begin and end, each for two numbers. */
export const PAIR_RECORDS = [
  EVENT_RECORD.contact,
  EVENT_RECORD.sensor,
  EVENT_RECORD.sleep,
  EVENT_RECORD.collision,
] as const;
export type PairRecord = (typeof PAIR_RECORDS)[number];

export const isPairRecord = (type: number): type is PairRecord =>
  (PAIR_RECORDS as readonly number[]).includes(type);

/** Words of the payload of a built-in event, of a collision without points, and of a cleared one. */
export const EVENT_WORDS = 11;
export const COLLISION_WORDS = 17;
export const CLEARED_WORDS = 5;

/** Words of the payload of a contact force with all that an engine knows of it. */
const CONTACT_FORCE_WORDS = 22;

/** Words of a point of a collision, and the most points. */
const POINT_WORDS = 4;
export const MAX_POINTS = 4;

/** Words before the bytes of a custom event. */
const USER_HEAD_WORDS = 7;

/**
 * Anything that is not a body of the snapshot. It would also be the id of the body in the last of 2^20 slots when
 * that slot is taken for the 4095th time; that body is then reported as none.
 */
export const NO_BODY = 0xffffffff;

/** Indices of words: first in all built-in events, then in collisions and contact forces, then of 64-bit words. */
const FLAGS = 4;
const A = 5;
const B = 6;
const X = 7;
const Y = 8;
const Z = 9;
const FORCE = 10;
const IMPACT = 11;
const POINTS = COLLISION_WORDS;
const COLLIDER_A = 6;
const COLLIDER_B = 7;
const IS_SENSOR = 16;
const TOTAL_FORCE = 16;
const MAX_FORCE_DIRECTION = 19;
const VIRTUAL_MS = 0;
const TICK = 1;

/** A record of an event, as in the queue of events. */
export interface EventEntry {
  readonly type: number;
  readonly words: Int32Array;
}

/** A payload to write: one is reused for all events. */
export class EventRecord {
  /** For the longest built-in event, and an even number. */
  words = new Int32Array(COLLISION_WORDS + POINT_WORDS * MAX_POINTS + 1);
  floats = new Float32Array(this.words.buffer);
  doubles = new Float64Array(this.words.buffer);

  /** Makes room for a payload. May discard the contents. */
  reserve(words: number): void {
    if (words <= this.words.length) return;
    this.words = new Int32Array(2 ** Math.ceil(Math.log2(words)));
    this.floats = new Float32Array(this.words.buffer);
    this.doubles = new Float64Array(this.words.buffer);
  }

  setHead(tick: number, virtualMs: number, flags: number): void {
    this.doubles[TICK] = tick;
    this.doubles[VIRTUAL_MS] = virtualMs;
    this.words[FLAGS] = flags;
  }
}

// Only workers write records: as functions, so that pages do not load them with the class.

/**
 * Sets the words of a built-in event after the head. Of a collision, the position is the normal and the force is the
 * impulse. Returns the payload's length in words.
 */
export function writeBodies(
  { words, floats }: EventRecord,
  a: number,
  b: number,
  x: number,
  y: number,
  z: number,
  force: number,
): number {
  words[A] = a;
  words[B] = b;
  floats[X] = x;
  floats[Y] = y;
  floats[Z] = z;
  floats[FORCE] = force;
  return EVENT_WORDS;
}

/** Writes everything except the head. Returns the payload's length in words. */
export function writeCollision(record: EventRecord, collision: Collision): number {
  const { a = NO_BODY, b = NO_BODY, colliderA, colliderB, normal, impulse, points } = collision;
  writeBodies(record, a, b, normal.x, normal.y, normal.z, impulse);
  record.floats[IMPACT] = collision.impactSpeed;
  record.doubles[COLLIDER_A] = colliderA;
  record.doubles[COLLIDER_B] = colliderB;
  record.words[IS_SENSOR] = collision.isSensor ? 1 : 0;
  let length = COLLISION_WORDS;
  for (const { x, y, z, depth } of points.slice(0, MAX_POINTS)) {
    record.floats.set([x, y, z, depth], length);
    length += POINT_WORDS;
  }
  return length;
}

/** Like {@link writeCollision}, for a contact force with its colliders. */
export function writeContactForce(record: EventRecord, contact: ContactForce): number {
  const { a = NO_BODY, b = NO_BODY, x, y, z, force, totalForce, maxForceDirection } = contact;
  writeBodies(record, a, b, x, y, z, force);
  record.floats[IMPACT] = contact.maxForceMagnitude;
  record.doubles[COLLIDER_A] = contact.colliderA;
  record.doubles[COLLIDER_B] = contact.colliderB;
  record.floats.set([totalForce.x, totalForce.y, totalForce.z], TOTAL_FORCE);
  const direction = maxForceDirection;
  record.floats.set([direction.x, direction.y, direction.z], MAX_FORCE_DIRECTION);
  return CONTACT_FORCE_WORDS;
}

/** Custom events: call this before setting the head. Returns the payload's length in words. */
export function writeUserEvent(record: EventRecord, name: Uint8Array, value: Uint8Array): number {
  const length = USER_HEAD_WORDS + Math.ceil((name.length + value.length) / 4);
  record.reserve(length);
  const { words } = record;
  words[A] = name.length;
  words[B] = value.length;
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

  get a(): number {
    return (this.words[A] ?? 0) >>> 0;
  }

  get b(): number {
    return (this.words[B] ?? 0) >>> 0;
  }

  get isOn(): boolean {
    return (this.#flags & EVENT_FLAGS.on) !== 0;
  }

  get #flags(): number {
    return this.words[FLAGS] ?? 0;
  }

  /** The two numbers of a pair. Its type is in the record's header in the queue. */
  keysOf(type: PairRecord): readonly [number, number] {
    return type === EVENT_RECORD.collision ? [this.#colliderA, this.#colliderB] : [this.a, this.b];
  }

  get #colliderA(): number {
    return this.doubles[COLLIDER_A] ?? 0;
  }

  get #colliderB(): number {
    return this.doubles[COLLIDER_B] ?? 0;
  }

  /** Makes this the end of a pair, without a place. @param began Words of its begin, from {@link beginWords}. */
  setEnd(began: Int32Array, tick: number, virtualMs: number): void {
    this.words.set(began);
    this.setHead(tick, virtualMs, EVENT_FLAGS.late | (this.#flags & EVENT_FLAGS.replayed));
    this.floats.fill(Number.NaN, X, IMPACT + 1);
  }

  /** The words that the records of all pairs have. */
  get beginWords(): Int32Array {
    return this.words.slice(0, COLLISION_WORDS);
  }

  /** Name of the event. Its type is in the record's header in the queue. */
  nameOf(type: number): string {
    return type === EVENT_RECORD.user ? this.#text(0, this.a) : (NAMES[type] ?? '');
  }

  /**
   * The event. Its type and length are in the record's header in the queue.
   *
   * @throws RangeError if a collision has another length. @throws SyntaxError if a value is not JSON.
   */
  toEvent(
    type: number,
    length: number,
  ):
    | ContactEvent
    | ContactForceEvent
    | SensorEvent
    | SleepEvent
    | CollisionEvent
    | UserEvent<Json> {
    const { tick, isOn } = this;
    const stamp = {
      tick,
      isLate: (this.#flags & EVENT_FLAGS.late) !== 0,
      isReplayed: (this.#flags & EVENT_FLAGS.replayed) !== 0,
    };
    const phase = isOn ? 'begin' : 'end';
    const x = this.floats[X] ?? 0;
    const y = this.floats[Y] ?? 0;
    const z = this.floats[Z] ?? 0;
    const force = this.floats[FORCE] ?? 0;
    const a = bodyOf(this.a);
    const b = bodyOf(this.b);
    switch (type) {
      case EVENT_RECORD.contact:
        return { ...stamp, phase, a, b, x, y, z };
      case EVENT_RECORD.contactForce:
        // NaN, in 32 bits and in 64.
        if (length < CONTACT_FORCE_WORDS) this.words.fill(-1, IMPACT);
        return {
          ...stamp,
          a,
          b,
          force,
          x,
          y,
          z,
          colliderA: this.#colliderA,
          colliderB: this.#colliderB,
          totalForce: this.#vector(TOTAL_FORCE),
          maxForceDirection: this.#vector(MAX_FORCE_DIRECTION),
          maxForceMagnitude: this.floats[IMPACT] ?? 0,
        };
      case EVENT_RECORD.sensor:
        return { ...stamp, phase: isOn ? 'enter' : 'leave', sensor: this.a, body: b, x, y, z };
      case EVENT_RECORD.sleep:
        return { ...stamp, body: this.a as BodyId, isAsleep: isOn };
      case EVENT_RECORD.collision:
        return {
          ...stamp,
          phase,
          a,
          b,
          colliderA: this.#colliderA,
          colliderB: this.#colliderB,
          isSensor: this.words[IS_SENSOR] !== 0,
          normal: this.#vector(X),
          impulse: force,
          impactSpeed: this.floats[IMPACT] ?? 0,
          points: this.#points(length),
        };
      default:
        return { ...stamp, value: JSON.parse(this.#text(this.a, this.b)) as Json };
    }
  }

  #points(length: number): CollisionPoint[] {
    const count = (length - POINTS) / POINT_WORDS;
    if (![0, 1, 2, 3, 4].includes(count)) throw new RangeError(`a collision of ${length} words`);
    return Array.from({ length: count }, (_, index) => {
      const at = POINTS + index * POINT_WORDS;
      return { ...this.#vector(at), depth: this.floats[at + 3] ?? 0 };
    });
  }

  #vector(index: number): Point {
    const [x = 0, y = 0, z = 0] = this.floats.subarray(index);
    return { x, y, z };
  }

  #text(start: number, length: number): string {
    const from = USER_HEAD_WORDS * 4 + start;
    // The reporter writes UTF-8, so this is never undefined.
    return textOf(new Uint8Array(this.words.buffer, from, length)) ?? '';
  }
}

function bodyOf(id: number): BodyId | undefined {
  return id === NO_BODY ? undefined : (id as BodyId);
}
