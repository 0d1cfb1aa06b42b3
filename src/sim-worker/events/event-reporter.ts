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
  EVENT_FLAGS,
  EVENT_RECORD,
  EventRecord,
  HEAD_WORDS,
  writeEvent,
  writeUserEvent,
} from '../../shared/events/event-record.js';
import { inOrder } from '../../shared/events/pair-events.js';
import { requireJson, type Json } from '../../shared/util/json.js';
import type { QueueWriter } from '../../shared/memory/record-queue.js';
import { utf8Of } from '../../shared/util/bytes.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { Events, PairReports } from '../api/events.js';
import { PairTracker } from './pair-tracker.js';

const NAMES_TAKEN: readonly string[] = [...BUILT_IN_NAMES, ...BODY_EVENT_NAMES, 'status'];

/** Words of a record's header in the queue. */
const QUEUE_WORDS = 1;

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
      hasRoom: (name, fields) =>
        !this.#owesCleared && this.#hasRoom(writeEvent(this.#record, name, fields)),
      report: (name, fields, isOn, isLate) => {
        const flags = (isOn ? EVENT_FLAGS.on : 0) | (isLate ? EVENT_FLAGS.late : 0);
        return this.#push(EVENT_RECORD[name], writeEvent(this.#record, name, fields), flags);
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

  readonly contact: Events['contact'] = (one, other, isTouching, x, y, z, isLate = false) => {
    const [a, b] = inOrder(one, other);
    return this.pair('contact', { a, b, x, y, z }, isTouching, isLate);
  };

  readonly contactForce: Events['contactForce'] = (one, other, force, x, y, z) => {
    const [a, b] = inOrder(one, other);
    this.force({ a, b, force, x, y, z });
  };

  readonly sensor: Events['sensor'] = (sensor, body, isInside, x, y, z, isLate = false) => {
    requireInteger('sensor', sensor, 0, 0xffffffff);
    return this.pair('sensor', { sensor, body, x, y, z }, isInside, isLate);
  };

  sleep(body: BodyId, isAsleep: boolean, isLate = false): void {
    if (this.#pairs.isOn('sleep', { body }) === isAsleep) return;
    this.pair('sleep', { body }, isAsleep, isLate);
  }

  readonly pair: PairReports['pair'] = (name, fields, isOn, isLate) =>
    this.#pairs.count(name, fields, isOn, isLate);

  readonly force: PairReports['force'] = (fields) => {
    this.#push(EVENT_RECORD.contactForce, writeEvent(this.#record, 'contactForce', fields), 0);
  };

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
    if (this.#queue === undefined || !this.#owesCleared || !this.#hasRoom(HEAD_WORDS)) return;
    this.#pushCleared(this.#queue);
  }

  #pushCleared(queue: QueueWriter): boolean {
    this.#clearedRecord.setHead(this.#tick, this.#virtualMs, 0);
    const isPushed = queue.tryPush(EVENT_RECORD.cleared, this.#clearedRecord.words, HEAD_WORDS);
    this.#owesCleared = !isPushed;
    return isPushed;
  }

  /** E4: checked before each retry. */
  #hasRoom(words: number): boolean {
    return this.#queue === undefined || this.#queue.freeWords >= words + QUEUE_WORDS;
  }
}

function requireUserEventName(name: unknown): void {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError('the name of an event must be a string that is not empty');
  }
  if (!NAMES_TAKEN.includes(name)) return;
  throw new RangeError(`the event name "${name}" is reserved, as are ${NAMES_TAKEN.join(', ')}`);
}
