/**
 * The page's half of `transfer`: stores what the worker has written, and tells it what this page has.
 *
 * A packet is not copied: its slot becomes one of the mailbox's three, and the packet whose place it takes goes back
 * to the worker.
 *
 *     update ──▶ packet A in slot 0 ─ publish ─ … ─ packet D in slot 0 ─ publish
 *                                                   └▶ A goes back
 */
import { CONTROL, type BufferViews, type SlotViews } from '../../shared/memory/layout.js';
import { MailboxWriter } from '../../shared/memory/mailbox.js';
import { RingSender, appendWords } from '../../shared/protocol/queue-mirror.js';
import { eventQueueOf, inputQueueOf } from '../../shared/memory/buffer.js';
import type { QueueViews } from '../../shared/memory/record-queue.js';
import { packetBytesOf, slotOfPacket, statisticsOf } from '../../shared/protocol/slot-packet.js';
import {
  WORKER_WORDS,
  type PageUpdate,
  type WorkerUpdate,
} from '../../shared/protocol/transport.js';
import type { WorkerLike } from '../api/create-worker.js';

/** What is used of the port. */
type PortLike = Pick<WorkerLike, 'postMessage'>;

export class PageMirror {
  /** As the worker's: everything on the page reads these. */
  readonly views: BufferViews;
  readonly #port: PortLike;
  readonly #slots: SlotViews[];
  readonly #snapshots: MailboxWriter;
  readonly #statuses: MailboxWriter;
  readonly #statistics: Int32Array;
  readonly #onEvents: () => void;
  readonly #inputs: RingSender;
  readonly #events: QueueViews;
  /** The packet whose slot stands at each place of the mailbox. */
  readonly #packets: (ArrayBuffer | undefined)[] = [];
  #returned: ArrayBuffer[] = [];
  #sentEventHead = 0;
  #isScheduled = false;

  /**
   * @param views Memory of the page's own.
   * @param onEvents Called when events have arrived that the page asked to be told of.
   */
  constructor(views: BufferViews, port: PortLike, onEvents: () => void) {
    this.#onEvents = onEvents;
    this.#slots = [...views.slots];
    this.views = { ...views, slots: this.#slots };
    this.#port = port;
    this.#snapshots = new MailboxWriter(views.control, CONTROL.mailbox);
    this.#statuses = new MailboxWriter(views.control, CONTROL.statusMailbox);
    const { layout } = views;
    this.#statistics = statisticsOf(views.control.buffer, layout, layout.statisticsOffset);
    this.#inputs = new RingSender(inputQueueOf(views));
    this.#events = eventQueueOf(views);
  }

  /** Something was written: the worker is told when this task ends. */
  touch(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  /** Stores what the worker has written. @throws RangeError if that has no place here. */
  receive({ words, status, statistics, takenInputs, events, packet }: WorkerUpdate): void {
    const { control, layout } = this.views;
    if (packet !== undefined) {
      // The views of a larger one would fit.
      if (packet.byteLength !== packetBytesOf(layout)) throw new RangeError('a packet of no size');
      this.#statistics.set(statisticsOf(packet, layout, layout.slotBytes));
      this.#show(packet);
    }
    // Newer than a packet that had to wait.
    this.views.statistics.set(statistics);
    this.views.statuses[this.#statuses.slot]?.set(status);
    this.#statuses.publish();
    WORKER_WORDS.forEach((place, index) => {
      const word = words[index] ?? 0;
      if (place === CONTROL.inputHead) this.#inputs.acknowledge(word, takenInputs);
      else Atomics.store(control, place, word);
    });
    if (events !== undefined) {
      appendWords(this.#events, events);
      if (Atomics.exchange(control, CONTROL.eventWakeRequested, 0) === 1) this.#onEvents();
    }
    this.touch();
  }

  #show(packet: ArrayBuffer): void {
    const { slot } = this.#snapshots;
    const before = this.#packets[slot];
    if (before !== undefined) this.#returned.push(before);
    this.#packets[slot] = packet;
    this.#slots[slot] = slotOfPacket(packet, this.views.layout);
    this.#snapshots.publish();
  }

  #send(): void {
    const inputs = this.#inputs.take();
    const eventHead = Atomics.load(this.views.control, CONTROL.eventHead);
    const packets = this.#returned;
    if (inputs === undefined && packets.length === 0 && eventHead === this.#sentEventHead) return;
    this.#returned = [];
    this.#sentEventHead = eventHead;
    const update: PageUpdate = { type: 'betwixt:page', inputs, eventHead, packets };
    this.#port.postMessage(update, [...packets]);
  }
}
