/**
 * Tells the page what happens in the simulation, and stays consistent when the queue is full.
 *
 * Events that come in pairs, such as the begin and the end of a contact, go through {@link PairTracker}, which makes
 * up for what was refused. The others are told or lost.
 *
 * INVARIANTS (E1 and E2: see pair-tracker.ts)
 *   E3  While the page is still to be told that all is over (`cleared`), it is told nothing else.
 *   E4  A refusal by the queue is the loss of one event: what may be refused without a loss is not tried.
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import {
  BUILT_IN_NAMES,
  CLEARED_WORDS,
  EVENT_FLAGS,
  EVENT_RECORD,
  EVENT_WORDS,
  EventRecord,
  NO_BODY,
} from '../../shared/events/event-record.js';
import { requireJson, type Json } from '../../shared/util/json.js';
import type { QueueWriter } from '../../shared/memory/record-queue.js';
import { utf8Of } from '../../shared/util/text.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { Events } from '../api/events.js';
import { PairTracker, type Pair } from './pair-tracker.js';

const UNKNOWN = Number.NaN;
const NAMES_TAKEN: readonly string[] = [...BUILT_IN_NAMES, 'status'];

/** Words that a record takes in the queue: its payload and its header. */
const PAIR_ROOM = EVENT_WORDS + 1;
const CLEARED_ROOM = CLEARED_WORDS + 1;

/** Reports what happens in a tick to the page: `context.events`. */
export class EventReporter implements Events {
  readonly #queue: QueueWriter | undefined;
  readonly #maxLength: number;
  readonly #record = new EventRecord();
  readonly #clearedRecord = new EventRecord();
  readonly #pairs: PairTracker;
  #tick = 0;
  #virtualMs = 0;
  #run = 0;
  #reported = 0;
  #isMuted = false;
  /** From the start: the page may know of pairs from a worker that failed. */
  #owesCleared = true;

