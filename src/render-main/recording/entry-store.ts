/**
 * The entries of the current run: the newest as objects, older ones packed. The packer is loaded when there are enough
 * entries; if it does not load, they stay objects, and count with the size of objects.
 */
import type { RecordingEntry } from '../../shared/recording/recording.js';
import type { PackedEntries } from './packed-entries.js';

/** Entries packed in one go: two milliseconds. */
const CHUNK_ENTRIES = 512;
/** Approximate packed size of an entry that is not packed yet. A pointer move during a drag takes 38, a hash 10. */
const ENTRY_BYTES = 32;
/** Size of an entry as an object, relative to its packed size. */
const OBJECT_FACTOR = 10;

type Load = () => Promise<{ readonly PackedEntries: new () => PackedEntries }>;

export class EntryStore {
  readonly #load: Load;
  readonly #chunkEntries: number;
  #packed: PackedEntries | undefined;
  #recent: RecordingEntry[] = [];
  #recentBytes = 0;
  #factor = 1;
  /** The step in effect before all of the entries; undefined: none was reported. */
  stepBefore: number | undefined;

  constructor(load: Load = () => import('./packed-entries.js'), chunkEntries = CHUNK_ENTRIES) {
    this.#load = load;
    this.#chunkEntries = chunkEntries;
  }

  get bytes(): number {
    return (this.#packed?.bytes ?? 0) + this.#recentBytes;
  }

  add(entry: RecordingEntry): void {
    this.#recent.push(entry);
    this.#recentBytes += this.#bytesOf(entry);
    if (this.#recent.length % this.#chunkEntries === 0) void this.#pack();
  }

  /**
   * The entries after a tick, up to and including another. If no entry sets the step of the first tick, the step in
   * effect comes first.
   */
  between(afterTick: number, untilTick: number): RecordingEntry[] {
    const entries = this.#packed?.between(afterTick, untilTick) ?? [];
    for (const entry of this.#recent) {
      if (entry.tick > afterTick && entry.tick <= untilTick) entries.push(entry);
    }
    const tick = afterTick + 1;
    const dt = this.stepAt(afterTick);
    const hasStep = entries.some((entry) => entry.kind === 'step' && entry.tick === tick);
    if (dt !== undefined && tick <= untilTick && !hasStep) {
      entries.unshift({ kind: 'step', tick, dt });
    }
    return entries;
  }

  /** Bytes of the entries after a tick. */
  bytesAfter(tick: number): number {
    let bytes = this.#packed?.bytesAfter(tick) ?? 0;
    for (const entry of this.#recent) if (entry.tick > tick) bytes += this.#bytesOf(entry);
    return bytes;
  }

  /** Drops the entries up to and including a tick, and those after another. */
  keep(afterTick: number, untilTick: number): void {
    this.stepBefore = this.stepAt(afterTick);
    this.#packed?.keep(afterTick, untilTick);
    this.#recent = this.#recent.filter(({ tick }) => tick > afterTick && tick <= untilTick);
    this.#weigh();
  }

  async #pack(): Promise<void> {
    try {
      const { PackedEntries } = await this.#load();
      this.#packed ??= new PackedEntries();
      this.#packed.add(this.#recent);
      this.#recent = [];
      this.#factor = 1;
    } catch {
      // The packer did not load, or no file can hold the entries. Tried again after the next chunk.
      this.#factor = OBJECT_FACTOR;
    }
    this.#weigh();
  }

  /** The step in effect after a tick; undefined: none was reported. */
  stepAt(tick: number): number | undefined {
    const entry = this.#recent.findLast(
      (candidate) => candidate.kind === 'step' && candidate.tick <= tick,
    );
    return entry?.kind === 'step' ? entry.dt : (this.#packed?.stepAt(tick) ?? this.stepBefore);
  }

  #weigh(): void {
    this.#recentBytes = this.#recent.reduce((sum, entry) => sum + this.#bytesOf(entry), 0);
  }

  #bytesOf(entry: RecordingEntry): number {
    return this.#factor * (ENTRY_BYTES + (entry.kind === 'command' ? entry.args.length : 0));
  }
}
