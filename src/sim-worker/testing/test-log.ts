/** What a run records and reports: its recording, and its events from a queue of the default size. */
import { EVENT_RECORD, ReadEventRecord } from '../../shared/events/event-record.js';
import { DEFAULT_QUEUES } from '../../shared/memory/queue-sizes.js';
import { privateQueueViews, QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import type { JournalItem } from '../../shared/protocol/control-protocol.js';
import type {
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import { EventReporter } from '../events/event-reporter.js';

export class TestLog {
  readonly reporter: EventReporter;
  /** In the order in which they were reported. */
  readonly events: { readonly name: string; readonly tick: number }[] = [];
  /** By tick. */
  readonly hashes = new Map<number, string>();
  readonly #entries: RecordingEntry[] = [];
  readonly #states: SavedState[] = [];
  readonly #reader: QueueReader;
  readonly #record = new ReadEventRecord();

  constructor() {
    const views = privateQueueViews(DEFAULT_QUEUES.eventWords);
    this.reporter = new EventReporter(new QueueWriter(views));
    this.#reader = new QueueReader(views);
  }

  add(items: readonly JournalItem[]): void {
    for (const item of items) {
      // There is only one run, kept from its beginning, and its description is known.
      if (item.kind === 'restart' || item.kind === 'kept') continue;
      if (item.kind === 'state') this.#states.push(item.state);
      else this.#entries.push(item);
      if (item.kind === 'hash') this.hashes.set(item.tick, item.hash);
    }
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
      this.events.push({
        name: this.#record.nameOf(type),
        ...this.#record.toEvent(type, reader.length),
      });
    }
    reader.end();
  }

  /** @param hash Of the state after the last tick. */
  recordingOf(
    run: RunDescription,
    start: SavedState | undefined,
    lastTick: number,
    hash: string,
  ): Recording {
    const isNew = !this.hashes.has(lastTick);
    // A recording begins with tick 0, which has no hash.
    if (isNew && lastTick > (start?.tick ?? 0)) this.add([{ kind: 'hash', tick: lastTick, hash }]);
    return { run, start, lastTick, entries: this.#entries, states: this.#states };
  }
}
