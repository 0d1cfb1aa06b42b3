/**
 * Reports the simulation's events to the page, and stays consistent when the queue is full.
 *
 * Paired events, such as the begin and end of a contact, go through {@link PairTracker}, which repeats what was
 * refused. Other events are delivered or lost.
 *
 * INVARIANTS (E1 and E2: see pair-tracker.ts)
 *   E3  While the page still has to be notified that all pairs are over (`cleared`), nothing else is sent.
 *   E4  Each refusal by the queue is one lost event: what can be refused without a loss is not tried.
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import {
  BODY_EVENT_NAMES,
  BUILT_IN_NAMES,
  CLEARED_WORDS,
  EVENT_FLAGS,
  EVENT_RECORD,
  EventRecord,
  NO_BODY,
  writeBodies,
  writeUserEvent,
  type PairRecord,
} from '../../shared/events/event-record.js';
import { requireJson, type Json } from '../../shared/util/json.js';
import type { QueueWriter } from '../../shared/memory/record-queue.js';
import { utf8Of } from '../../shared/util/bytes.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { Events, PairReports, WritePair } from '../api/events.js';
import { PairTracker } from './pair-tracker.js';

const UNKNOWN = Number.NaN;
const NAMES_TAKEN: readonly string[] = [...BUILT_IN_NAMES, ...BODY_EVENT_NAMES, 'status'];

/** Words of a record's header in the queue. */
const HEADER_WORDS = 1;

/** Reports the events of a tick to the page: `context.events`. */
export class EventReporter implements Events, PairReports {
  run = 0;
  /** Events accepted so far, including generated ones. */
  reported = 0;
  /** Whether what is reported is of a replay. */
  isReplayed = false;
  readonly #queue: QueueWriter | undefined;
  readonly #maxLength: number;
  readonly #record = new EventRecord();
  readonly #clearedRecord = new EventRecord();
  readonly #pairs: PairTracker;
  #tick = 0;
  #virtualMs = 0;
  #isMuted = false;
  /** True from the start: the page may know pairs from a worker that failed. */
  #owesCleared = true;

