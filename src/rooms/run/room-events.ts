/** The events of a run, collected for others, and reported there. */
import {
  EVENT_RECORD,
  EVENT_FLAGS,
  isPairRecord,
  ReadEventRecord,
  type EventRecord,
  type PairRecord,
} from '../../shared/events/event-record.js';
import { DEFAULT_QUEUES } from '../../shared/memory/layout.js';
import { privateQueueViews, QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import type { EventEntry } from '../shared/room-messages.js';
import { EventReporter } from '../../sim-worker/events/event-reporter.js';
import type { UserEvent } from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import type { Events } from '../../sim-worker/api/events.js';

/** The events of a room's run, collected for its clients. */
export class SentEvents {
  readonly reporter: EventReporter;
  readonly #reader: QueueReader;
  readonly #isClearedKept: boolean;
  #entries: EventEntry[] = [];

  /** @param isClearedKept Whether to collect the records that say that all pairs are over. */
  constructor(isClearedKept = false) {
    this.#isClearedKept = isClearedKept;
    const views = privateQueueViews(DEFAULT_QUEUES.eventWords);
    this.reporter = new EventReporter(new QueueWriter(views));
    this.#reader = new QueueReader(views);
  }

  /** Must be called after every tick: makes room in the queue. */
  collect(): void {
    const reader = this.#reader;
    reader.begin();
    while (reader.next()) {
      const words = new Int32Array(reader.length);
      reader.read(words);
      reader.take();
      const { type } = reader;
      // The run of a room does not restart: sent at its start only, when there are no pairs.
      if (type === EVENT_RECORD.cleared && !this.#isClearedKept) continue;
      this.#entries.push({ type, words });
    }
    reader.end();
  }

  /** The events since the last call; undefined: none. */
  take(): readonly EventEntry[] | undefined {
    if (this.#entries.length === 0) return undefined;
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

/** Reports events of another run, from their records. */

/** Index of the word with the flags. */
const FLAGS = 4;

/** Passes events on. Pairs that a run has forgotten and then reports again have never been over. */
export class RelayedEvents {
  readonly #reporter: EventReporter;
  readonly #read = new ReadEventRecord();
  /** Pairs that are on, by {@link keyOf}. */
  readonly #pairs = new Map<string, EventEntry>();
  /** Of those: the run has forgotten them, and may report them again. */
  readonly #forgotten = new Set<string>();

  /** @param events What a simulation gets as its events: always a reporter. */
  constructor(events: Events) {
    this.#reporter = events as EventReporter;
  }

  /** @throws SyntaxError if the value of a custom event is not JSON. Records of unknown types are ignored. */
  relay(entry: EventEntry): void {
    const { type, words } = entry;
    const read = this.#read;
    copyTo(read, words);
    if (type === EVENT_RECORD.cleared) {
      for (const key of this.#pairs.keys()) this.#forgotten.add(key);
    } else if (isPairRecord(type)) {
      this.#relayPair(type, entry);
    } else if (type === EVENT_RECORD.contactForce) {
      this.#reporter.force((record) => copyTo(record, words));
    } else if (type === EVENT_RECORD.user) {
      const { value } = read.toEvent(type, words.length) as UserEvent<Json>;
      this.#reporter.emit(read.nameOf(type), value);
    }
  }

  /** Must be called when the run has had a tick in which to report its pairs again: the others are over. */
  endForgotten(): void {
    for (const key of this.#forgotten) {
      const { type, words } = this.#pairs.get(key) as EventEntry;
      copyTo(this.#read, words);
      this.#report(type as PairRecord, words, false, true);
      this.#pairs.delete(key);
    }
    this.#forgotten.clear();
  }

  #relayPair(type: PairRecord, entry: EventEntry): void {
    const key = `${type} ${this.#read.keysOf(type).join(' ')}`;
    const { isOn } = this.#read;
    if (isOn && this.#forgotten.delete(key)) return;
    this.#forgotten.delete(key);
    if (isOn) this.#pairs.set(key, entry);
    else this.#pairs.delete(key);
    const isLate = ((entry.words[FLAGS] ?? 0) & EVENT_FLAGS.late) !== 0;
    this.#report(type, entry.words, isOn, isLate);
  }

  #report(type: PairRecord, words: Int32Array, isOn: boolean, isLate: boolean): void {
    const [a, b] = this.#read.keysOf(type);
    this.#reporter.pair(type, a, b, isOn, isLate, (record) => copyTo(record, words));
  }
}

function copyTo(record: EventRecord, words: Int32Array): number {
  record.reserve(words.length);
  record.words.set(words);
  return words.length;
}
