/**
 * The memory layout that the page and the worker share: the only place where offsets are spelled.
 *
 * This file imports nothing. Everything else asks it for views. One SharedArrayBuffer holds:
 *
 *     byte 0            control words      128 × Int32    see CONTROL
 *     byte 512          clock reply        1 × Float64    worker's answer to a clock ping
 *     byte 576          statistics         STATISTICS_SCALARS × Int32, then the histograms
 *     statusOffset      status 0 │ 1 │ 2   3 × SLOT_HEADER_LENGTH × Float64: a slot's header alone
 *     slotsOffset       slot 0 │ slot 1 │ slot 2          see SLOT_HEADER and STATE_HEADER
 *     inputsOffset      queue of inputs    inputWords × Int32: a ring of records, see record-queue.ts
 *     eventsOffset      queue of events    eventWords × Int32: another
 *
 * A slot is complete in itself:
 *
 *     header            SLOT_HEADER_LENGTH × Float64
 *     state headers     stateCapacity × STATE_HEADER_LENGTH × Float64
 *     state 0           capacity × BODY_LANES × 32 bit    x y z meta  qx qy qz qw
 *     state 1 …         the same, `stateCapacity` of them in all
 *
 * Regions that different threads write begin at multiples of 64 bytes, a cache line; others at multiples of 8. A version
 * number stands in the buffer; a reader refuses any other.
 */

/** First word of every buffer: "btwx" in ASCII, little endian. */
export const MAGIC = 0x78777462;

/** Changed whenever anything in this file changes meaning. */
export const LAYOUT_VERSION = 2;

/**
 * Control words: indices into the Int32Array at byte 0.
 *
 * | word | written by | meaning |
 * |---|---|---|
 * | magic, version, capacity, stateCapacity, inputWords, eventWords, byteLength | creator, once | what this buffer is |
 * | doorbell | page (add) | rung to end the worker's sleep; also the number of control messages sent |
 * | stopRequest | page | 1: leave the loop |
 * | phase | worker | see WORKER_PHASE |
 * | heartbeat | worker (add) | passes and ticks of the loop, so that a hang can be seen |
 * | activity | worker | see WORKER_ACTIVITY |
 * | clockRequest | page | sequence number of a clock ping |
 * | clockReply | worker | sequence number of the answered ping |
 * | clockSession | both | 0 closed, 1 the worker is answering pings, 2 the page is done |
 * | eventWakeRequested | both (exchange) | 1: the page asks to be told by a message when the next event is there |
 * | mailbox | both (exchange) | index of the middle slot, and whether it is fresh |
 * | statusMailbox | both (exchange) | the same for the status records |
 * | inputTail, inputRefused; eventHead | page | its ends of the queues, see record-queue.ts |
 * | inputHead; eventTail, eventRefused | worker | its ends of the queues |
 */
export const CONTROL = {
  magic: 0,
  version: 1,
  capacity: 2,
  stateCapacity: 3,
  byteLength: 4,
  inputWords: 5,
  eventWords: 6,
  doorbell: 16,
  stopRequest: 17,
  phase: 18,
  heartbeat: 19,
  activity: 20,
  clockRequest: 32,
  clockReply: 33,
  clockSession: 34,
  eventWakeRequested: 35,
  mailbox: 48,
  statusMailbox: 49,
  inputTail: 64,
  inputRefused: 65,
  inputHead: 80,
  eventTail: 96,
  eventRefused: 97,
  eventHead: 112,
} as const;

/** Length of the control region in Int32 words (eight cache lines of 64 bytes). */
export const CONTROL_LENGTH = 128;

/** Sizes of the queues in 32-bit words: powers of two. */
export interface QueueSizes {
  readonly inputWords: number;
  readonly eventWords: number;
}

/** 64 KiB of inputs, about a thousand; 256 KiB of events, about five thousand. */
export const DEFAULT_QUEUES: QueueSizes = { inputWords: 1 << 14, eventWords: 1 << 16 };
export const MIN_QUEUE_WORDS = 1 << 6;
export const MAX_QUEUE_WORDS = 1 << 22;

/** Types of the records in the queue of inputs. */
export const INPUT_RECORD = { input: 1, command: 2 } as const;

/** Values of the `phase` control word. */
export const WORKER_PHASE = {
  starting: 0,
  running: 1,
  paused: 2,
  stopped: 3,
  failed: 4,
} as const;

