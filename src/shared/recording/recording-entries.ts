/**
 * A recording's entries as bytes. Common values take no extra space: the same tick as the previous entry, the same
 * key or pointer as the last input of the kind, values of 0, values that 32 bits represent exactly.
 *
 *     entry      tag, [ticks], then depending on what it is:
 *       input    mask, [code], [device], [fraction: 32 bits], [x], [y], [z], [w]
 *       command  index of the name, args: counted UTF-8
 *       command with an array   the same, then the array: its kind (byte), counted bytes
 *       batch    counted bytes
 *       step     dt: 64 bits
 *       hash     64 bits
 *
 *     tag        bit 0..4   what: an input's kind, or one of the numbers below
 *                bit 5..7   ticks since the previous entry: 0 to 6; 7: seven plus a varint [ticks]
 *     mask       bit 0..3   x, y, z, w follow; otherwise they are 0
 *                bit 4      x, y, z, w have 64 bits each, otherwise 32
 *                bit 5, 6   code, device follow, as signed varints; otherwise they are as in the last
 *                           input of this kind, or 0 in the first
 *                bit 7      fraction follows; otherwise it is 0
 *
 * A chunk of them says all that is needed to read it:
 *
 *     chunk      names of commands: counted UTF-8, a JSON list; entries
 */
import { ByteReadError, type ByteReader, ByteWriter, utf8Of } from '../util/bytes.js';
import { INPUT_KINDS, type InputKind, type TickInput } from '../input/tick-inputs.js';
import { hasCall, type RecordingEntry } from './recording.js';
import { wordsOfDigest, digestOf } from './state-hash.js';
import {
  NO_ARGUMENTS,
  ARRAY_NAMES,
  arrayFrom,
  arrayKindOf,
  bytesOf,
  type TypedArray,
} from '../util/command-arguments.js';

const WHAT_BITS = 5;
const WHAT_MASK = (1 << WHAT_BITS) - 1;
/** Above the kinds of input, with room for more of them. */
const WHAT = { batch: 27, arrayCommand: 28, command: 29, step: 30, hash: 31 } as const;
/** Encoding a text takes as long as the rest of a command. */
const UTF8_OF_NO_ARGUMENTS = utf8Of(NO_ARGUMENTS);

/** In the tag: a varint with the remaining ticks follows. */
const MANY_TICKS = 7;

const MASK = { wide: 1 << 4, code: 1 << 5, device: 1 << 6, fraction: 1 << 7 } as const;
const AXES = ['x', 'y', 'z', 'w'] as const;

/** Minimum bytes of an entry: an input with only common values. */
export const MIN_ENTRY = 2;

/** State that writer and reader keep: an entry is encoded by how it differs from previous ones. */
class Before {
  tick = 0;
  readonly #sources = new Map<InputKind, { code: number; device: number }>();

  /** The code and device of the last input of a kind. */
  sourceOf(kind: InputKind): { code: number; device: number } {
    const source = this.#sources.get(kind) ?? { code: 0, device: 0 };
    this.#sources.set(kind, source);
    return source;
  }
}

export class EntryWriter {
  readonly #out: ByteWriter;
  readonly #names: ReadonlyMap<string, number>;
  readonly #before = new Before();

  /** @param names Index of each command's name in the file's table. */
  constructor(out: ByteWriter, names: ReadonlyMap<string, number>) {
    this.#out = out;
    this.#names = names;
  }

  /** @param entry Has been checked, see `requireEntry`. Its text may still be no Unicode: a TypeError. */
  write(entry: RecordingEntry): void {
    switch (entry.kind) {
      case 'input':
        this.#writeTag(INPUT_KINDS.indexOf(entry.input.kind), entry);
        this.#writeInput(entry.input);
        return;
      case 'command':
        this.#writeCommand(entry);
        return;
      case 'batch':
        this.#writeTag(WHAT.batch, entry);
        this.#out.countedBytes(entry.bytes);
        return;
      case 'step':
        this.#writeTag(WHAT.step, entry);
        this.#out.float64(entry.dt);
        return;
      case 'hash': {
        this.#writeTag(WHAT.hash, entry);
        const [first, second] = wordsOfDigest(entry.hash);
        this.#out.word(first);
        this.#out.word(second);
        return;
      }
      default:
    }
  }

