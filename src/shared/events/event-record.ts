/**
 * Events as records in the queue from the worker to the page.
 *
 * The type of a record says which event it is; its payload, in 32-bit words:
 *
 *     word      contact    contactForce   sensor     sleep      user              cleared
 *     0..1      virtual time at which the tick was due, Float64, ms               the same
 *     2..3      tick, Float64                                                     the same
 *     4         flags: bit 0 on (begins, enters, falls asleep), bit 1 late
 *     5         a          a              sensor     body       bytes of name     ·
 *     6         b          b              body       NO_BODY    bytes of value    ·
 *     7..9      x, y, z, Float32                     ·          name, then value as JSON, in UTF-8
 *     10        ·          force, Float32 ·          ·          …
 *
 * Virtual time never goes back, while the ticks of a run that starts over do. Cleared says that all that began is
 * over: the run starts over, goes on from another state, or another worker runs it.
 */
import type { BodyId } from '../memory/body-meta.js';
import type { Json } from '../util/json.js';
import type {
  BuiltInEvents,
  ContactEvent,
  ContactForceEvent,
  UserEvent,
  SensorEvent,
  SleepEvent,
} from './simulation-event.js';
import { textOf } from '../util/text.js';

/** Types of the records in the queue of events. */
export const EVENT_RECORD = {
  contact: 1,
  contactForce: 2,
  sensor: 3,
  sleep: 4,
  user: 5,
  cleared: 6,
} as const;

/** Names of the library's own events, in the order of their types. */
export const BUILT_IN_NAMES: readonly (keyof BuiltInEvents)[] = [
  'contact',
  'contactForce',
  'sensor',
  'sleep',
];

/** Events that begin and end, each for two numbers. */
export const PAIR_RECORDS = [
  EVENT_RECORD.contact,
  EVENT_RECORD.sensor,
  EVENT_RECORD.sleep,
] as const;
export type PairRecord = (typeof PAIR_RECORDS)[number];

export const isPairRecord = (type: number): type is PairRecord =>
  (PAIR_RECORDS as readonly number[]).includes(type);

/** Words of the payload of a built-in event, and of a cleared one. */
export const EVENT_WORDS = 11;
export const CLEARED_WORDS = 5;

/** Words in front of the bytes of an own event. */
const OWN_HEAD_WORDS = 7;

export const EVENT_FLAGS = { on: 1, late: 2 } as const;

/**
 * Stands for what is no body of the snapshot. It would also be the body in the last slot of 2^20 when that slot
 * is taken for the 4095th time, which is then told as none.
 */
export const NO_BODY = 0xffffffff;

const WORD = { flags: 4, a: 5, b: 6, x: 7, y: 8, z: 9, force: 10 } as const;
/** Index among 64-bit words. */
const DOUBLE = { virtualMs: 0, tick: 1 } as const;

/** A payload to be written or read: one is used again for all events. */
export class EventRecord {
  #words = new Int32Array(EVENT_WORDS + 1);
  #floats = new Float32Array(this.#words.buffer);
  #doubles = new Float64Array(this.#words.buffer);
  #bytes = new Uint8Array(this.#words.buffer);

  get words(): Int32Array {
    return this.#words;
  }

