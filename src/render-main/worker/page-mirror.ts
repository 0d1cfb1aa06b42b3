/**
 * The page's half of `transfer`: stores what the worker has written, and sends it what the page has written.
 *
 * Packets are not copied: a packet's slot becomes one of the mailbox's three, and the packet that it replaces is
 * returned to the worker.
 *
 *     update ──▶ packet A in slot 0 ─ publish ─ … ─ packet D in slot 0 ─ publish
 *                                                   └▶ A is returned
 */
import {
  CONTROL,
  slotViewsOf,
  type BufferViews,
  type SlotViews,
} from '../../shared/memory/layout.js';
import { MailboxWriter } from '../../shared/memory/mailbox.js';
import {
  RingSender,
  appendWords,
  WORKER_WORDS,
  packetBytesOf,
  statisticsOf,
} from '../../shared/protocol/transfer.js';
import { eventQueueOf, inputQueueOf } from '../../shared/memory/buffer.js';
import type { QueueViews } from '../../shared/memory/record-queue.js';
import type { PageUpdate, WorkerUpdate } from '../../shared/protocol/transport.js';
import type { WorkerLike } from '../api/create-worker.js';

/** The part of the port that is used. */
type PortLike = Pick<WorkerLike, 'postMessage'>;

export class PageMirror {
  /** Views like the worker's; everything on the page reads these. */
  readonly views: BufferViews;
  readonly #port: PortLike;
  readonly #slots: SlotViews[];
  readonly #snapshots: MailboxWriter;
  readonly #statuses: MailboxWriter;
  readonly #statistics: Int32Array;
  readonly #onEvents: () => void;
  readonly #inputs: RingSender;
  readonly #events: QueueViews;
  /** The packet behind each slot of the mailbox. */
  readonly #packets: (ArrayBuffer | undefined)[] = [];
  #returned: ArrayBuffer[] = [];
  #sentEventHead = 0;
  #isScheduled = false;

  /**
   * @param views The page's own memory.
   * @param onEvents Called when events that the page requested have arrived.
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

  /** The page has written something: sends it to the worker when this task ends. */
  touch(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.send();
    });
  }

  /** Stores what the worker has written. @throws RangeError if it does not fit. */
  receive({ words, status, statistics, takenInputs, events, packet }: WorkerUpdate): void {
    const { control, layout } = this.views;
    if (packet !== undefined) {
      // The views would also fit a larger packet.
      if (packet.byteLength !== packetBytesOf(layout)) throw new RangeError('a packet of no size');
      this.#statistics.set(statisticsOf(packet, layout, layout.slotBytes));
      this.#show(packet);
    }
    // Newer than the statistics of a packet that had to wait.
    this.views.statistics.set(statistics);
    this.views.statuses[this.#statuses.slot]?.set(status);
    this.#statuses.publish();
    WORKER_WORDS.forEach((index, nth) => {
      const word = words[nth] ?? 0;
      if (index === CONTROL.inputHead) this.#inputs.acknowledge(word, takenInputs);
      else Atomics.store(control, index, word);
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
    this.#slots[slot] = slotViewsOf(packet, this.views.layout, 0);
    this.#snapshots.publish();
  }

  /** Sends the worker what the page has written since the last update. */
  send(): void {
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
