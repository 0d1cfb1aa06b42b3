/** Fetches what the worker published: the page's half of the snapshot protocol. */
import { CONTROL, type BufferViews, type SlotViews } from './layout.js';
import { MailboxReader } from './mailbox.js';

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

  constructor(views: BufferViews) {
    this.#views = views;
    this.#mailbox = new MailboxReader(views.control, CONTROL.statusMailbox);
  }

  /** The newest status: see SLOT_HEADER. It stays as it is until the next call. */
  read(): Float64Array {
    this.#mailbox.fetch();
    const status = this.#views.statuses[this.#mailbox.slot];
    if (status === undefined)
      throw new Error(`mailbox gave slot ${this.#mailbox.slot}, and there is none`);
    return status;
  }
}