/** Values of the `activity` control word: only a busy worker can hang. */
export const WORKER_ACTIVITY = {
  /** Asleep until the next due time, or parked. */
  idle: 0,
  /** In a tick, or about to be. */
  ticking: 1,
  /** Giving its event loop turns: control calls and queries run. */
  answering: 2,
} as const;

/** Slots of the mailbox: one the writer's, one in the middle, one the reader's. */
export const SLOT_COUNT = 3;

/** Fewest and most states that a slot can hold: previous and current at least. */
export const MIN_STATES = 2;
export const MAX_STATES = 4;

/** Most bodies that a snapshot can hold: a body id keeps its slot in 20 bits. */
export const MAX_CAPACITY = 1 << 20;

/** 32-bit lanes of one body, and which is which. `meta` is an integer; see body-meta.ts. */
export const BODY_LANES = 8;
export const LANE = { x: 0, y: 1, z: 2, meta: 3, qx: 4, qy: 5, qz: 6, qw: 7 } as const;

/** Bytes of one body. */
export const BODY_BYTES = BODY_LANES * 4;

/**
 * Slot header: indices into its Float64Array.
 *
 * | field | unit | meaning |
 * |---|---|---|
 * | sequence | | publications so far, 1 for the first |
 * | epoch | | changes of the schedule so far: for tests and tools, the page does not read it |
 * | newestState | | ordinal of the newest state; state n stands at index n mod stateCapacity |
 * | stateCount | | how many of the newest states are valid |
 * | bodyLimit | | bodies above this index have never been used |
 * | bodyCount | | bodies alive |
 * | tickRateHz | Hz | ticks per second of simulated time |
 * | timeScale | | simulated seconds per second |
 * | shiftMs | ms | page time − virtual time, while running |
 * | pausedVirtualMs | ms | virtual time at which the schedule stands, NaN while running |
 * | originVirtualMs | ms | virtual time at which tick 0 was due |
 * | droppedMs | ms | time of the ticks dropped since tick 0 |
 * | newestTick | | number of the newest state's tick |
 * | newestSimulatedSeconds | s | simulated time of the newest state |
 * | journals | | journal messages that were posted before it: the page may not have all of them yet |
 *
 * The same record, without states, is also published by itself as the *status*: who only wants to know how
 * far the worker is reads that, and does not take the slot away from under a frame that is being drawn.
 */
export const SLOT_HEADER = {
  sequence: 0,
  epoch: 1,
  newestState: 2,
  stateCount: 3,
  bodyLimit: 4,
  bodyCount: 5,
  tickRateHz: 6,
  timeScale: 7,
  shiftMs: 8,
  pausedVirtualMs: 9,
  originVirtualMs: 10,
  droppedMs: 11,
  newestTick: 12,
  newestSimulatedSeconds: 13,
  journals: 14,
} as const;

/** Float64 words of a slot header: two cache lines, the rest is room. */
export const SLOT_HEADER_LENGTH = 16;

/**
 * State header: indices into the Float64 words of one state.
 *
 * | field | unit | meaning |
 * |---|---|---|
 * | ordinal | | states published so far; never goes back, unlike the tick of a restarted scene |
 * | tick | | tick number |
 * | virtualMs | ms | virtual time at which the tick was due |
 * | simulatedSeconds | s | simulated time after the tick |
 * | latenessMs | ms | publication minus due time, on the schedule of that moment |
 * | inputMs | ms | page time of the earliest input that this tick was given, or one before it whose state was not fetched; NaN: none |
 */
export const STATE_HEADER = {
  ordinal: 0,
  tick: 1,
  virtualMs: 2,
  simulatedSeconds: 3,
  latenessMs: 4,
  inputMs: 5,
} as const;

/** Float64 words of a state header: one cache line. */
export const STATE_HEADER_LENGTH = 8;

/**
 * Statistics: scalar counters, indices into the Int32Array at `statisticsOffset`. Written by the worker
 * alone, one aligned 32-bit word each, so a word never tears; the set is not one consistent moment.
 */
export const STATISTICS = {
  passes: 0,
  ticks: 1,
  droppedTicks: 2,
  gaps: 3,
  catchUpPasses: 4,
  invalidPoses: 5,
  publications: 6,
  overwrittenPublications: 7,
  savedStates: 8,
  slow: 9,
  gapMs: 10,
  watchdog: 11,
  inputs: 12,
  lateInputs: 13,
  timedCommands: 14,
  events: 15,
  lostEvents: 16,
} as const;

