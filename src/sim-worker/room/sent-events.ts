/** The events of a room's run, collected for its clients. */
import { EVENT_RECORD } from '../../shared/events/event-record.js';
import { DEFAULT_QUEUES } from '../../shared/memory/queue-sizes.js';
import { privateQueueViews, QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import type { EventEntry } from '../../shared/network/room-messages.js';
import { EventReporter } from '../events/event-reporter.js';

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
