/**
 * Fills slots of the mailbox and publishes them: the worker's half of the snapshot protocol.
 *
 * Every slot is complete in itself: it contains the newest state and those before it. The writer gets back a slot that
 * it filled two or three publications ago, so most of the older states are already in its ring. Only
 * the missing ones are copied: from the slot published last (which the writer may read, mailbox.ts I3) and, for the
 * newest state, from the bodies themselves.
 *
 * Bodies are grouped into blocks, and each block stores the last state in which one of its bodies changed. A block that
 * has not changed since the slot's stale content is skipped: a sleeping heap costs a few comparisons, whatever its
 * size. If few bodies changed in many blocks, they are copied individually. The simulation's own values are one block, which
 * is compared with the state before.
 *
 *     state ordinal      n−4   n−3   n−2   n−1    n
 *     slot a (published 2 ago)  [n−5 … n−2]           missing: n−1, n
 *     slot b (published last)         [n−4 … n−1]     provides n−1
 *     bodies                                     n    provide n
 */
import {
  BODY_LANES,
  CONTROL,
  SLOT_COUNT,
  SLOT_HEADER,
  STATE_HEADER,
  STATISTICS,
  type BufferViews,
  type SlotViews,
} from '../../shared/memory/layout.js';
import { MailboxWriter } from '../../shared/memory/mailbox.js';
import type { RecentChanges } from './body-changes.js';
import { StateValues } from './state-values.js';
import type { Schedule } from '../../shared/time/schedule.js';

/** Least number of bodies per block; there are at most 64 blocks, so that checking them stays cheap. */
const MIN_BLOCK_BODIES = 64;
const MAX_BLOCKS = 64;

/** Cost of copying a body individually, relative to copying it as part of a block. Measured: 4 ns and 1 ns. */
const SINGLE_COST = 4;

/** Bodies per block for a capacity: a power of two. */
export function blockBodiesOf(capacity: number): number {
  let bodies = MIN_BLOCK_BODIES;
  while (bodies * MAX_BLOCKS < capacity) bodies *= 2;
  return bodies;
}

/** The current bodies, from which the next state is made. */
export interface PoseSource {
  /** Capacity × BODY_LANES integers: the lanes, bit for bit. */
  readonly lanes: Int32Array;
  /** As many lanes of velocities. Undefined: there are none. */
  readonly velocities?: Float32Array | undefined;
  /** Per block of {@link blockBodiesOf} bodies: ordinal of the last state in which it changed, −1: never. */
  readonly changedAt: Float64Array;
  /** Bodies that changed recently; left out if unknown. */
  readonly recent?: RecentChanges;
  /** Slots from this index on have never been used. */
  readonly bodyLimit: number;
  readonly bodyCount: number;
}

/** The lanes of all bodies in one state, whole and as blocks, and the values. */
interface StateContents {
  readonly poses: Int32Array;
  /** Undefined: there are none, and no blocks. */
  readonly velocities: Int32Array | undefined;
  readonly poseBlocks: readonly Int32Array[];
  readonly velocityBlocks: readonly Int32Array[];
  readonly values: Int32Array;
}

/** The exponent of a 32-bit float that is NaN or infinite. */
const NOT_FINITE = 0x7f800000;

/** The metadata of a state. */
export interface StateStamp {
  readonly tick: number;
  /** Virtual time at which the tick was due, in ms. Never less than in the previous state. */
  readonly virtualMs: number;
  /** Simulated time after the tick, in s. */
  readonly simulatedSeconds: number;
  /** Publication minus due time, in ms. */
  readonly latenessMs: number;
  /**
   * Number of journal messages sent: they contain all that determines the ticks up to this one. Default 0: no journal.
   */
  readonly journals?: number;
  /** Page time of the tick's earliest input, in ms; NaN or left out if there is none. */
  readonly inputMs?: number;
}

export class SnapshotWriter {
  readonly #views: BufferViews;
  readonly #mailbox: MailboxWriter;
  readonly #statusMailbox: MailboxWriter;
  readonly #source: PoseSource;
  readonly #values: StateValues;
  /** Ordinal of the last state whose values differ from those before; −1: they are zeros, as allocated. */
  #valuesChangedAt = -1;
  readonly #blockLanes: number;
  /** Ordinal of the state at each index of each slot's ring; −1: zeros, as allocated. */
  readonly #held: readonly Float64Array[];
  /** The contents of every state of every slot, and of the source: created once, never per tick. */
  readonly #states: readonly (readonly StateContents[])[];
  readonly #sourceContents: StateContents;
  #newest = -1;
  #stateCount = 0;
  #sequence = 0;
  #newestTick = 0;
  #newestSimulatedSeconds = 0;
  #journals = 0;

