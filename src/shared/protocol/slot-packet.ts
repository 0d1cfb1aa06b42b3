/**
 * One snapshot in a transferable buffer: a slot of the layout, unchanged, followed by the statistics. Bodies of the
 * slot that were never used are not copied.
 *
 *     byte 0            the slot                  slotBytes
 *     byte slotBytes    counters and histograms   statusOffset − statisticsOffset
 */
import {
  BODY_LANES,
  CONTROL,
  SLOT_HEADER,
  type BufferLayout,
  type BufferViews,
} from '../memory/layout.js';

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
