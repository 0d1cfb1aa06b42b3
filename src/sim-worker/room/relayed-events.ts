/** Reports events of another run, from their records. */
import {
  EVENT_FLAGS,
  EVENT_RECORD,
  isPairRecord,
  ReadEventRecord,
  type EventRecord,
} from '../../shared/events/event-record.js';
import type { EventEntry } from '../../shared/network/room-messages.js';
import type { UserEvent } from '../../shared/events/simulation-event.js';
import type { Json } from '../../shared/util/json.js';
import type { Events } from '../api/events.js';
import type { EventReporter } from '../events/event-reporter.js';

/** Index of the word with the flags. */
const FLAGS = 4;

/** @throws SyntaxError if the value of a custom event is not JSON. Records of unknown types are ignored. */
export function relayEvent(events: Events, { type, words }: EventEntry): void {
  // What a simulation gets as its events is always one of these.
  const reporter = events as EventReporter;
  const read = new ReadEventRecord();
  const copy = (record: EventRecord): number => {
    record.reserve(words.length);
    record.words.set(words);
    return words.length;
  };
  copy(read);
  if (isPairRecord(type)) {
    const [a, b] = read.keysOf(type);
    const isLate = ((words[FLAGS] ?? 0) & EVENT_FLAGS.late) !== 0;
    reporter.pair(type, a, b, read.isOn, isLate, copy);
  } else if (type === EVENT_RECORD.contactForce) {
    reporter.force(copy);
  } else if (type === EVENT_RECORD.user) {
    const { value } = read.toEvent(type, words.length) as UserEvent<Json>;
    reporter.emit(read.nameOf(type), value);
  }
}