  #writeCommand(entry: RecordingEntry & { kind: 'command' }): void {
    const { name, args, data } = entry;
    this.#writeTag(data === undefined ? WHAT.command : WHAT.arrayCommand, entry);
    this.#out.varint(this.#names.get(name) ?? -1);
    if (args === NO_ARGUMENTS) this.#out.countedBytes(UTF8_OF_NO_ARGUMENTS);
    else this.#out.text(args);
    if (data === undefined) return;
    this.#out.byte(arrayKindOf(data));
    this.#out.countedBytes(bytesOf(data));
  }

  #writeTag(what: number, { tick }: RecordingEntry): void {
    const ticks = tick - this.#before.tick;
    this.#before.tick = tick;
    this.#out.byte(what | (Math.min(ticks, MANY_TICKS) << WHAT_BITS));
    if (ticks >= MANY_TICKS) this.#out.varint(ticks - MANY_TICKS);
  }

  #writeInput(input: TickInput): void {
    const { kind, code, device, fraction } = input;
    const source = this.#before.sourceOf(kind);
    const values = AXES.map((axis) => input[axis]);
    const isWide = values.some((value) => !isExact32(value));
    let mask = isWide ? MASK.wide : 0;
    for (const [axis, value] of values.entries()) if (!Object.is(value, 0)) mask |= 1 << axis;
    if (code !== source.code) mask |= MASK.code;
    if (device !== source.device) mask |= MASK.device;
    if (!Object.is(fraction, 0)) mask |= MASK.fraction;

    this.#out.byte(mask);
    if (code !== source.code) this.#out.signedVarint(code);
    if (device !== source.device) this.#out.signedVarint(device);
    if (mask & MASK.fraction) this.#out.float32(fraction);
    for (const value of values) {
      if (Object.is(value, 0)) continue;
      if (isWide) this.#out.float64(value);
      else this.#out.float32(value);
    }
    source.code = code;
    source.device = device;
  }
}

export class EntryReader {
  readonly #in: ByteReader;
  readonly #names: readonly string[];
  readonly #before = new Before();

  constructor(input: ByteReader, names: readonly string[]) {
    this.#in = input;
    this.#names = names;
  }