  /**
   * @param queue To the page; undefined in a replay or without a page: events are then counted and that is all.
   * @param maxLength Words of the longest record, which decides what {@link emit} refuses. To be given where
   *   there is no queue, so that a replay refuses what the run refused.
   */
  constructor(queue: QueueWriter | undefined, maxLength = queue?.maxLength ?? Infinity) {
    this.#queue = queue;
    this.#maxLength = maxLength;
    this.#pairs = new PairTracker({
      hasRoom: () => !this.#owesCleared && this.#hasRoom(PAIR_ROOM),
      report: (pair, isOn, isLate, x, y, z) => this.#pushPair(pair, isOn, isLate, x, y, z),
    });
  }

  /** Events accepted so far, made-up ones among them. */
  get reported(): number {
    return this.#reported;
  }

  /** Events that found no room in the queue (it wraps after 2^32). */
  get lost(): number {
    return this.#queue?.refused ?? 0;
  }

  get run(): number {
    return this.#run;
  }

  /**
   * Called by whoever runs the ticks, before the simulation's step: what is reported from now on belongs to
   * this tick. First the page is told what it missed, as far as there is room.
   *
   * @param virtualMs Virtual time at which the tick was due.
   */
  beginTick(tick: number, virtualMs: number): void {
    this.#tick = tick;
    // The page delivers in order of virtual time, so it may not go back.
    this.#virtualMs = Math.max(this.#virtualMs, virtualMs);
    if (this.#isMuted) return;
    this.#pushClearedIfRoom();
    this.#pairs.reportLate();
    this.#pairs.endDespawned();
  }

  /** Called after the simulation's step. */
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
  ): void {
    const lower = lowerOf(a, b);
    const higher = higherOf(a, b);
    this.#pairs.count(EVENT_RECORD.contact, lower, higher, isTouching, isLate, x, y, z);
  }

  contactForce(
    a: BodyId | undefined,
    b: BodyId | undefined,
    force: number,
    x: number,
    y: number,
    z: number,
  ): void {
    this.#record.setBody(lowerOf(a, b), higherOf(a, b), x, y, z, force);
    this.#push(EVENT_RECORD.contactForce, EVENT_WORDS, 0);
  }

  sensor(
    sensor: number,
    body: BodyId | undefined,
    isInside: boolean,
    x: number,
    y: number,
    z: number,
    isLate = false,
  ): void {
    requireInteger('sensor', sensor, 0, 0xffffffff);
    const inside = body ?? NO_BODY;
    this.#pairs.count(EVENT_RECORD.sensor, sensor, inside, isInside, isLate, x, y, z);
  }

  sleep(body: BodyId, isAsleep: boolean, isLate = false): void {
    if (this.#pairs.isOn(EVENT_RECORD.sleep, body, NO_BODY) === isAsleep) return;
    const type = EVENT_RECORD.sleep;
    this.#pairs.count(type, body, NO_BODY, isAsleep, isLate, UNKNOWN, UNKNOWN, UNKNOWN);
  }

  emit(name: string, value: Json): void {
    requireUserEventName(name);
    const json = JSON.stringify(requireJson(`the value of the event "${name}"`, value));
    const length = this.#record.setUserEvent(utf8Of(name), utf8Of(json));
    if (length > this.#maxLength) {
      throw new RangeError(
        `the event "${name}" takes ${length} words and the queue of events has room for ${this.#maxLength}: ` +
          'make the queue larger or the event smaller',
      );
    }
    this.#push(EVENT_RECORD.user, length, 0);
  }

  /**
   * Muted, nothing is told: a segment of a run is gone through again whose events the page has had. Afterwards it is
   * told what is on by then.
   */
  setMuted(isMuted: boolean): void {
    this.#isMuted = isMuted;
    if (!isMuted) this.clear();
  }

  /** A body is gone: what it is part of ends, with this tick or before the next. */
  despawned(body: BodyId): void {
    this.#pairs.despawned(body);
  }

  /**
   * The run starts over or goes on from another state: all that began is over, and the page ends what it has
   * open. To be called when the new state is there; what is on in it is reported in its next tick.
   */
  clear(): void {
    this.#pairs.clear();
    this.#run += 1;
    this.#owesCleared = true;
    if (!this.#isMuted) this.#pushClearedIfRoom();
  }

  #pushPair(pair: Pair, isOn: boolean, isLate: boolean, x: number, y: number, z: number): boolean {
    this.#record.setBody(pair.a, pair.b, x, y, z, 0);
    const flags = (isOn ? EVENT_FLAGS.on : 0) | (isLate ? EVENT_FLAGS.late : 0);
    return this.#push(pair.type, EVENT_WORDS, flags);
  }

  /** Of the record, all but the head is set. */
  #push(type: number, length: number, flags: number): boolean {
    const queue = this.#queue;
    if (this.#isMuted) return true;
    if (queue !== undefined) {
      // E3, E4: a refusal of what has to come first is this event's.
      if (this.#owesCleared && !this.#pushCleared(queue)) return false;
      this.#record.setHead(this.#tick, this.#virtualMs, flags);
      if (!queue.tryPush(type, this.#record.words, length)) return false;
    }
    this.#reported += 1;
    return true;
  }

  #pushClearedIfRoom(): void {
    if (this.#queue === undefined || !this.#owesCleared || !this.#hasRoom(CLEARED_ROOM)) return;
    this.#pushCleared(this.#queue);
  }

  #pushCleared(queue: QueueWriter): boolean {
    this.#clearedRecord.setHead(this.#tick, this.#virtualMs, 0);
    const isPushed = queue.tryPush(EVENT_RECORD.cleared, this.#clearedRecord.words, CLEARED_WORDS);
    this.#owesCleared = !isPushed;
    return isPushed;
  }

  /** E4: asked before what is tried again. */
  #hasRoom(words: number): boolean {
    return this.#queue === undefined || this.#queue.freeWords >= words;
  }
}

function lowerOf(a: BodyId | undefined, b: BodyId | undefined): number {
  return Math.min(a ?? NO_BODY, b ?? NO_BODY);
}

function higherOf(a: BodyId | undefined, b: BodyId | undefined): number {
  return Math.max(a ?? NO_BODY, b ?? NO_BODY);
}

function requireUserEventName(name: unknown): void {
  if (typeof name !== 'string') {
    throw new TypeError(`the name of an event must be a string, but is a ${typeof name}`);
  }
  if (name === '' || NAMES_TAKEN.includes(name)) {
    throw new RangeError(
      `the name of a custom event must not be empty or one of ${NAMES_TAKEN.join(', ')}, but is "${name}"`,
    );
  }
}