/** Int32 words of the scalar counters. */
export const STATISTICS_SCALARS = 32;

/**
 * Shape of the histograms in the statistics: units of 0.1 µs, 2^7 buckets an octave (0.8 % wide at
 * most), up to 2^31 units, which is 214 s.
 */
export const HISTOGRAM_SHAPE = { unitMs: 1e-4, precisionBits: 7, octaves: 24 } as const;

/** Buckets of a histogram of the given shape; see histogram.ts for the arithmetic. */
export function histogramLength(precisionBits: number, octaves: number): number {
  return (octaves + 1) * 2 ** precisionBits;
}

/** The histograms, in the order in which they follow the scalars. */
export const HISTOGRAM_NAMES = ['step', 'publish', 'lateness', 'inputLatency'] as const;
export type HistogramName = (typeof HISTOGRAM_NAMES)[number];

/** Byte offsets and sizes of a buffer for `capacity` bodies and `stateCapacity` states a slot. */
export interface BufferLayout extends QueueSizes {
  readonly capacity: number;
  readonly stateCapacity: number;
  readonly clockOffset: number;
  readonly statisticsOffset: number;
  readonly histogramOffset: (name: HistogramName) => number;
  readonly statusOffset: number;
  readonly slotsOffset: number;
  readonly slotBytes: number;
  readonly stateHeadersOffset: number;
  readonly statesOffset: number;
  readonly stateBytes: number;
  readonly inputsOffset: number;
  readonly eventsOffset: number;
  readonly byteLength: number;
}

const CACHE_LINE = 64;
const alignUp = (bytes: number): number => Math.ceil(bytes / CACHE_LINE) * CACHE_LINE;

/**
 * Computes the layout.
 *
 * @param capacity Bodies, a whole number from 1 to {@link MAX_CAPACITY}.
 * @param stateCapacity States a slot, from {@link MIN_STATES} to {@link MAX_STATES}.
 * @param queues Sizes of the queues.
 * @throws RangeError if one is out of range.
 */
export function layoutOf(
  capacity: number,
  stateCapacity: number,
  queues: QueueSizes = DEFAULT_QUEUES,
): BufferLayout {
  if (!Number.isInteger(capacity) || capacity < 1 || capacity > MAX_CAPACITY) {
    throw new RangeError(
      `capacity must be a whole number from 1 to ${MAX_CAPACITY}, and is ${capacity}`,
    );
  }
  if (
    !Number.isInteger(stateCapacity) ||
    stateCapacity < MIN_STATES ||
    stateCapacity > MAX_STATES
  ) {
    throw new RangeError(
      `history must be a whole number from ${MIN_STATES} to ${MAX_STATES}, and is ${stateCapacity}`,
    );
  }
  requireQueueWords('inputWords', queues.inputWords);
  requireQueueWords('eventWords', queues.eventWords);
  const clockOffset = CONTROL_LENGTH * 4;
  const statisticsOffset = clockOffset + CACHE_LINE;
  const histogramsOffset = statisticsOffset + STATISTICS_SCALARS * 4;
  const histogramBytes =
    histogramLength(HISTOGRAM_SHAPE.precisionBits, HISTOGRAM_SHAPE.octaves) * 4;
  const statusOffset = alignUp(histogramsOffset + HISTOGRAM_NAMES.length * histogramBytes);
  const slotsOffset = statusOffset + SLOT_COUNT * SLOT_HEADER_LENGTH * 8;
  const stateHeadersOffset = SLOT_HEADER_LENGTH * 8;
  const statesOffset = alignUp(stateHeadersOffset + stateCapacity * STATE_HEADER_LENGTH * 8);
  const stateBytes = alignUp(capacity * BODY_BYTES);
  const slotBytes = statesOffset + stateCapacity * stateBytes;
  const inputsOffset = slotsOffset + SLOT_COUNT * slotBytes;
  const eventsOffset = inputsOffset + queues.inputWords * 4;
  return {
    ...queues,
    capacity,
    stateCapacity,
    clockOffset,
    statisticsOffset,
    histogramOffset: (name) => histogramsOffset + HISTOGRAM_NAMES.indexOf(name) * histogramBytes,
    statusOffset,
    slotsOffset,
    slotBytes,
    stateHeadersOffset,
    statesOffset,
    stateBytes,
    inputsOffset,
    eventsOffset,
    byteLength: eventsOffset + queues.eventWords * 4,
  };
}

