/**
 * Inputs, commands and batches of worlds as records of the queue from page to worker.
 *
 *     input     stamp  x  y  z  w  (5 × Float64)  kind  code  device  0  (4 × Int32)      14 words
 *     command   stamp  (Float64)  call  name  (2 × Int32)  arguments as JSON: counted UTF-8  array  its counted bytes
 *     batch     stamp  (Float64)  call  bytes  (2 × Int32)  the batch's bytes
 *
 * `name` is the command's index in the list that the worker reported when it was initialized; no bytes of arguments stand for
 * `[]`. `array` is a byte: 0, or for a typed array as the last argument its kind plus 1. Counts are varints. Stamps are page
 * time in ms. A scratch buffer is filled and passed to the queue: nothing is allocated for an input. For the others, only
 * memory that is longer than any before, and what the queue takes to copy a long record.
 */
import { ByteReader, ByteWriter, utf8Of } from '../util/bytes.js';
import { INPUT_KINDS, type InputValues, type TickBatch, type TickCommand } from './tick-inputs.js';
import { INPUT_RECORD } from '../memory/layout.js';
import type { QueueWriter } from '../memory/record-queue.js';
import {
  NO_ARGUMENTS,
  type CommandArguments,
  arrayFrom,
  arrayKindOf,
  bytesOf,
  type TypedArray,
} from '../util/command-arguments.js';

const INPUT_WORDS = 14;
/** Words before the bytes of a command or a batch. */
const HEAD_WORDS = 4;
/** Indices of words: the number of the call, a command's name, the bytes of a batch. */
const CALL = 2;
const NAME = 3;
const LENGTH = 3;
const NO_BYTES = new Uint8Array();

/** Writes inputs, commands and batches into the queue. */
export class InputRecordWriter {
  readonly #queue: Pick<QueueWriter, 'tryPush' | 'maxLength'>;
  readonly #words = new Int32Array(INPUT_WORDS);
  readonly #numbers = new Float64Array(this.#words.buffer, 0, 5);
  readonly #out = new ByteWriter();

  constructor(queue: Pick<QueueWriter, 'tryPush' | 'maxLength'>) {
    this.#queue = queue;
  }

  /** @returns False if the queue is full. */
  pushInput(input: InputValues, stampMs: number): boolean {
    const numbers = this.#numbers;
    numbers[0] = stampMs;
    numbers[1] = input.x;
    numbers[2] = input.y;
    numbers[3] = input.z;
    numbers[4] = input.w;
    this.#words[10] = INPUT_KINDS.indexOf(input.kind);
    this.#words[11] = input.code;
    this.#words[12] = input.device;
    return this.#queue.tryPush(INPUT_RECORD.input, this.#words, INPUT_WORDS);
  }

  /**
   * @param name The command's index in the worker's list.
   * @returns False if the queue is full.
   * @throws RangeError if the command could never fit in the queue.
   */
  pushCommand(name: number, call: number, given: CommandArguments, stampMs: number): boolean {
    const { args, data } = given;
    const out = this.#begin(stampMs, call, name);
    out.countedBytes(args === NO_ARGUMENTS ? NO_BYTES : utf8Of(args));
    out.byte(arrayKindOf(data) + 1);
    if (data !== undefined) out.countedBytes(bytesOf(data));
    return this.#push(INPUT_RECORD.command);
  }

  /**
   * @param write Writes it, and returns whether it can be queued.
   * @returns False if the queue is full.
   * @throws RangeError if the batch could never fit in the queue.
   */
  pushBatch(call: number, write: (out: ByteWriter) => boolean, stampMs: number): boolean {
    const out = this.#begin(stampMs, call, 0);
    if (!write(out)) return false;
    out.setWord(4 * LENGTH, out.length - 4 * HEAD_WORDS);
    return this.#push(INPUT_RECORD.batch);
  }

  #begin(stampMs: number, call: number, last: number): ByteWriter {
    const out = this.#out;
    out.clear();
    out.float64(stampMs);
    out.word(call);
    out.word(last);
    return out;
  }

  #push(type: number): boolean {
    const words = this.#out.toWords();
    const { maxLength } = this.#queue;
    if (words.length <= maxLength) return this.#queue.tryPush(type, words);
    throw new RangeError(
      `${4 * words.length} bytes can never be queued: the queue of inputs has room for ${4 * maxLength}. ` +
        'Pass the data as an asset, in parts or as setup',
    );
  }
}

/** Page time of a record, read from its payload. */
export function stampOf(payload: Int32Array): number {
  return new Float64Array(payload.buffer, payload.byteOffset, 1)[0] ?? 0;
}

/** Number of the call that waits for a command or a batch. */
export function callOf(payload: Int32Array): number {
  return payload[CALL] ?? 0;
}

/**
 * Changes the index of a command in the worker's list: another worker may have another list.
 *
 * @returns False if it has none, and is unchanged.
 */
export function reindexCommand(
  payload: Int32Array,
  indexOf: (before: number) => number | undefined,
): boolean {
  const index = indexOf(payload[NAME] ?? -1);
  if (index !== undefined) payload[NAME] = index;
  return index !== undefined;
}

/** An input as it was pushed. */
export function decodeInput(payload: Int32Array): InputValues {
  const [, x = 0, y = 0, z = 0, w = 0] = new Float64Array(payload.buffer, payload.byteOffset, 5);
  return {
    kind: INPUT_KINDS[payload[10] ?? 0] ?? 'custom',
    code: payload[11] ?? 0,
    device: payload[12] ?? 0,
    x,
    y,
    z,
    w,
  };
}

/** A command as it was pushed. @param names The worker's list. */
export function decodeCommand(payload: Int32Array, names: readonly string[]): TickCommand {
  const from = payload.byteOffset + 4 * HEAD_WORDS;
  const reader = new ByteReader(new Uint8Array(payload.buffer, from));
  return {
    kind: 'command',
    name: names[payload[NAME] ?? -1] ?? '',
    call: callOf(payload),
    args: reader.text() || NO_ARGUMENTS,
    data: readArray(reader),
  };
}

function readArray(reader: ByteReader): TypedArray | undefined {
  const kind = reader.byte() - 1;
  return kind < 0 ? undefined : arrayFrom(kind, reader.countedBytes().buffer);
}

/** A batch as it was pushed, in its own memory. */
export function decodeBatch(payload: Int32Array): TickBatch {
  const from = payload.byteOffset + 4 * HEAD_WORDS;
  const bytes = new Uint8Array(new Uint8Array(payload.buffer, from, payload[LENGTH]));
  return { kind: 'batch', call: callOf(payload), bytes };
}
