/** The events of a run, taken from a queue of the default size after every tick. */
import { EVENT_RECORD, ReadEventRecord } from '../../shared/events/event-record.js';
import { DEFAULT_QUEUES } from '../../shared/memory/layout.js';
import { QueueReader, QueueWriter, type QueueViews } from '../../shared/memory/record-queue.js';
import { EventReporter } from '../events/event-reporter.js';

export interface LoggedEvent {
  readonly name: string;
  readonly tick: number;
}

export class EventLog {
  /** Passed to the run. */
  readonly reporter: EventReporter;
  /** In the order in which they were reported. */
  readonly events: LoggedEvent[] = [];
  readonly #reader: QueueReader;
  readonly #record = new ReadEventRecord();

  constructor() {
    const views: QueueViews = {
      control: new Int32Array(3),
      headIndex: 0,
      tailIndex: 1,
      refusedIndex: 2,
      data: new Int32Array(DEFAULT_QUEUES.eventWords),
    };
    this.reporter = new EventReporter(new QueueWriter(views));
    this.#reader = new QueueReader(views);
  }

  /** Reads all events in the queue. */
  drain(): void {
    const reader = this.#reader;
    reader.begin();
    while (reader.next()) {
      const { type } = reader;
      this.#record.reserve(reader.length);
      reader.read(this.#record.words);
      reader.take();
      // Sent only at the start, when no pairs exist: the run must not restart.
      if (type === EVENT_RECORD.cleared) continue;
      this.events.push({ name: this.#record.nameOf(type), ...this.#record.toEvent(type) });
    }
    reader.end();
  }
}
