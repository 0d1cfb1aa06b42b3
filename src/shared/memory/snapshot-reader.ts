/** Fetches what the worker published: the page's half of the snapshot protocol. */
import { CONTROL, SLOT_HEADER_LENGTH, type BufferViews, type SlotViews } from './layout.js';
import { MailboxReader } from './mailbox.js';
import { isHeader, isSnapshot } from './memory-check.js';

export class SnapshotReader {
  readonly #views: BufferViews;
  readonly #mailbox: MailboxReader;

  constructor(views: BufferViews) {
    this.#views = views;
    this.#mailbox = new MailboxReader(views.control, CONTROL.mailbox);
  }

  /** Takes the newest snapshot if there is a new one. Returns whether there was. */
  fetch(): boolean {
    return this.#mailbox.fetch();
  }

  /** Whether what is to be drawn is no snapshot that a worker has written. */
  get isBroken(): boolean {
    return this.#mailbox.isBroken || !isSnapshot(this.slot, this.#views);
  }

  /** The slot being read: it stays as it is until the next {@link fetch}. All zeros before the first. */
  get slot(): SlotViews {
    const slot = this.#views.slots[this.#mailbox.slot];
    if (slot === undefined)
      throw new Error(`mailbox gave slot ${this.#mailbox.slot}, and there is none`);
    return slot;
  }
}

/** Fetches the newest status: how far the worker is, without the states and apart from any frame. */
export class StatusReader {
  readonly #views: BufferViews;
  readonly #mailbox: MailboxReader;
  /** What was read last that can be. */
  readonly #status = new Float64Array(SLOT_HEADER_LENGTH);
  #isBroken = false;

  constructor(views: BufferViews) {
    this.#views = views;
    this.#mailbox = new MailboxReader(views.control, CONTROL.statusMailbox);
  }

  /** Whether one was found that no worker writes. The one before it stays. */
  get isBroken(): boolean {
    return this.#isBroken || this.#mailbox.isBroken;
  }

  /** The newest status: see SLOT_HEADER. It stays as it is until the next call. */
  read(): Float64Array {
    const status = this.#mailbox.fetch() ? this.#views.statuses[this.#mailbox.slot] : undefined;
    if (status !== undefined && isHeader(status, this.#views)) this.#status.set(status);
    else if (status !== undefined) this.#isBroken = true;
    return this.#status;
  }
}