  /** @param values The simulation's own; as many as the layout has. */
  constructor(views: BufferViews, source: PoseSource, values = new StateValues()) {
    const { capacity, stateCapacity } = views.layout;
    this.#views = views;
    this.#source = source;
    this.#values = values;
    this.#mailbox = new MailboxWriter(views.control, CONTROL.mailbox);
    this.#statusMailbox = new MailboxWriter(views.control, CONTROL.statusMailbox);
    this.#blockLanes = blockBodiesOf(capacity) * BODY_LANES;
    this.#held = Array.from({ length: SLOT_COUNT }, () => new Float64Array(stateCapacity).fill(-1));
    this.#states = views.slots.map(({ metas, velocities, valueWords }) =>
      metas.map((lanes, index) =>
        this.#contentsIn(lanes, velocities[index], valueWords[index] as Int32Array),
      ),
    );
    this.#sourceContents = this.#contentsIn(source.lanes, source.velocities, values.words);
  }

  /** Ordinal of the next published state. Changes from now on must be marked with it. */
  get nextState(): number {
    return this.#newest + 1;
  }

  /**
   * Publishes a new state with the source's lanes.
   *
   * @param cut Discards the earlier states: nothing is interpolated between them and this one (a scene restarted).
   * @returns True if the previous snapshot was replaced before it was read. That is normal below the tick rate.
   */
  publishState(stamp: StateStamp, schedule: Schedule, cut = false): boolean {
    this.#newest += 1;
    const { stateCapacity } = this.#views.layout;
    this.#stateCount = cut ? 1 : Math.min(this.#stateCount + 1, stateCapacity);
    const slot = this.#mailbox.slot;
    const index = this.#newest % stateCapacity;
    const hasValues = this.#values.words.length > 0;
    const hasNewValues = hasValues && this.#noteValues();
    this.#copyState(slot, index, this.#newest, this.#sourceContents);
    if (hasNewValues) this.#holdInvalidValues(this.#states[slot]?.[index] as StateContents);
    const header = this.#views.slots[slot]?.stateHeaders[index] as Float64Array;
    header[STATE_HEADER.ordinal] = this.#newest;
    header[STATE_HEADER.tick] = stamp.tick;
    header[STATE_HEADER.virtualMs] = stamp.virtualMs;
    header[STATE_HEADER.simulatedSeconds] = stamp.simulatedSeconds;
    header[STATE_HEADER.latenessMs] = stamp.latenessMs;
    header[STATE_HEADER.inputMs] = stamp.inputMs ?? Number.NaN;
    this.#newestTick = stamp.tick;
    this.#newestSimulatedSeconds = stamp.simulatedSeconds;
    this.#journals = stamp.journals ?? 0;
    this.#copyHistory(slot, this.#newest - 1);
    const wasReplaced = this.#publish(slot, schedule);
    if (hasValues) this.#values.cuts.fill(0);
    return wasReplaced;
  }

  /** Publishes the existing states with a changed schedule: a pause, a resume, another rate. */
  publishSchedule(schedule: Schedule): boolean {
    const slot = this.#mailbox.slot;
    this.#copyHistory(slot, this.#newest);
    return this.#publish(slot, schedule);
  }

  #publish(slot: number, schedule: Schedule): boolean {
    this.#sequence += 1;
    const { header } = this.#views.slots[slot] as SlotViews;
    header[SLOT_HEADER.sequence] = this.#sequence;
    header[SLOT_HEADER.epoch] = schedule.epoch;
    header[SLOT_HEADER.newestState] = this.#newest;
    header[SLOT_HEADER.stateCount] = this.#stateCount;
    header[SLOT_HEADER.bodyLimit] = this.#source.bodyLimit;
    header[SLOT_HEADER.bodyCount] = this.#source.bodyCount;
    header[SLOT_HEADER.tickRateHz] = schedule.tickRateHz;
    header[SLOT_HEADER.timeScale] = schedule.timeScale;
    header[SLOT_HEADER.shiftMs] = schedule.shiftMs;
    header[SLOT_HEADER.pausedVirtualMs] = schedule.pausedVirtualMs;
    header[SLOT_HEADER.originVirtualMs] = schedule.originVirtualMs;
    header[SLOT_HEADER.droppedMs] = schedule.droppedMs;
    header[SLOT_HEADER.newestTick] = this.#newestTick;
    header[SLOT_HEADER.newestSimulatedSeconds] = this.#newestSimulatedSeconds;
    header[SLOT_HEADER.journals] = this.#journals;
    this.#views.statuses[this.#statusMailbox.slot]?.set(header);
    this.#statusMailbox.publish();
    return this.#mailbox.publish();
  }

  /** Brings the states of a slot up to date, from `last` back to the oldest valid one. */
  #copyHistory(slot: number, last: number): void {
    const from = this.#mailbox.publishedSlot;
    if (from < 0) return;
    const { stateCapacity } = this.#views.layout;
    const first = this.#newest - this.#stateCount + 1;
    for (let state = last; state >= first; state--) {
      const index = state % stateCapacity;
      if (this.#held[slot]?.[index] === state) continue;
      const { stateHeaders } = this.#views.slots[from] as SlotViews;
      this.#copyState(slot, index, state, this.#states[from]?.[index] as StateContents);
      this.#views.slots[slot]?.stateHeaders[index]?.set(stateHeaders[index] as Float64Array);
    }
  }

  /** Makes a state of a slot equal to `from`: the same state elsewhere. */
  #copyState(slot: number, index: number, state: number, from: StateContents): void {
    const held = this.#held[slot] as Float64Array;
    const to = this.#states[slot]?.[index] as StateContents;
    const stale = held[index] ?? -1;
    held[index] = state;
    if (this.#valuesChangedAt > stale) to.values.set(from.values);
    const { changedAt, bodyLimit, recent } = this.#source;
    const blockCount = Math.ceil((bodyLimit * BODY_LANES) / this.#blockLanes);
    let changedBlocks = 0;
    for (let block = 0; block < blockCount; block++) {
      if ((changedAt[block] ?? -1) > stale) changedBlocks += 1;
    }
    const changes = recent?.countBetween(stale, state) ?? Number.POSITIVE_INFINITY;
    if (changes * SINGLE_COST < (changedBlocks * this.#blockLanes) / BODY_LANES) {
      recent?.copyBetween(stale, state, from.poses, to.poses);
      if (to.velocities !== undefined && from.velocities !== undefined) {
        recent?.copyBetween(stale, state, from.velocities, to.velocities);
      }
      return;
    }
    for (let block = 0; block < blockCount; block++) {
      // Equal unless the block changed after the stale state. If it changed only after `state`, this copy is redundant.
      if ((changedAt[block] ?? -1) <= stale) continue;
      to.poseBlocks[block]?.set(from.poseBlocks[block] as Int32Array);
      to.velocityBlocks[block]?.set(from.velocityBlocks[block] as Int32Array);
    }
  }

  /** Whether the values of the next state differ from those published last. */
  #noteValues(): boolean {
    const before = this.#valuesBefore;
    if (before !== undefined && areEqual(this.#values.words, before)) return false;
    this.#valuesChangedAt = this.#newest;
    return true;
  }

  /** Values of the state before the newest one, as they were published last. Undefined: there is none. */
  get #valuesBefore(): Int32Array | undefined {
    const index = (this.#newest - 1) % this.#views.layout.stateCapacity;
    return this.#states[this.#mailbox.publishedSlot]?.[index]?.values;
  }

  /** Like a pose that cannot be drawn, such a value is not published, but the last one that could be. */
  #holdInvalidValues({ values }: StateContents): void {
    const { statistics, layout } = this.#views;
    const { valueCount } = layout;
    const before = this.#valuesBefore;
    for (let at = 0; at < valueCount; at++) {
      if (((values[at] as number) & NOT_FINITE) !== NOT_FINITE) continue;
      values[at] = before?.[at] ?? 0;
      statistics[STATISTICS.invalidValues] = (statistics[STATISTICS.invalidValues] ?? 0) + 1;
    }
  }

  #contentsIn(
    poses: Int32Array,
    floats: Float32Array | undefined,
    values: Int32Array,
  ): StateContents {
    const velocities = floats && new Int32Array(floats.buffer, floats.byteOffset, floats.length);
    const velocityBlocks = velocities === undefined ? [] : this.#split(velocities);
    return { poses, velocities, poseBlocks: this.#split(poses), velocityBlocks, values };
  }

  #split(lanes: Int32Array): Int32Array[] {
    const blocks: Int32Array[] = [];
    for (let start = 0; start < lanes.length; start += this.#blockLanes) {
      blocks.push(lanes.subarray(start, Math.min(start + this.#blockLanes, lanes.length)));
    }
    return blocks;
  }
}

/** Compares words of the same length. */
function areEqual(words: Int32Array, others: Int32Array): boolean {
  const { length } = words;
  for (let at = 0; at < length; at++) if (words[at] !== others[at]) return false;
  return true;
}
