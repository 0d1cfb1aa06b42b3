/**
 * The entries of the current run: the newest as objects, older ones packed in chunks. Entries that no file can hold stay
 * objects, and count with the size of objects.
 */
import type { RecordingEntry } from '../../shared/recording/recording.js';
import { pack, unpack } from './packed-entries.js';

/** Entries packed in one go: two milliseconds. */
const CHUNK_ENTRIES = 512;
/** Fewer are packed in one go if they are longer than this, in bytes: as many milliseconds. */
const CHUNK_BYTES = 2 ** 19;
/** Approximate packed size of an entry that is not packed yet. A pointer move during a drag takes 38, a hash 10. */
const ENTRY_BYTES = 32;
/** Size of an entry as an object, relative to its packed size. */
const OBJECT_FACTOR = 10;

interface Chunk {
  readonly packed: Uint8Array;
  readonly firstTick: number;
  readonly lastTick: number;
  /** The last step reported in this chunk or before it. */
  readonly dt: number | undefined;
}

export class EntryStore {
  readonly #chunkEntries: number;
  #chunks: Chunk[] = [];
  #chunkBytes = 0;
  #recent: RecordingEntry[] = [];
  #recentBytes = 0;
  /** Bytes of the newest entries when they were last to be packed. */
  #weighedBytes = 0;
  #factor = 1;
  /** The step in effect before all of the entries; undefined: none was reported. */
  stepBefore: number | undefined;

  constructor(chunkEntries = CHUNK_ENTRIES) {
    this.#chunkEntries = chunkEntries;
  }

  get bytes(): number {
    return this.#chunkBytes + this.#recentBytes;
  }

  add(entry: RecordingEntry): void {
    this.#recent.push(entry);
    this.#recentBytes += this.#bytesOf(entry);
    const isLong = this.#recentBytes > this.#weighedBytes + CHUNK_BYTES;
    if (!isLong && this.#recent.length % this.#chunkEntries !== 0) return;
    this.#weighedBytes = this.#recentBytes;
    this.#pack();
  }

  /**
   * The entries after a tick, up to and including another. If no entry sets the step of the first tick, the step in
   * effect comes first.
   */
  between(afterTick: number, untilTick: number): RecordingEntry[] {
    const chunks = this.#chunks.filter(
      ({ firstTick, lastTick }) => lastTick > afterTick && firstTick <= untilTick,
    );
    const entries = [...chunks.flatMap((chunk) => unpack(chunk.packed)), ...this.#recent].filter(
      ({ tick }) => tick > afterTick && tick <= untilTick,
    );
    const tick = afterTick + 1;
    const dt = this.stepAt(afterTick);
    const hasStep = entries.some((entry) => entry.kind === 'step' && entry.tick === tick);
    if (dt !== undefined && tick <= untilTick && !hasStep) {
      entries.unshift({ kind: 'step', tick, dt });
    }
    return entries;
  }

  /** Bytes of the entries after a tick. In a chunk that begins before it, all entries count the same. */
  bytesAfter(tick: number): number {
    let bytes = 0;
    for (const chunk of this.#chunks) {
      if (chunk.firstTick > tick) bytes += chunk.packed.length;
      else if (chunk.lastTick > tick) {
        const entries = unpack(chunk.packed);
        const after = entries.filter((entry) => entry.tick > tick);
        bytes += (chunk.packed.length * after.length) / entries.length;
      }
    }
    for (const entry of this.#recent) if (entry.tick > tick) bytes += this.#bytesOf(entry);
    return bytes;
  }

  /** Drops the entries up to and including a tick, and those after another. */
  keep(afterTick: number, untilTick: number): void {
    this.stepBefore = this.stepAt(afterTick);
    const isKept = ({ tick }: RecordingEntry): boolean => tick > afterTick && tick <= untilTick;
    const chunks = this.#chunks;
    this.#chunks = [];
    for (const chunk of chunks) {
      const { firstTick, lastTick } = chunk;
      if (firstTick > afterTick && lastTick <= untilTick) this.#chunks.push(chunk);
      else if (lastTick > afterTick && firstTick <= untilTick) {
        this.#append(unpack(chunk.packed).filter(isKept));
      }
    }
    this.#recent = this.#recent.filter(isKept);
    this.#weigh();
  }

  /** The step in effect after a tick; undefined: none was reported. */
  stepAt(tick: number): number | undefined {
    const isBefore = (entry: RecordingEntry): boolean => entry.tick <= tick;
    const recent = lastStep(this.#recent.filter(isBefore));
    if (recent !== undefined) return recent;
    const index = this.#chunks.findLastIndex(({ firstTick }) => firstTick <= tick);
    const chunk = this.#chunks[index];
    if (chunk === undefined || chunk.lastTick <= tick) return chunk?.dt ?? this.stepBefore;
    const inChunk = lastStep(unpack(chunk.packed).filter(isBefore));
    return inChunk ?? this.#chunks[index - 1]?.dt ?? this.stepBefore;
  }

  #pack(): void {
    try {
      this.#append(this.#recent);
      this.#recent = [];
      this.#factor = 1;
    } catch {
      // Tried again after the next chunk.
      this.#factor = OBJECT_FACTOR;
    }
    this.#weigh();
  }

  #append(entries: readonly RecordingEntry[]): void {
    const [first] = entries;
    if (first === undefined) return;
    this.#chunks.push({
      packed: pack(entries),
      firstTick: first.tick,
      lastTick: entries.at(-1)?.tick ?? first.tick,
      dt: lastStep(entries) ?? this.#chunks.at(-1)?.dt,
    });
  }

  #weigh(): void {
    this.#chunkBytes = this.#chunks.reduce((sum, { packed }) => sum + packed.length, 0);
    this.#recentBytes = this.#recent.reduce((sum, entry) => sum + this.#bytesOf(entry), 0);
    this.#weighedBytes = this.#recentBytes;
  }

  #bytesOf(entry: RecordingEntry): number {
    if (entry.kind === 'batch') return this.#factor * ENTRY_BYTES + entry.bytes.length;
    if (entry.kind !== 'command') return this.#factor * ENTRY_BYTES;
    const { args, data } = entry;
    return this.#factor * (ENTRY_BYTES + args.length) + (data?.byteLength ?? 0);
  }
}

function lastStep(entries: readonly RecordingEntry[]): number | undefined {
  const entry = entries.findLast(({ kind }) => kind === 'step');
  return entry?.kind === 'step' ? entry.dt : undefined;
}
