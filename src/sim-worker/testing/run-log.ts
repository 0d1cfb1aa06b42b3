/** Keeps a run's journal as a recording. */
import type { JournalItem } from '../../shared/protocol/control-protocol.js';
import type {
  Recording,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import type { Journal } from '../run/journal.js';

export class RunLog implements Journal {
  sent = 0;
  /** By tick. */
  readonly hashes = new Map<number, string>();
  readonly #entries: RecordingEntry[] = [];
  readonly #states: SavedState[] = [];

  add(item: JournalItem): void {
    // There is only one run, kept from its beginning, and its description is known.
    if (item.kind === 'restart') return;
    if (item.kind === 'state') this.#states.push(item.state);
    else this.#entries.push(item);
    if (item.kind === 'hash') this.hashes.set(item.tick, item.hash);
  }

  flush(): void {
    this.sent += 1;
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
    if (isNew && lastTick > (start?.tick ?? 0)) this.add({ kind: 'hash', tick: lastTick, hash });
    return { run, start, lastTick, entries: this.#entries, states: this.#states };
  }
}