  /** Makes room for a payload. What was in it may be lost. */
  reserve(words: number): void {
    if (words <= this.#words.length) return;
    this.#words = new Int32Array(2 ** Math.ceil(Math.log2(words)));
    this.#floats = new Float32Array(this.#words.buffer);
    this.#doubles = new Float64Array(this.#words.buffer);
    this.#bytes = new Uint8Array(this.#words.buffer);
  }

  setHead(tick: number, virtualMs: number, flags: number): void {
    this.#doubles[DOUBLE.tick] = tick;
    this.#doubles[DOUBLE.virtualMs] = virtualMs;
    this.#words[WORD.flags] = flags;
  }

  setBody(a: number, b: number, x: number, y: number, z: number, force: number): void {
    this.#words[WORD.a] = a;
    this.#words[WORD.b] = b;
    this.#floats[WORD.x] = x;
    this.#floats[WORD.y] = y;
    this.#floats[WORD.z] = z;
    this.#floats[WORD.force] = force;
  }

  /** Own events: to be called before the head is set. Returns the payload's length in words. */
  setUserEvent(name: Uint8Array, value: Uint8Array): number {
    const words = OWN_HEAD_WORDS + Math.ceil((name.length + value.length) / 4);
    this.reserve(words);
    this.#words[WORD.a] = name.length;
    this.#words[WORD.b] = value.length;
    this.#bytes.set(name, OWN_HEAD_WORDS * 4);
    this.#bytes.set(value, OWN_HEAD_WORDS * 4 + name.length);
    return words;
  }

  get tick(): number {
    return this.#doubles[DOUBLE.tick] ?? 0;
  }

  get virtualMs(): number {
    return this.#doubles[DOUBLE.virtualMs] ?? 0;
  }

  get a(): number {
    return (this.#words[WORD.a] ?? 0) >>> 0;
  }

  get b(): number {
    return (this.#words[WORD.b] ?? 0) >>> 0;
  }

  get x(): number {
    return this.#floats[WORD.x] ?? 0;
  }

  get y(): number {
    return this.#floats[WORD.y] ?? 0;
  }

  get z(): number {
    return this.#floats[WORD.z] ?? 0;
  }

  get isOn(): boolean {
    return ((this.#words[WORD.flags] ?? 0) & EVENT_FLAGS.on) !== 0;
  }

  get isLate(): boolean {
    return ((this.#words[WORD.flags] ?? 0) & EVENT_FLAGS.late) !== 0;
  }

  /** Name of the event, whose type the record's head in the queue said. */
  nameOf(type: number): string {
    return type === EVENT_RECORD.user
      ? this.#text(0, this.a)
      : (BUILT_IN_NAMES[type - EVENT_RECORD.contact] ?? '');
  }

  /** The event, likewise. */
  toEvent(
    type: number,
  ): ContactEvent | ContactForceEvent | SensorEvent | SleepEvent | UserEvent<Json> {
    switch (type) {
      case EVENT_RECORD.contact:
        return this.toContact();
      case EVENT_RECORD.contactForce:
        return this.toContactForce();
      case EVENT_RECORD.sensor:
        return this.toSensor();
      case EVENT_RECORD.sleep:
        return this.toSleep();
      default:
        return this.toUserEvent();
    }
  }

  toContact(): ContactEvent {
    const { tick, isLate, x, y, z } = this;
    const phase = this.isOn ? 'begin' : 'end';
    return { tick, isLate, phase, a: bodyOf(this.a), b: bodyOf(this.b), x, y, z };
  }

  toContactForce(): ContactForceEvent {
    const { tick, isLate, x, y, z } = this;
    const force = this.#floats[WORD.force] ?? 0;
    return { tick, isLate, a: bodyOf(this.a), b: bodyOf(this.b), force, x, y, z };
  }

  toSensor(): SensorEvent {
    const { tick, isLate, x, y, z } = this;
    const phase = this.isOn ? 'enter' : 'leave';
    return { tick, isLate, phase, sensor: this.a, body: bodyOf(this.b), x, y, z };
  }

  toSleep(): SleepEvent {
    const { tick, isLate } = this;
    return { tick, isLate, body: this.a as BodyId, isAsleep: this.isOn };
  }

  toUserEvent(): UserEvent<Json> {
    const { tick, isLate } = this;
    return { tick, isLate, value: JSON.parse(this.#text(this.a, this.b)) as Json };
  }

  #text(start: number, length: number): string {
    const from = OWN_HEAD_WORDS * 4 + start;
    // The reporter wrote UTF-8, so there is no undefined to expect.
    return textOf(this.#bytes.subarray(from, from + length)) ?? '';
  }
}

function bodyOf(id: number): BodyId | undefined {
  return id === NO_BODY ? undefined : (id as BodyId);
}
