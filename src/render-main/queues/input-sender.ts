/** The page's end of the input queue: one for the life of a simulation, whichever worker runs it. */
import { INPUT_KINDS, type InputSink, type InputValues } from '../../shared/input/input-event.js';
import { InputRecordWriter, callOf, withdrawCommand } from '../../shared/input/input-record.js';
import { INPUT_RECORD, type BufferViews } from '../../shared/memory/layout.js';
import { inputQueueOf } from '../../shared/memory/buffer.js';
import { QueueReader, QueueWriter } from '../../shared/memory/record-queue.js';
import { requireChoice, requireInteger, requireNumber } from '../../shared/util/validate.js';

/** A record that no worker has taken. */
interface Waiting {
  readonly type: number;
  readonly payload: Int32Array;
}

export class InputSender implements InputSink {
  /** Reads the worker's queue on the page as well. */
  #untaken: QueueReader | undefined;
  #room = 0;
  #queue: QueueWriter | undefined;
  #writer: InputRecordWriter | undefined;
  /** Records for the next worker, while there is none. */
  #waiting: Waiting[] = [];
  #refused = 0;
  #isOpen = true;
  #onPushed: () => void = () => {};

  /** Inputs and commands refused because the queue was full, or because a replay is shown. */
  get refused(): number {
    return this.#refused;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether inputs are accepted. They are not while a replay is shown: the run then has its own. */
  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
  }

  /**
   * Sends inputs to the worker of this buffer from now on, first those that no earlier worker took.
   *
   * @param onPushed Called after each input.
   * @param pushFirst Pushes inputs that precede these.
   * @returns Calls of the waiting commands for which there was no room.
   */
  attach(
    views: BufferViews,
    onPushed: () => void = () => {},
    pushFirst: () => void = () => {},
  ): readonly number[] {
    this.#onPushed = onPushed;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#untaken = new QueueReader(inputQueueOf(views));
    this.#room = views.inputs.length;
    this.#queue = new QueueWriter(inputQueueOf(views));
    this.#writer = new InputRecordWriter(this.#queue);
    pushFirst();
    const refused = waiting.filter(
      ({ type, payload }) => this.#queue?.tryPush(type, payload) !== true,
    );
    this.#refused += refused.length;
    onPushed();
    return callsOf(refused);
  }

  /**
   * The worker is gone: keeps the inputs that it had not taken, and those that arrive until the next one is attached,
   * up to the size of a queue.
   */
  detach(): void {
    if (this.#untaken === undefined) return;
    const untaken = recordsIn(this.#untaken);
    this.#untaken = undefined;
    this.#onPushed = () => {};
    this.#waiting = untaken;
    // A queue of the same size in this thread's own memory, so that the limit is the same with and without a worker.
    this.#queue = new QueueWriter({
      control: new Int32Array(3),
      headIndex: 0,
      tailIndex: 1,
      refusedIndex: 2,
      data: new Int32Array(this.#room),
    });
    const queue = this.#queue;
    for (const { type, payload } of untaken) queue.tryPush(type, payload);
    const keep = {
      tryPush: (type: number, payload: Int32Array, length = payload.length): boolean => {
        if (!queue.tryPush(type, payload, length)) return false;
        this.#waiting.push({ type, payload: payload.slice(0, length) });
        return true;
      },
    };
    this.#writer = new InputRecordWriter(keep);
  }

  /** Calls of the commands that no tick has taken. */
  get waitingCalls(): ReadonlySet<number> {
    const records = this.#untaken === undefined ? this.#waiting : recordsIn(this.#untaken);
    return new Set(callsOf(records));
  }

  /**
   * Withdraws a command that no tick has taken. Not for a worker without shared memory, which has its own copy.
   *
   * @returns False if a tick has taken it.
   */
  withdraw(call: number): boolean {
    if (this.#untaken !== undefined) return withdrawCommand(this.#untaken, call);
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((record) => !callsOf([record]).includes(call));
    return this.#waiting.length < before;
  }

  /** @throws TypeError, RangeError naming the invalid value. */
  push(input: InputValues, stampMs: number): boolean {
    requireChoice('kind', input.kind, INPUT_KINDS);
    requireInteger('code', input.code, -(2 ** 31), 2 ** 31 - 1);
    requireInteger('device', input.device, -(2 ** 31), 2 ** 31 - 1);
    for (const name of ['x', 'y', 'z', 'w'] as const) {
      requireNumber(name, input[name], -Number.MAX_VALUE, Number.MAX_VALUE);
    }
    requireNumber('stampMs', stampMs, -Number.MAX_VALUE, Number.MAX_VALUE);
    // A stamp in the future would delay the input, and keep the records behind it from being freed.
    const notAfterMs = Math.min(stampMs, performance.now());
    const isPushed = this.#isOpen && (this.#writer?.pushInput(input, notAfterMs) ?? false);
    if (isPushed) this.#onPushed();
    else this.#refused += 1;
    return isPushed;
  }

  /** @returns False when the command was refused. */
  pushCommand(name: number, call: number, args: string, stampMs: number): boolean {
    const isPushed =
      this.#isOpen && (this.#writer?.pushCommand(name, call, args, stampMs) ?? false);
    if (isPushed) this.#onPushed();
    else this.#refused += 1;
    return isPushed;
  }
}

function callsOf(records: readonly Waiting[]): number[] {
  return records.flatMap(({ type, payload }) =>
    type === INPUT_RECORD.command ? callOf(payload) : [],
  );
}

/** The records that no tick has taken, as of now: the worker may continue to take records. */
function recordsIn(reader: QueueReader): Waiting[] {
  const records: Waiting[] = [];
  reader.begin();
  while (reader.next()) {
    const payload = new Int32Array(reader.length);
    reader.read(payload);
    records.push({ type: reader.type, payload });
  }
  return records;
}
