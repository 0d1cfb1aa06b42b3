/** The entries of the current run, written as they come: as objects they would take ten times the memory. */
import { ByteReader } from '../../shared/util/bytes.js';
import { ChunkWriter, readChunk } from '../../shared/recording/recording-entries.js';
import type { RecordingEntry } from '../../shared/recording/recording.js';

/** Entries of a chunk, in bytes: to read one takes a millisecond. */
const CHUNK_BYTES = 2 ** 14;

interface Chunk {
  readonly bytes: Uint8Array;
  /** Bytes of the entries: without the names of commands. */
  readonly size: number;
  readonly firstTick: number;
  readonly lastTick: number;
  /** The last step reported in this chunk or before it. */
  readonly dt: number | undefined;
}

export class EntryLog {
  readonly #chunkBytes: number;
  #chunks: Chunk[] = [];
  #bytes = 0;
  readonly #writer = new ChunkWriter(true);
  // The chunk that is being written.
  #firstTick = 0;
  #lastTick = 0;
  #dt: number | undefined;
  /** The step in effect before all of the entries; undefined: none was reported. */
  stepBefore: number | undefined;

  constructor(chunkBytes = CHUNK_BYTES) {
    this.#chunkBytes = chunkBytes;
  }

  get bytes(): number {
    return this.#bytes + this.#writer.length;
  }

  add(entry: RecordingEntry): void {
    const { tick } = entry;
    if (tick < this.#lastTick) this.#endChunk();
    if (this.#writer.length === 0) this.#firstTick = tick;
    this.#writer.add(entry);
    this.#lastTick = tick;
    if (entry.kind === 'step') this.#dt = entry.dt;
    if (this.#writer.length >= this.#chunkBytes) this.#endChunk();
  }

  /**
   * The entries after a tick, up to and including another. If no entry sets the step of the first tick, the step in
   * effect comes first.
   */
  between(afterTick: number, untilTick: number): RecordingEntry[] {
    const entries = this.#allChunks
      .filter(({ firstTick, lastTick }) => lastTick > afterTick && firstTick <= untilTick)
      .flatMap(entriesIn)
      .filter(({ tick }) => tick > afterTick && tick <= untilTick);
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
    let sum = 0;
    for (const chunk of this.#allChunks) {
      const { size, firstTick, lastTick } = chunk;
      if (firstTick > tick) sum += size;
      else if (lastTick > tick) {
        const entries = entriesIn(chunk);
        const after = entries.filter((entry) => entry.tick > tick);
        sum += (size * after.length) / entries.length;
      }
    }
    return sum;
  }

  /** Drops the entries up to and including a tick, and those after another. */
  keep(afterTick: number, untilTick: number): void {
    this.stepBefore = this.stepAt(afterTick);
    const chunks = this.#allChunks;
    this.#chunks = [];
    this.#bytes = 0;
    this.#dt = undefined;
    for (const chunk of chunks) {
      const { firstTick, lastTick, dt } = chunk;
      if (firstTick > afterTick && lastTick <= untilTick) {
        this.#endChunk();
        this.#append(chunk);
        this.#dt = dt;
      } else if (lastTick > afterTick && firstTick <= untilTick) {
        for (const entry of entriesIn(chunk)) {
          if (entry.tick > afterTick && entry.tick <= untilTick) this.add(entry);
        }
      }
    }
  }

  /** The step in effect after a tick; undefined: none was reported. */
  stepAt(tick: number): number | undefined {
    const chunks = this.#allChunks;
    const index = chunks.findLastIndex(({ firstTick }) => firstTick <= tick);
    const chunk = chunks[index];
    if (chunk === undefined || chunk.lastTick <= tick) return chunk?.dt ?? this.stepBefore;
    const step = entriesIn(chunk).findLast((entry) => entry.kind === 'step' && entry.tick <= tick);
    return step?.kind === 'step' ? step.dt : (chunks[index - 1]?.dt ?? this.stepBefore);
  }

  get #allChunks(): readonly Chunk[] {
    this.#endChunk();
    return this.#chunks;
  }

  #endChunk(): void {
    const size = this.#writer.length;
    if (size === 0) return;
    this.#append({
      bytes: this.#writer.take(),
      size,
      firstTick: this.#firstTick,
      lastTick: this.#lastTick,
      dt: this.#dt,
    });
  }

  #append(chunk: Chunk): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.size;
  }
}

const entriesIn = ({ bytes }: Chunk): RecordingEntry[] => readChunk(new ByteReader(bytes), true);
