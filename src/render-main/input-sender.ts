/** The page's end of the queue of inputs: one for the life of a simulation, whichever worker runs it. */
import { INPUT_KINDS, type InputSink, type InputValues } from '../shared/input-event.js';
import { InputRecordWriter, callOf } from '../shared/input-record.js';
import { INPUT_RECORD, type BufferViews } from '../shared/layout.js';
import { inputQueueOf } from '../shared/queues.js';
import { QueueReader, QueueWriter } from '../shared/record-queue.js';
import { requireChoice, requireInteger, requireNumber } from '../shared/validate.js';

/** A record that no worker has taken. */
interface Waiting {
  readonly type: number;
  readonly payload: Int32Array;
}

export class InputSender implements InputSink {
  #views: BufferViews | undefined;
  #queue: QueueWriter | undefined;
  #writer: InputRecordWriter | undefined;
  /** What waits for the next worker, while there is none. */
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

  /** Whether inputs are taken. Closed while a replay is shown: the run then has inputs of its own. */
  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
  }

  /**
   * The worker of this buffer takes the inputs from now on, first those that no worker before it took.
   *
   * @param onPushed Called after each one.
   */
  attach(views: BufferViews, onPushed: () => void = () => {}): void {
    this.#onPushed = onPushed;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#views = views;
    this.#queue = new QueueWriter(inputQueueOf(views));
    this.#writer = new InputRecordWriter(this.#queue);
    for (const { type, payload } of waiting) {
      if (!this.#queue.tryPush(type, payload)) this.#refused += 1;
    }
    onPushed();
  }

  /**
   * The worker is gone: what it had not taken is kept for the next one, and so is what comes meanwhile, as much as
   * a queue holds.
   */
  detach(): void {
    const views = this.#views;
    if (views === undefined) return;
    this.#views = undefined;
    this.#onPushed = () => {};
    const untaken = untakenOf(views);
    const room = new Int32Array(views.inputs.length);
    this.#waiting = untaken;
    // A queue of the same size in this thread's own memory: full is full, with or without a worker.
    this.#queue = new QueueWriter({
      control: new Int32Array(3),
      headIndex: 0,
      tailIndex: 1,
      refusedIndex: 2,
      data: room,
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
    const records = this.#views === undefined ? this.#waiting : untakenOf(this.#views);
    const commands = records.filter(({ type }) => type === INPUT_RECORD.command);
    return new Set(commands.map(({ payload }) => callOf(payload)));
  }

  /** @throws TypeError, RangeError naming the value that is wrong. */
  push(input: InputValues, stampMs: number): boolean {
    requireChoice('kind', input.kind, INPUT_KINDS);
    requireInteger('code', input.code, -(2 ** 31), 2 ** 31 - 1);
    requireInteger('device', input.device, -(2 ** 31), 2 ** 31 - 1);
    for (const name of ['x', 'y', 'z', 'w'] as const) {
      requireNumber(name, input[name], -Number.MAX_VALUE, Number.MAX_VALUE);
    }
    requireNumber('stampMs', stampMs, -Number.MAX_VALUE, Number.MAX_VALUE);
    // One that claims to come from the future would wait, and keep what is behind it from being freed.
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

/** The records that no tick has taken. The worker may go on taking: they are as they are now. */
function untakenOf(views: BufferViews): Waiting[] {
  const reader = new QueueReader(inputQueueOf(views));
  const records: Waiting[] = [];
  reader.begin();
  while (reader.next()) {
    const payload = new Int32Array(reader.length);
    reader.read(payload);
    records.push({ type: reader.type, payload });
  }
  return records;
}