  /**
   * @param queue To the page; undefined in a replay or without a page: events are then only counted.
   * @param maxLength Words of the longest record; {@link emit} refuses longer ones. Required without a queue, so that a
   *   replay refuses what the run refused.
   */
  constructor(queue: QueueWriter | undefined, maxLength = queue?.maxLength ?? Infinity) {
    this.#queue = queue;
    this.#maxLength = maxLength;
    this.#pairs = new PairTracker({
      hasRoom: ({ write }) => !this.#owesCleared && this.#hasRoom(write(this.#record, false)),
      report: ({ type, write }, isOn, isLate, isKnown) => {
        const flags = (isOn ? EVENT_FLAGS.on : 0) | (isLate ? EVENT_FLAGS.late : 0);
        return this.#push(type, write(this.#record, isKnown), flags);
      },
    });
  }

  /** Events that did not fit into the queue (wraps at 2^32). */
  get lost(): number {
    return this.#queue?.refused ?? 0;
  }

  /**
   * Must be called before the simulation's step: events reported from now on belong to this tick. First the page is
   * sent the changes that it missed, as far as there is room.
   *
   * @param virtualMs Virtual time at which the tick was due.
   */
  beginTick(tick: number, virtualMs: number): void {
    this.#tick = tick;
    // The page delivers in order of virtual time, so it must not decrease.
    this.#virtualMs = Math.max(this.#virtualMs, virtualMs);
    if (this.#isMuted) return;
    this.#pushClearedIfRoom();
    this.#pairs.reportLate();
    this.#pairs.endDespawned();
  }

  /** Must be called after the simulation's step. */
  endTick(): void {
    this.#pairs.endDespawned();
  }

  contact(
    a: BodyId | undefined,
    b: BodyId | undefined,
    isTouching: boolean,
    x: number,
    y: number,
    z: number,
    isLate = false,
  ): boolean {
    const [lower, higher] = ordered(a, b);
    const write = placed(lower, higher, x, y, z);
    return this.pair(EVENT_RECORD.contact, lower, higher, isTouching, isLate, write);
  }

  contactForce(
    a: BodyId | undefined,
    b: BodyId | undefined,
    force: number,
    x: number,
    y: number,
    z: number,
  ): void {
    const [lower, higher] = ordered(a, b);
    const length = writeBodies(this.#record, lower, higher, x, y, z, force);
    this.#push(EVENT_RECORD.contactForce, length, 0);
  }

  sensor(
    sensor: number,
    body: BodyId | undefined,
    isInside: boolean,
    x: number,
    y: number,
    z: number,
    isLate = false,
  ): boolean {
    requireInteger('sensor', sensor, 0, 0xffffffff);
    const inside = body ?? NO_BODY;
    const write = placed(sensor, inside, x, y, z);
    return this.pair(EVENT_RECORD.sensor, sensor, inside, isInside, isLate, write);
  }

  sleep(body: BodyId, isAsleep: boolean, isLate = false): void {
    if (this.#pairs.isOn(EVENT_RECORD.sleep, body, NO_BODY) === isAsleep) return;
    const write = placed(body, NO_BODY, UNKNOWN, UNKNOWN, UNKNOWN);
    this.pair(EVENT_RECORD.sleep, body, NO_BODY, isAsleep, isLate, write);
  }

  pair(
    type: PairRecord,
    a: number,
    b: number,
    isOn: boolean,
    isLate: boolean,
    write: WritePair,
  ): boolean {
    return this.#pairs.count(type, a, b, isOn, isLate, write);
  }

  force(write: (record: EventRecord) => number): void {
    this.#push(EVENT_RECORD.contactForce, write(this.#record), 0);
  }

  emit(name: string, value: Json): void {
    requireUserEventName(name);
    const json = JSON.stringify(requireJson(`the value of the event "${name}"`, value));
    const length = writeUserEvent(this.#record, utf8Of(name), utf8Of(json));
    if (length > this.#maxLength) {
      throw new RangeError(
        `the event "${name}" takes ${length} words and the queue of events has room for ${this.#maxLength}`,
      );
    }
    this.#push(EVENT_RECORD.user, length, 0);
  }

  /** Mutes the reports while ticks run again whose events the page has. Unmuting reports the pairs that are then on. */
  setMuted(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (!isMuted) this.clear();
  }

  /** Must be called when a body is removed: its pairs end with this tick or before the next. */
  despawned(body: BodyId): void {
    this.#pairs.despawned(body);
  }

  /**
   * Must be called when the run has restarted or moved to another state: all pairs are over, and the page ends those
   * that are open. The pairs of the new state are reported in its next tick.
   */
  clear(): void {
    this.#pairs.clear();
    this.run += 1;
    this.#owesCleared = true;
    if (!this.#isMuted) this.#pushClearedIfRoom();
  }

  /** Everything in the record except the head must be set. */
  #push(type: number, length: number, flags: number): boolean {
    const queue = this.#queue;
    if (this.#isMuted) return true;
    if (queue !== undefined) {
      // E3, E4: if `cleared` is refused, this event is lost.
      if (this.#owesCleared && !this.#pushCleared(queue)) return false;
      const ofReplay = this.isReplayed ? EVENT_FLAGS.replayed : 0;
      this.#record.setHead(this.#tick, this.#virtualMs, flags | ofReplay);
      if (!queue.tryPush(type, this.#record.words, length)) return false;
    }
    this.reported += 1;
    return true;
  }

  #pushClearedIfRoom(): void {
    if (this.#queue === undefined || !this.#owesCleared || !this.#hasRoom(CLEARED_WORDS)) return;
    this.#pushCleared(this.#queue);
  }

  #pushCleared(queue: QueueWriter): boolean {
    this.#clearedRecord.setHead(this.#tick, this.#virtualMs, 0);
    const isPushed = queue.tryPush(EVENT_RECORD.cleared, this.#clearedRecord.words, CLEARED_WORDS);
    this.#owesCleared = !isPushed;
    return isPushed;
  }

  /** E4: checked before each retry. */
  #hasRoom(words: number): boolean {
    return this.#queue === undefined || this.#queue.freeWords >= words + HEADER_WORDS;
  }
}

/** The smaller id first. */
function ordered(a = NO_BODY, b = NO_BODY): readonly [number, number] {
  return a < b ? [a, b] : [b, a];
}

/** Writes two numbers and a place. */
function placed(a: number, b: number, ...place: [x: number, y: number, z: number]): WritePair {
  return (record, isKnown) => {
    const [x, y, z] = isKnown ? place : [UNKNOWN, UNKNOWN, UNKNOWN];
    return writeBodies(record, a, b, x, y, z, 0);
  };
}

function requireUserEventName(name: unknown): void {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError('the name of an event must be a string that is not empty');
  }
  if (!NAMES_TAKEN.includes(name)) return;
  throw new RangeError(`the event name "${name}" is reserved, as are ${NAMES_TAKEN.join(', ')}`);
}
