/**
 * Inputs and commands as records of the queue from page to worker.
 *
 *     input     stamp  x  y  z  w  (5 × Float64)  kind  code  device  0  (4 × Int32)      14 words
 *     command   stamp  (Float64)  name  call  bytes  array  (4 × Int32)  arguments as JSON in UTF-8  array's bytes
 *
 * `name` is the command's index in the list that the worker reported when it was initialized, and `bytes` those of the
 * JSON, without padding; 0 stands for `[]`. `array` is 0, or for a typed array as the last argument its kind plus 1 in
 * the lowest four bits, and above those the number of its bytes, which begin at the next word. Stamps are page time in
 * ms. A scratch buffer is filled and passed to the queue: nothing is allocated for an input. For a command, only memory
 * that is longer than any before, and what the queue takes to copy a long record.
 */
import { INPUT_KINDS, type InputValues } from './input-event.js';
import { INPUT_RECORD } from '../memory/layout.js';
import type { QueueWriter } from '../memory/record-queue.js';
import type { TickCommand } from './tick-inputs.js';
import { NO_ARGUMENTS, type CommandArguments } from '../util/command-arguments.js';
import { textOf, utf8Of } from '../util/text.js';
import { arrayFrom, arrayKindOf, bytesOf, type TypedArray } from '../util/typed-arrays.js';

const INPUT_WORDS = 14;
const COMMAND_HEAD_WORDS = 6;
const FIRST_SCRATCH_WORDS = 64;
const KIND_BITS = 4;
const KIND_MASK = (1 << KIND_BITS) - 1;
const NO_BYTES = new Uint8Array();

/** Writes inputs and commands into the queue. */
export class InputRecordWriter {
  readonly #queue: Pick<QueueWriter, 'tryPush' | 'maxLength'>;
  readonly #words = new Int32Array(INPUT_WORDS);
  readonly #numbers = new Float64Array(this.#words.buffer, 0, 5);
  #scratch = createScratch(FIRST_SCRATCH_WORDS);

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
    const text = args === NO_ARGUMENTS ? NO_BYTES : utf8Of(args);
    const bytes = data === undefined ? NO_BYTES : bytesOf(data);
    const dataAt = COMMAND_HEAD_WORDS + wordsOf(text.length);
    const length = dataAt + wordsOf(bytes.length);
    const { maxLength } = this.#queue;
    if (length > maxLength) {
      throw new RangeError(
        `a command of ${length} words can never be queued: the queue of inputs has room for ${maxLength}, ` +
          'so make the queue larger or the arguments shorter',
      );
    }
    // Kept, because what is long is often sent with every frame. The queue limits it.
    if (length > this.#scratch.words.length) this.#scratch = createScratch(length);
    const scratch = this.#scratch;
    const { words } = scratch;
    scratch.stamp[0] = stampMs;
    words[2] = name;
    words[3] = call;
    words[4] = text.length;
    words[5] = data === undefined ? 0 : (bytes.length << KIND_BITS) | (arrayKindOf(data) + 1);
    scratch.bytes.set(text, COMMAND_HEAD_WORDS * 4);
    scratch.bytes.set(bytes, dataAt * 4);
    return this.#queue.tryPush(INPUT_RECORD.command, words, length);
  }
}

const wordsOf = (bytes: number): number => Math.ceil(bytes / 4);

function createScratch(length: number) {
  const words = new Int32Array(length);
  const { buffer } = words;
  return { words, stamp: new Float64Array(buffer, 0, 1), bytes: new Uint8Array(buffer) };
}

/** Page time of a record, read from its payload. */
export function stampOf(payload: Int32Array): number {
  return new Float64Array(payload.buffer, payload.byteOffset, 1)[0] ?? 0;
}

/** Number of the call that waits for a command. */
export function callOf(payload: Int32Array): number {
  return payload[3] ?? 0;
}

/**
 * Changes the place of a command in the worker's list: another worker may have another list.
 *
 * @returns False if it has none, and is unchanged.
 */
export function placeCommand(
  payload: Int32Array,
  placeOf: (before: number) => number | undefined,
): boolean {
  const place = placeOf(payload[2] ?? -1);
  if (place !== undefined) payload[2] = place;
  return place !== undefined;
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
  const length = payload[4] ?? 0;
  const array = payload[5] ?? 0;
  const from = payload.byteOffset + COMMAND_HEAD_WORDS * 4;
  return {
    name: names[payload[2] ?? -1] ?? '',
    call: payload[3] ?? 0,
    args:
      (length > 0 ? textOf(new Uint8Array(payload.buffer, from, length)) : undefined) ??
      NO_ARGUMENTS,
    data: array === 0 ? undefined : decodeArray(payload, from + 4 * wordsOf(length), array),
  };
}

function decodeArray({ buffer }: Int32Array, from: number, array: number): TypedArray {
  const bytes = new Uint8Array(buffer, from, array >>> KIND_BITS);
  return arrayFrom((array & KIND_MASK) - 1, new Uint8Array(bytes).buffer);
}
