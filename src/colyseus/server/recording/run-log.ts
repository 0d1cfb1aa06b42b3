/**
 * A recording while it is made: a file to which something is appended every second, and which is of use whenever its
 * process was killed. `log-conversion.ts` makes a recording of it.
 *
 *     log      magic: `BTWL`; chunks
 *     chunk    length of its contents, their state hash (three words); contents
 *     contents   begin    0; counted UTF-8, JSON: the version, the process, the run's description, the names of commands
 *                entries  1; last tick, count of entries (varints); entries as in a recording
 *                end      2; 1 if the recording is complete, 0 if the run continues without it
 *
 * The entries of all chunks are one sequence, each encoded by how it differs from the one before. So those of a recording are
 * those of the chunks, byte by byte. A chunk that is cut off, or has another hash, ends the log.
 */
import { ByteReadError, ByteReader } from '../../../shared/util/byte-reader.js';
import { ByteWriter } from '../../../shared/util/byte-writer.js';
import { RecordingFormatError } from '../../../shared/util/recording-format-error.js';
import type { JournalItem } from '../../../shared/protocol/control-protocol.js';
import { wordsOf } from '../../../shared/recording/digest-words.js';
import { EntryWriter } from '../../../shared/recording/recording-entries.js';
import { requireRunDescription } from '../../../shared/recording/run-description.js';
import type { RunDescription } from '../../../shared/recording/recording.js';
import { digestOf, StateHash } from '../../../shared/recording/state-hash.js';

export const MAGIC_BYTES = 4;
/** Of a chunk, before its contents. */
export const CHUNK_HEADER_BYTES = 12;
const MAGIC = 0x4c_57_54_42;
const VERSION = 1;
const KIND = { begin: 0, entries: 1, end: 2 } as const;

/** What a log begins with. */
export interface LogHeader {
  /** The machine and the process that writes it. */
  readonly host: string;
  readonly pid: number;
  readonly run: RunDescription;
  /** Names of the simulation's commands. */
  readonly commands: readonly string[];
}

export type LogChunk =
  | ({ readonly kind: 'begin' } & LogHeader)
  | {
      readonly kind: 'entries';
      readonly lastTick: number;
      readonly count: number;
      readonly entries: Uint8Array;
    }
  | { readonly kind: 'end'; readonly isComplete: boolean };

export function encodeLogStart(header: LogHeader): Uint8Array<ArrayBuffer> {
  const contents = new ByteWriter();
  contents.byte(KIND.begin);
  contents.text(JSON.stringify({ version: VERSION, ...header }));
  const out = new ByteWriter();
  out.word(MAGIC);
  out.bytes(chunkOf(contents.take()));
  return out.toBytes();
}

export function encodeLogEnd(isComplete: boolean): Uint8Array<ArrayBuffer> {
  return chunkOf(Uint8Array.of(KIND.end, Number(isComplete)));
}

/** Encodes what determines a run. */
export class RunLogEncoder {
  readonly #out = new ByteWriter(4096);
  readonly #writer: EntryWriter;
  #count = 0;

  constructor(commands: readonly string[]) {
    this.#writer = new EntryWriter(
      this.#out,
      new Map(commands.map((name, index) => [name, index])),
    );
  }

  /** Bytes of the entries since the last chunk. */
  get pendingBytes(): number {
    return this.#out.length;
  }

  add(items: readonly JournalItem[]): void {
    for (const item of items) {
      if (item.kind === 'restart' || item.kind === 'state' || item.kind === 'kept') continue;
      this.#writer.write(item);
      this.#count += 1;
    }
  }

  /** A chunk with the entries since the last one. @param lastTick The last tick that has run. */
  takeChunk(lastTick: number): Uint8Array<ArrayBuffer> {
    const contents = new ByteWriter(this.#out.length + 32);
    contents.byte(KIND.entries);
    contents.varint(lastTick);
    contents.varint(this.#count);
    contents.bytes(this.#out.take());
    this.#count = 0;
    return chunkOf(contents.take());
  }
}

function chunkOf(contents: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(CHUNK_HEADER_BYTES + contents.length);
  out.word(contents.length);
  for (const word of wordsOf(hashOf(contents))) out.word(word);
  out.bytes(contents);
  return out.toBytes();
}

function hashOf(contents: Uint8Array): string {
  const hash = new StateHash();
  hash.addBytes(contents);
  return hash.digest();
}

/** @throws RecordingFormatError if they are not the first bytes of a log. */
export function requireLogMagic(bytes: Uint8Array): void {
  const isLog = bytes.length >= MAGIC_BYTES && new ByteReader(bytes).word() === MAGIC;
  if (!isLog) throw new RecordingFormatError('this file is not the log of a room');
}

/** @param bytes `CHUNK_HEADER_BYTES` of them. */
export function readChunkHeader(bytes: Uint8Array): {
  readonly length: number;
  readonly hash: string;
} {
  const reader = new ByteReader(bytes);
  return { length: reader.word(), hash: digestOf(reader.word(), reader.word()) };
}

/** @returns Undefined if the contents are not those that were written. */
export function readChunk(contents: Uint8Array, hash: string): LogChunk | undefined {
  if (hashOf(contents) !== hash) return undefined;
  try {
    const reader = new ByteReader(contents);
    switch (reader.byte()) {
      case KIND.begin:
        return { kind: 'begin', ...requireHeader(JSON.parse(reader.text())) };
      case KIND.entries: {
        const lastTick = reader.varint();
        const count = reader.varint();
        const entries = contents.subarray(contents.length - reader.left);
        return { kind: 'entries', lastTick, count, entries };
      }
      case KIND.end:
        return { kind: 'end', isComplete: reader.byte() === 1 };
      default:
        return undefined;
    }
  } catch (error) {
    if (error instanceof ByteReadError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function requireHeader(value: unknown): LogHeader {
  const { version, host, pid, run, commands } = value as LogHeader & { version: number };
  if (version !== VERSION) {
    throw new RecordingFormatError(
      `this log of a room has version ${version}, and version ${VERSION} is expected`,
    );
  }
  return { host, pid, run: requireRunDescription(run, 'run.'), commands };
}
