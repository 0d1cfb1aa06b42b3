/** The page's end of the input queue: one for the life of a simulation, whichever worker runs it. */
import type { ByteWriter } from '../../shared/util/bytes.js';
import type { CommandArguments } from '../../shared/util/command-arguments.js';
import { requireInput, type InputSink, type InputValues } from '../../shared/input/tick-inputs.js';
import { InputRecordWriter, callOf, reindexCommand } from '../../shared/input/input-record.js';
import { INPUT_RECORD, type BufferViews } from '../../shared/memory/layout.js';
import { inputQueueOf } from '../../shared/memory/buffer.js';
import {
  privateQueueViews,
  QueueReader,
  QueueWriter,
  type QueueViews,
} from '../../shared/memory/record-queue.js';

/** A record that no worker has taken. */
interface WaitingRecord {
  readonly type: number;
  readonly payload: Int32Array;
}

export class InputSender implements InputSink {
  /** Whether inputs are accepted. They are not while a replay is shown: the run then has its own. */
  isOpen = true;
  readonly #sendAssets: () => number;
  /** Number of the newest asset that the queue announces. */
  #announcedAssets = 0;
  /** The worker's queue; between two workers, one in this thread's own memory. Undefined before the first worker. */
  #queue: ReturnType<typeof openQueue> | undefined;
  #refused = 0;
  #onPushed: () => void = () => {};

  /** @param sendAssets Sends the assets that the worker lacks, and returns the number of the newest. */
  constructor(sendAssets: () => number = () => 0) {
    this.#sendAssets = sendAssets;
  }

  /** Inputs, commands and batches refused because the queue was full, or because a replay is shown. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Sends inputs to the worker of this buffer from now on, first those that no earlier worker took.
   *
   * @param onPushed Called after each input.
   * @param pushFirst Pushes inputs that precede these.
   * @param nextIndex Returns the index of a waiting command in the worker's list, given its index in the previous worker's
   *   list; undefined drops the command.
   * @returns Calls of the waiting commands and batches for which there was no room.
   */
  attach(
    views: BufferViews,
    onPushed: () => void = () => {},
    pushFirst: () => void = () => {},
    nextIndex: (call: number, before: number) => number | undefined = (_, before) => before,
  ): readonly number[] {
    this.#onPushed = onPushed;
    const waiting = this.#untaken.filter(
      ({ type, payload }) =>
        type !== INPUT_RECORD.command ||
        reindexCommand(payload, (before) => nextIndex(callOf(payload), before)),
    );
    const queue = openQueue(inputQueueOf(views));
    this.#queue = queue;
    pushFirst();
    const refused = waiting.filter(({ type, payload }) => !queue.ring.tryPush(type, payload));
    this.#refused += refused.length;
    onPushed();
    return callsOf(refused);
  }

  /**
   * The worker is gone: keeps the inputs that it had not taken, and further inputs until the next worker is attached, up to
   * the size of a queue.
   */
  detach(): void {
    if (this.#queue === undefined) return;
    const untaken = this.#untaken;
    const queue = openQueue(privateQueueViews(this.#queue.ring.maxLength + 1));
    for (const { type, payload } of untaken) queue.ring.tryPush(type, payload);
    this.#queue = queue;
    this.#onPushed = () => {};
  }

  /** Calls of the commands and batches that no tick has taken. */
  get waitingCalls(): ReadonlySet<number> {
    return new Set(callsOf(this.#untaken));
  }

  /** @throws TypeError, RangeError naming the invalid value. */
  push(input: InputValues, stampMs: number): boolean {
    requireInput(input, stampMs);
    // A stamp in the future would delay the input, and keep the records behind it from being freed.
    const notAfterMs = Math.min(stampMs, performance.now());
    return this.#note(this.isOpen && this.#queue?.writer.pushInput(input, notAfterMs) === true);
  }

  /** @returns False when the command was refused. */
  pushCommand(name: number, call: number, given: CommandArguments, stampMs: number): boolean {
    const { writer } = this.#queue ?? {};
    return this.#note(
      this.isOpen &&
        this.#announceAssets() &&
        writer?.pushCommand(name, call, given, stampMs) === true,
    );
  }

  /**
   * @param write Writes the batch. It may add the assets that it names.
   * @returns False when it was refused.
   */
  pushBatch(call: number, write: (out: ByteWriter) => void, stampMs: number): boolean {
    const writeAll = (out: ByteWriter): boolean => {
      write(out);
      return this.#announceAssets();
    };
    return this.#note(
      this.isOpen && this.#queue?.writer.pushBatch(call, writeAll, stampMs) === true,
    );
  }

  /** Makes later commands and batches wait for the assets added so far, which they may name. @returns False if the queue is full. */
  #announceAssets(): boolean {
    const newest = this.#sendAssets();
    if (newest <= this.#announcedAssets) return true;
    const isPushed = this.#queue?.ring.tryPush(INPUT_RECORD.asset, Int32Array.of(newest)) === true;
    if (isPushed) this.#announcedAssets = newest;
    return isPushed;
  }

  #note(isPushed: boolean): boolean {
    if (isPushed) this.#onPushed();
    else this.#refused += 1;
    return isPushed;
  }

  /** The records that no tick has taken, as of now: the worker may continue to take records. */
  get #untaken(): WaitingRecord[] {
    const records: WaitingRecord[] = [];
    const reader = this.#queue?.reader;
    reader?.begin();
    while (reader?.next() === true) {
      const payload = new Int32Array(reader.length);
      reader.read(payload);
      records.push({ type: reader.type, payload });
    }
    return records;
  }
}

/** Both ends of a queue: this thread also reads what it has written. */
function openQueue(views: QueueViews) {
  const ring = new QueueWriter(views);
  return { ring, writer: new InputRecordWriter(ring), reader: new QueueReader(views) };
}

function callsOf(records: readonly WaitingRecord[]): number[] {
  return records.flatMap(({ type, payload }) =>
    type === INPUT_RECORD.command || type === INPUT_RECORD.batch ? callOf(payload) : [],
  );
}
