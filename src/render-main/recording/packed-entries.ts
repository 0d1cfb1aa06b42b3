/**
 * Entries of a recording as bytes, as in a file: as objects they take ten times the memory. Stored in chunks that can
 * be read independently. Loaded when there are enough of them.
 *
 *     chunk    names: count, then each in UTF-8 with its length; entries, each command followed by the number of its call
 *              as a varint
 */
import { ByteReader } from '../../shared/util/byte-reader.js';
import { ByteWriter } from '../../shared/util/byte-writer.js';
import { EntryReader, EntryWriter } from '../../shared/recording/recording-entries.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';

interface Chunk {
  readonly bytes: Uint8Array;
  readonly firstTick: number;
  readonly lastTick: number;
  /** The last step reported in this chunk or before it. */
  readonly dt: number | undefined;
}

export class PackedEntries {
  #chunks: Chunk[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * @param entries Entries after those already stored.
   * @throws {TypeError}
   * @throws {RangeError} When a value does not match its type; nothing is added then.
   */
  add(entries: readonly RecordingEntry[]): void {
    const [first] = entries;
    if (first === undefined) return;
    this.#append({
      bytes: pack(entries),
      firstTick: first.tick,
      lastTick: entries.at(-1)?.tick ?? first.tick,
      dt: lastStep(entries) ?? this.#chunks.at(-1)?.dt,
    });
  }

  /** The entries after a tick, up to and including another. */
  between(afterTick: number, untilTick: number): RecordingEntry[] {
    const chunks = this.#chunks.filter(
      ({ firstTick, lastTick }) => lastTick > afterTick && firstTick <= untilTick,
    );
    return chunks.flatMap((chunk) =>
      unpack(chunk.bytes).filter(({ tick }) => tick > afterTick && tick <= untilTick),
    );
  }

  /** The last step reported up to and including a tick; undefined: none was. */
  stepAt(tick: number): number | undefined {
    const index = this.#chunks.findLastIndex(({ firstTick }) => firstTick <= tick);
    const chunk = this.#chunks[index];
    if (chunk === undefined || chunk.lastTick <= tick) return chunk?.dt;
    const before = unpack(chunk.bytes).filter((entry) => entry.tick <= tick);
    return lastStep(before) ?? this.#chunks[index - 1]?.dt;
  }

  /** Bytes of the entries after a tick. In a chunk that begins before it, all entries count the same. */
  bytesAfter(tick: number): number {
    let sum = 0;
    for (const { bytes, firstTick, lastTick } of this.#chunks) {
      if (firstTick > tick) sum += bytes.length;
      else if (lastTick > tick) {
        const entries = unpack(bytes);
        const after = entries.filter((entry) => entry.tick > tick);
        sum += (bytes.length * after.length) / entries.length;
      }
    }
    return sum;
  }

  /** Drops the entries up to and including a tick, and those after another. */
  keep(afterTick: number, untilTick: number): void {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#bytes = 0;
    for (const chunk of chunks) {
      const { bytes, firstTick, lastTick } = chunk;
      if (firstTick > afterTick && lastTick <= untilTick) this.#append(chunk);
      else if (lastTick > afterTick && firstTick <= untilTick) {
        this.add(unpack(bytes).filter(({ tick }) => tick > afterTick && tick <= untilTick));
      }
    }
  }

  #append(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.bytes.length;
  }
}

function lastStep(entries: readonly RecordingEntry[]): number | undefined {
  const entry = entries.findLast(({ kind }) => kind === 'step');
  return entry?.kind === 'step' ? entry.dt : undefined;
}

function pack(entries: readonly RecordingEntry[]): Uint8Array {
  const names = new Set(entries.flatMap((entry) => (entry.kind === 'command' ? entry.name : [])));
  const out = new ByteWriter();
  out.varint(names.size);
  for (const name of names) out.text(name);
  const writer = new EntryWriter(out, new Map([...names].map((name, index) => [name, index])));
  for (const entry of entries) {
    writer.write(entry);
    if (entry.kind === 'command') out.varint(entry.call ?? 0);
  }
  return out.toBytes();
}

function unpack(bytes: Uint8Array): RecordingEntry[] {
  const reader = new ByteReader(bytes);
  const names = Array.from({ length: reader.varint() }, () => reader.text());
  const entryReader = new EntryReader(reader, names);
  const entries: RecordingEntry[] = [];
  while (reader.left > 0) {
    const entry = entryReader.read();
    entries.push(entry.kind === 'command' ? { ...entry, call: reader.varint() } : entry);
  }
  return entries;
}
