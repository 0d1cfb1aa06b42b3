/**
 * Keeps the two buffers of the transport `transfer` equal, on both sides: rings of queues, and packets.
 *
 * A queue has a ring on the producer's side and one on the consumer's:
 *
 *     producer's ring ── words from the tail sent last to the tail ──▶ consumer's ring
 *     producer's head ◀── head, and which records behind it are taken ── consumer's head
 *
 * The producer sees an older head than the consumer's, never a newer one, so it never fills words that the consumer
 * still reads (Q3 of record-queue.ts). The words arrive before the tail that publishes them.
 *
 * A packet has one snapshot in a transferable buffer: a slot of the layout, unchanged, followed by the statistics.
 * Bodies of the slot that were never used are not copied.
 *
 *     byte 0            the slot                  slotBytes
 *     byte slotBytes    counters and histograms   statusOffset − statisticsOffset
 */
import { TAKEN, isTaken, lengthOf, type QueueViews } from '../memory/record-queue.js';
import {
  BODY_LANES,
  CONTROL,
  SLOT_HEADER,
  type BufferLayout,
  type BufferViews,
} from '../memory/layout.js';

/** The producer's side: sends the words that the other side does not have yet. */
export class RingSender {
  readonly #views: QueueViews;
  #sentTail: number;

  constructor(views: QueueViews) {
    this.#views = views;
    this.#sentTail = Atomics.load(views.control, views.tailIndex);
  }

  /** The words filled since the last call; undefined if there are none. */
  take(): Int32Array | undefined {
    const { control, tailIndex, data } = this.#views;
    const tail = Atomics.load(control, tailIndex);
    const from = this.#sentTail;
    if (tail === from) return undefined;
    this.#sentTail = tail;
    // Clamped: an invalid tail, sent as it is, would be invalid on the other side too.
    const words = new Int32Array(Math.min(data.length, Math.max(0, (tail - from) | 0)));
    for (let word = 0; word < words.length; word++) {
      words[word] = data[(from + word) & (data.length - 1)] as number;
    }
    return words;
  }

  /** Applies what the consumer has freed and taken. */
  acknowledge(head: number, taken: readonly number[]): void {
    const { control, headIndex, data } = this.#views;
    for (const at of taken) Atomics.or(data, at, TAKEN);
    Atomics.store(control, headIndex, head);
  }
}

/** The consumer's side: appends the words received. */
export function appendWords({ control, tailIndex, data }: QueueViews, words: Int32Array): void {
  const tail = Atomics.load(control, tailIndex);
  for (let word = 0; word < words.length; word++) {
    data[(tail + word) & (data.length - 1)] = words[word] as number;
  }
  Atomics.store(control, tailIndex, (tail + words.length) | 0);
}

/** Ring indices of records that the consumer has taken but not freed, because an earlier one still waits. */
export function takenRecords({ control, headIndex, tailIndex, data }: QueueViews): number[] {
  const mask = data.length - 1;
  const head = Atomics.load(control, headIndex);
  const filled = Math.min(data.length, (Atomics.load(control, tailIndex) - head) | 0);
  const taken: number[] = [];
  for (let passed = 0; passed < filled;) {
    const at = (head + passed) & mask;
    const header = data[at] as number;
    if (isTaken(header)) taken.push(at);
    passed += 1 + lengthOf(header);
  }
  return taken;
}

/** Control words that the worker writes, in the order in which they are sent. */
export const WORKER_WORDS: readonly number[] = [
  CONTROL.phase,
  CONTROL.heartbeat,
  CONTROL.activity,
  CONTROL.inputHead,
  CONTROL.eventRefused,
];

/** Bytes of a packet for buffers of this layout. */
export function packetBytesOf(layout: BufferLayout): number {
  return layout.slotBytes + layout.statusOffset - layout.statisticsOffset;
}

/** Fills packets from a buffer. Its views are created once. */
export class PacketWriter {
  readonly #layout: BufferLayout;
  readonly #slots: readonly Int32Array[];
  readonly #statistics: Int32Array;

  constructor(views: BufferViews) {
    const { layout, control } = views;
    this.#layout = layout;
    const { slotsOffset, slotBytes } = layout;
    this.#slots = views.slots.map(
      (_, slot) => new Int32Array(control.buffer, slotsOffset + slot * slotBytes, slotBytes / 4),
    );
    this.#statistics = statisticsOf(control.buffer, layout, layout.statisticsOffset);
  }

  write(packet: ArrayBuffer, slot: number, header: Float64Array): void {
    const { stateCapacity, statesOffset, stateBytes, posesBytes, slotBytes } = this.#layout;
    const from = this.#slots[slot];
    if (from === undefined) return;
    const to = new Int32Array(packet);
    const usedWords = (header[SLOT_HEADER.bodyLimit] ?? 0) * BODY_LANES;
    to.set(from.subarray(0, statesOffset / 4));
    // Poses, and velocities if there are any.
    const end = statesOffset + stateCapacity * stateBytes;
    for (let offset = statesOffset; offset < end; offset += posesBytes) {
      const start = offset / 4;
      to.set(from.subarray(start, start + usedWords), start);
    }
    to.set(this.#statistics, slotBytes / 4);
  }
}

/** The counters and histograms in a buffer of the layout, or after the slot in a packet. */
export function statisticsOf(
  buffer: ArrayBufferLike,
  layout: BufferLayout,
  byteOffset: number,
): Int32Array {
  return new Int32Array(buffer, byteOffset, (layout.statusOffset - layout.statisticsOffset) / 4);
}