  /** @throws {ByteReadError} If the bytes are not an entry. Its contents are not checked, see `requireEntry`. */
  read(): RecordingEntry {
    const tag = this.#in.byte();
    const tick = this.#readTick(tag >>> WHAT_BITS);
    const what = tag & WHAT_MASK;
    switch (what) {
      case WHAT.command:
        return { kind: 'command', tick, name: this.#readName(), args: this.#in.text() };
      case WHAT.arrayCommand: {
        const [name, args] = [this.#readName(), this.#in.text()];
        return { kind: 'command', tick, name, args, data: this.#readArray(name) };
      }
      case WHAT.batch:
        return { kind: 'batch', tick, bytes: this.#in.countedBytes() };
      case WHAT.step:
        return { kind: 'step', tick, dt: this.#in.float64() };
      case WHAT.hash:
        return { kind: 'hash', tick, hash: digestOf(this.#in.word(), this.#in.word()) };
      default: {
        const kind = INPUT_KINDS[what];
        if (kind === undefined) throw new ByteReadError(`it has an entry of unknown kind ${what}`);
        return { kind: 'input', tick, input: this.#readInput(kind) };
      }
    }
  }

  #readTick(ticks: number): number {
    const tick = this.#before.tick + ticks + (ticks === MANY_TICKS ? this.#in.varint() : 0);
    if (tick > Number.MAX_SAFE_INTEGER) throw new ByteReadError('a tick in it is beyond 2^53 - 1');
    this.#before.tick = tick;
    return tick;
  }

  #readName(): string {
    const index = this.#in.varint();
    const name = this.#names[index];
    if (name !== undefined) return name;
    throw new ByteReadError(`it has command number ${index}, and names ${this.#names.length}`);
  }

  #readArray(command: string): TypedArray {
    const kind = this.#in.byte();
    const bytes = this.#in.countedBytes();
    try {
      return arrayFrom(kind, bytes.buffer);
    } catch {
      const what = ARRAY_NAMES[kind] ?? `array of unknown kind ${kind}`;
      throw new ByteReadError(`it gives command "${command}" ${bytes.length} bytes of ${what}`);
    }
  }

  #readInput(kind: InputKind): TickInput {
    const mask = this.#in.byte();
    const source = this.#before.sourceOf(kind);
    if (mask & MASK.code) source.code = this.#in.signedVarint();
    if (mask & MASK.device) source.device = this.#in.signedVarint();
    const fraction = mask & MASK.fraction ? this.#in.float32() : 0;
    const x = this.#readValue(mask, 0);
    const y = this.#readValue(mask, 1);
    const z = this.#readValue(mask, 2);
    const w = this.#readValue(mask, 3);
    return { kind, code: source.code, device: source.device, x, y, z, w, fraction };
  }

  #readValue(mask: number, axis: number): number {
    if ((mask & (1 << axis)) === 0) return 0;
    return mask & MASK.wide ? this.#in.float64() : this.#in.float32();
  }
}

/** Bytes to begin with: memory that grows is copied each time. */
const CHUNK_BYTES = 4096;

/** Writes chunks, in which all that comes has a place at once. */
export class ChunkWriter {
  readonly #hasCalls: boolean;
  readonly #names = new Map<string, number>();
  #out = new ByteWriter(CHUNK_BYTES);
  #entries = new EntryWriter(this.#out, this.#names);

  /** @param hasCalls Whether each command and batch is followed by the number of its call, as a varint. Not so in a file. */
  constructor(hasCalls = false) {
    this.#hasCalls = hasCalls;
  }

  /** Bytes of the entries since the last chunk. */
  get length(): number {
    return this.#out.length;
  }

  /** @param entry As for an {@link EntryWriter}; of no earlier tick than the one before. */
  add(entry: RecordingEntry): void {
    if (entry.kind === 'command' && !this.#names.has(entry.name)) {
      this.#names.set(entry.name, this.#names.size);
    }
    this.#entries.write(entry);
    if (this.#hasCalls && hasCall(entry)) this.#out.varint(entry.call ?? 0);
  }

  /** A chunk of the entries since the last one. */
  take(): Uint8Array<ArrayBuffer> {
    const chunk = new ByteWriter(this.#out.length + 32);
    chunk.text(JSON.stringify([...this.#names.keys()]));
    chunk.bytes(this.#out.toBytes());
    this.#names.clear();
    this.#out = new ByteWriter(CHUNK_BYTES);
    this.#entries = new EntryWriter(this.#out, this.#names);
    return chunk.toBytes();
  }
}

/**
 * The entries of a chunk, which is all that is left to read.
 *
 * @throws {ByteReadError} If the bytes are not a chunk.
 */
export function readChunk(reader: ByteReader, hasCalls = false): RecordingEntry[] {
  const names = readJson(reader, 'list of commands');
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new ByteReadError('its commands are no list of names');
  }
  const entryReader = new EntryReader(reader, names);
  const entries: RecordingEntry[] = [];
  while (reader.left > 0) {
    const entry = entryReader.read();
    const call = hasCalls && hasCall(entry) ? reader.varint() : 0;
    entries.push(call === 0 ? entry : ({ ...entry, call } as RecordingEntry));
  }
  return entries;
}

/** @throws {ByteReadError} If what comes next is not counted UTF-8 with JSON. */
export function readJson(reader: ByteReader, what: string): unknown {
  const text = reader.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new ByteReadError(`its ${what} is not JSON`);
  }
}

/** Whether 32 bits represent it exactly, including the sign of a zero. */
const isExact32 = (value: number): boolean => Object.is(Math.fround(value), value);