/** @throws RangeError if a queue cannot have this size. */
export function requireQueueWords(name: string, words: number): void {
  const isPowerOfTwo = Number.isInteger(words) && words > 0 && (words & (words - 1)) === 0;
  if (isPowerOfTwo && words >= MIN_QUEUE_WORDS && words <= MAX_QUEUE_WORDS) return;
  throw new RangeError(
    `${name} must be a power of two from ${MIN_QUEUE_WORDS} to ${MAX_QUEUE_WORDS}, and is ${words}`,
  );
}

/** Typed views of one slot. `poses[i]` and `metas[i]` see the same memory, as floats and as integers. */
export interface SlotViews {
  readonly header: Float64Array;
  readonly stateHeaders: readonly Float64Array[];
  readonly poses: readonly Float32Array[];
  readonly metas: readonly Int32Array[];
}

/** Typed views of a whole buffer. Made once: making views is garbage. */
export interface BufferViews {
  readonly layout: BufferLayout;
  readonly control: Int32Array;
  readonly clockReplyMs: Float64Array;
  readonly statistics: Int32Array;
  readonly histograms: Readonly<Record<HistogramName, Int32Array>>;
  readonly slots: readonly SlotViews[];
  /** Status records: each as a slot's header. */
  readonly statuses: readonly Float64Array[];
  /** Rings of the two queues. */
  readonly inputs: Int32Array;
  readonly events: Int32Array;
}

/** Creates views over one slot, which begins at a byte of the buffer. */
export function slotViewsOf(
  buffer: ArrayBufferLike,
  layout: BufferLayout,
  byteOffset: number,
): SlotViews {
  const states = Array.from({ length: layout.stateCapacity }, (_, index) => index);
  const headerAt = (index: number): number =>
    byteOffset + layout.stateHeadersOffset + index * STATE_HEADER_LENGTH * 8;
  const stateAt = (index: number): number =>
    byteOffset + layout.statesOffset + index * layout.stateBytes;
  const lanes = layout.capacity * BODY_LANES;
  return {
    header: new Float64Array(buffer, byteOffset, SLOT_HEADER_LENGTH),
    stateHeaders: states.map(
      (index) => new Float64Array(buffer, headerAt(index), STATE_HEADER_LENGTH),
    ),
    poses: states.map((index) => new Float32Array(buffer, stateAt(index), lanes)),
    metas: states.map((index) => new Int32Array(buffer, stateAt(index), lanes)),
  };
}

/**
 * Creates views over a buffer. Works on an ArrayBuffer too, which is how a single-threaded test or
 * a transport without shared memory uses the same code.
 */
export function viewsOf(buffer: ArrayBufferLike, layout: BufferLayout): BufferViews {
  const buckets = histogramLength(HISTOGRAM_SHAPE.precisionBits, HISTOGRAM_SHAPE.octaves);
  const histogram = (name: HistogramName): Int32Array =>
    new Int32Array(buffer, layout.histogramOffset(name), buckets);
  const slots = Array.from({ length: SLOT_COUNT }, (_, slot) =>
    slotViewsOf(buffer, layout, layout.slotsOffset + slot * layout.slotBytes),
  );
  return {
    layout,
    control: new Int32Array(buffer, 0, CONTROL_LENGTH),
    clockReplyMs: new Float64Array(buffer, layout.clockOffset, 1),
    statistics: new Int32Array(buffer, layout.statisticsOffset, STATISTICS_SCALARS),
    histograms: {
      step: histogram('step'),
      publish: histogram('publish'),
      lateness: histogram('lateness'),
      inputLatency: histogram('inputLatency'),
    },
    slots,
    inputs: new Int32Array(buffer, layout.inputsOffset, layout.inputWords),
    events: new Int32Array(buffer, layout.eventsOffset, layout.eventWords),
    statuses: slots.map(
      (_, index) =>
        new Float64Array(
          buffer,
          layout.statusOffset + index * SLOT_HEADER_LENGTH * 8,
          SLOT_HEADER_LENGTH,
        ),
    ),
  };
}
