/** Fetches what the worker published: the page's half of the snapshot protocol. */
import {
  CONTROL,
  SLOT_HEADER,
  SLOT_HEADER_LENGTH,
  STATE_HEADER,
  type BufferViews,
  type SlotViews,
} from './layout.js';
import { MailboxReader } from './mailbox.js';

export class SnapshotReader {
  readonly control: Int32Array;
  readonly #views: BufferViews;
  readonly #mailbox: MailboxReader;

  constructor(views: BufferViews) {
    this.control = views.control;
    this.#views = views;
    this.#mailbox = new MailboxReader(views.control, CONTROL.mailbox);
  }

  /** Takes the newest snapshot if there is a new one. Returns whether there was. */
  fetch(): boolean {
    return this.#mailbox.fetch();
  }

  /** Whether the slot to draw is not a snapshot that a worker has written. */
  get isBroken(): boolean {
    return this.#mailbox.isBroken || !isSnapshot(this.slot, this.#views);
  }

  /** The slot being read: it does not change until the next {@link fetch}. All zeros before the first. */
  get slot(): SlotViews {
    const slot = this.#views.slots[this.#mailbox.slot];
    if (slot === undefined)
      throw new Error(`mailbox gave slot ${this.#mailbox.slot}, and there is none`);
    return slot;
  }
}

/** Fetches the newest status: the worker's progress, without the states and independently of frames. */
export class StatusReader {
  readonly #views: BufferViews;
  readonly #mailbox: MailboxReader;
  /** The last valid status. */
  readonly #status = new Float64Array(SLOT_HEADER_LENGTH);
  #isBroken = false;

  constructor(views: BufferViews) {
    this.#views = views;
    this.#mailbox = new MailboxReader(views.control, CONTROL.statusMailbox);
  }

  /** Whether an invalid status was found. The last valid one is kept. */
  get isBroken(): boolean {
    return this.#isBroken || this.#mailbox.isBroken;
  }

  /** The newest status: see SLOT_HEADER. It does not change until the next call. */
  read(): Float64Array {
    const status = this.#mailbox.fetch() ? this.#views.statuses[this.#mailbox.slot] : undefined;
    if (status !== undefined && isHeader(status, this.#views)) this.#status.set(status);
    else if (status !== undefined) this.#isBroken = true;
    return this.#status;
  }
}

/**
 * Whether a snapshot's header, or a status, is one that a worker writes: nothing in it causes an endless loop or an
 * infinite time.
 */
function isHeader(header: Float64Array, { layout }: BufferViews): boolean {
  const count = header[SLOT_HEADER.stateCount] as number;
  const newest = header[SLOT_HEADER.newestState] as number;
  const tick = header[SLOT_HEADER.newestTick] as number;
  const rateHz =
    (header[SLOT_HEADER.tickRateHz] as number) * (header[SLOT_HEADER.timeScale] as number);
  // NaN while running.
  const timesMs =
    (header[SLOT_HEADER.shiftMs] as number) +
    ((header[SLOT_HEADER.pausedVirtualMs] as number) || 0);
  return (
    Number.isSafeInteger(tick) &&
    tick >= 0 &&
    // Nothing has been published: the rest is not used.
    (count === 0 ||
      (Number.isInteger(count) &&
        count > 0 &&
        count <= layout.stateCapacity &&
        Number.isSafeInteger(newest) &&
        newest >= count - 1 &&
        rateHz > 0 &&
        Number.isFinite(rateHz + timesMs)))
  );
}

/** Whether a snapshot is valid: it has the states that its header names, which are drawn. */
function isSnapshot({ header, stateHeaders }: SlotViews, views: BufferViews): boolean {
  if (!isHeader(header, views)) return false;
  const newest = header[SLOT_HEADER.newestState] as number;
  for (let age = 0; age < (header[SLOT_HEADER.stateCount] as number); age++) {
    const state = stateHeaders[(newest - age) % stateHeaders.length] as Float64Array;
    const isState =
      state[STATE_HEADER.ordinal] === newest - age &&
      Number.isFinite(
        (state[STATE_HEADER.virtualMs] as number) + (state[STATE_HEADER.latenessMs] as number),
      );
    if (!isState) return false;
  }
  return true;
}
