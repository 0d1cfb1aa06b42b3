/**
 * The worker's half of `transfer`: sends this thread's writes to the page, and stores the page's writes.
 *
 *     publish, beat ── touch ┄┄ end of this task ── send ──▶ update: words, counters, events, a packet
 *     reply, journal ────────── send immediately ──▶ update, with the message
 *     page ──▶ receive: inputs, freed events, returned packets
 *
 * The newest snapshot is sent when there is a buffer for it. A page that is behind keeps the buffers. In the meantime,
 * the mailbox in this thread's memory keeps the newest snapshot and replaces older ones, as in shared memory.
 */
import {
  CONTROL,
  LAYOUT_VERSION,
  SLOT_HEADER_LENGTH,
  type BufferViews,
} from '../../shared/memory/layout.js';
import { MailboxReader } from '../../shared/memory/mailbox.js';
import {
  RingSender,
  appendWords,
  takenRecords,
  PacketWriter,
  WORKER_WORDS,
  packetBytesOf,
} from '../../shared/protocol/transfer.js';
import { eventQueueOf, inputQueueOf } from '../../shared/memory/buffer.js';
import type { QueueViews } from '../../shared/memory/record-queue.js';
import { createBuffer } from '../../shared/memory/create-buffer.js';
import type { WorkerMessage } from '../../shared/protocol/control-protocol.js';
import { shapeOf, wrongFields } from '../../shared/protocol/message-shape.js';
import { SnapshotFormatError, thrownError } from '../../shared/util/errors.js';
import { StatusReader } from '../../shared/memory/snapshot-reader.js';
import type { PageUpdate, WorkerMemory } from '../../shared/protocol/transport.js';

/** The page holds at most as many as a mailbox has slots, and as many are in transit. */
const MAX_PACKETS = 6;

type WorkerMirrorPost = (message: WorkerMessage, transfer: Transferable[]) => void;

const UPDATE = shapeOf('inputs:Int32Array|Undefined eventHead:Number packets:Array');

/**
 * Creates this thread's memory, and what keeps it and the page's equal.
 *
 * @throws SnapshotFormatError if the page is from another release of this library.
 */
export function openMirror(
  memory: WorkerMemory & { readonly transport: 'transfer' },
  post: WorkerMirrorPost,
): { readonly views: BufferViews; readonly mirror: WorkerMirror } {
  if (memory.version !== LAYOUT_VERSION) {
    throw new SnapshotFormatError(
      `the page has layout version ${memory.version}, and this worker version ${LAYOUT_VERSION}: ` +
        'load the page and the worker from the same release',
    );
  }
  const views = createBuffer(
    memory.capacity,
    memory.stateCapacity,
    (byteLength) => new ArrayBuffer(byteLength),
    memory,
    memory.hasVelocities,
    memory.valueCount,
  );
  return { views, mirror: new WorkerMirror(views, post) };
}

export class WorkerMirror {
  readonly #views: BufferViews;
  readonly #post: WorkerMirrorPost;
  readonly #snapshots: MailboxReader;
  readonly #status: StatusReader;
  readonly #writer: PacketWriter;
  readonly #inputs: QueueViews;
  readonly #events: RingSender;
  readonly #packetBytes: number;
  readonly #free: ArrayBuffer[] = [];
  #made = 0;
  #isScheduled = false;
  /** A snapshot waits for a packet. */
  #isHeldBack = false;

  constructor(views: BufferViews, post: WorkerMirrorPost) {
    this.#views = views;
    this.#post = post;
    this.#snapshots = new MailboxReader(views.control, CONTROL.mailbox);
    this.#status = new StatusReader(views);
    this.#writer = new PacketWriter(views);
    this.#inputs = inputQueueOf(views);
    this.#events = new RingSender(eventQueueOf(views));
    this.#packetBytes = packetBytesOf(views.layout);
  }

  /** Must be called after a write. At the end of this task, everything written in it is sent together. */
  touch(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      if (this.#isScheduled) this.send();
    });
  }

  /**
   * Sends an update now: before a step that may never end, and with a message that refers to the page's memory. If the
   * message followed by itself, a worker that ends in between would leave an input that counts as taken and is in no journal.
   *
   * @param mustShow Include the newest snapshot, even if that takes another buffer.
   */
  send(mustShow = false, message?: WorkerMessage, transferred: readonly Transferable[] = []): void {
    this.#isScheduled = false;
    const packet = this.#takeSnapshot(mustShow);
    this.#post(
      {
        type: 'betwixt:update',
        words: WORKER_WORDS.map((index) => Atomics.load(this.#views.control, index)),
        status: this.#status.read().slice(0, SLOT_HEADER_LENGTH),
        statistics: this.#views.statistics.slice(),
        takenInputs: takenRecords(this.#inputs),
        events: this.#events.take(),
        packet,
        message,
      },
      packet === undefined ? [...transferred] : [packet, ...transferred],
    );
  }

  /** Stores the page's writes, or reports that they are invalid. */
  receive(update: PageUpdate): void {
    const wrong = wrongInUpdate(update);
    if (wrong !== undefined) {
      const error = thrownError(`the page posted an invalid message: betwixt:page: ${wrong}`);
      this.#post({ type: 'betwixt:failure', stage: 'protocol', tick: 0, ...error }, []);
      return;
    }
    const { inputs, eventHead, packets } = update;
    if (inputs !== undefined) appendWords(this.#inputs, inputs);
    this.#events.acknowledge(eventHead, []);
    for (const packet of packets) {
      if (packet.byteLength !== this.#packetBytes) continue;
      if (this.#made > MAX_PACKETS) this.#made -= 1;
      else this.#free.push(packet);
    }
    if (this.#isHeldBack && this.#free.length > 0) this.touch();
  }

  #takeSnapshot(mustShow: boolean): ArrayBuffer | undefined {
    const packet = this.#free.pop() ?? this.#makePacket(mustShow);
    this.#isHeldBack = packet === undefined;
    if (packet === undefined) return undefined;
    if (!this.#snapshots.fetch()) {
      this.#free.push(packet);
      return undefined;
    }
    const { slot } = this.#snapshots;
    const header = this.#views.slots[slot]?.header;
    if (header === undefined) throw new Error(`mailbox gave slot ${slot}, and there is none`);
    this.#writer.write(packet, slot, header);
    return packet;
  }

  #makePacket(mustShow: boolean): ArrayBuffer | undefined {
    if (this.#made >= MAX_PACKETS && !mustShow) return undefined;
    this.#made += 1;
    return new ArrayBuffer(this.#packetBytes);
  }
}

function wrongInUpdate(update: PageUpdate): string | undefined {
  const wrong = wrongFields(update, UPDATE);
  if (wrong !== undefined) return wrong;
  return update.packets.every((packet) => packet instanceof ArrayBuffer)
    ? undefined
    : 'an invalid packet';
}
