/**
 * The memory layout that the page and the worker share. Offsets and the indices of words are defined only here.
 *
 * This file imports nothing else, which keeps scripts small. All other code gets views from it. One SharedArrayBuffer
 * holds:
 *
 *     byte 0            control words      128 × Int32    see CONTROL
 *     byte 512          clock reply        1 × Float64    worker's answer to a clock ping
 *     byte 576          statistics         STATISTICS_SCALARS × Int32, then the histograms
 *     statusOffset      status 0 │ 1 │ 2   3 × SLOT_HEADER_LENGTH × Float64: a slot's header, without states
 *     slotsOffset       slot 0 │ slot 1 │ slot 2          see SLOT_HEADER and STATE_HEADER
 *     inputsOffset      queue of inputs    inputWords × Int32: a ring of records, see record-queue.ts
 *     eventsOffset      queue of events    eventWords × Int32: another ring of records
 *
 * A slot is self-contained:
 *
 *     header            SLOT_HEADER_LENGTH × Float64
 *     state headers     stateCapacity × STATE_HEADER_LENGTH × Float64
 *     values 0          valueCount × Float32, then a bit of each that jumps in this state, in words of 32
 *     values 1 …        the same, `stateCapacity` of them in all
 *     state 0           capacity × BODY_LANES × 32 bit    x y z meta  qx qy qz qw
 *     velocities 0      capacity × BODY_LANES × 32 bit    x y z –     wx wy wz –     only if requested
 *     state 1 …         the same, `stateCapacity` of them in all
 *
 * Regions written by different threads begin at multiples of 64 bytes, a cache line; others at multiples of 8. The
 * buffer contains a version number, and a reader refuses any other version.
 */

/** First word of every buffer: "btwx" in ASCII, little endian. */
export const MAGIC = 0x78777462;

/**
 * Raised whenever anything in this file, a record of a queue or a message changes meaning. If the lanes of a body do,
 * `STATE_VERSION` of recording/envelope.ts rises, too.
 */
export const LAYOUT_VERSION = 13;

/** Length of the control region in Int32 words (8 cache lines of 64 bytes). */
export const CONTROL_LENGTH = 128;

/**
 * Control words: indices into the Int32Array at byte 0, with the side that writes each. The two ends of a queue are on
 * different cache lines, because both change often.
 */
export const CONTROL = {
  // Written once, by the creator.
  /** {@link MAGIC}. */
  magic: 0,
  /** {@link LAYOUT_VERSION}. */
  version: 1,
  /** Bodies, states of a slot, and bytes of the buffer. */
  capacity: 2,
  stateCapacity: 3,
  byteLength: 4,
  /** Words of the two rings. */
  inputWords: 5,
  eventWords: 6,
  /** 1: states have velocities. */
  velocities: 7,
  /** The simulation's own values in a state. */
  values: 8,

  /** Page, by addition: wakes the worker. Also the number of control messages sent. See doorbell.ts. */
  doorbell: 16,
  /** Page; worker, if memory is not shared. 1: leave the loop. */
  stopRequest: 17,
  /** Worker: see {@link WORKER_PHASE}. */
  phase: 18,
  /** Worker, by addition: passes and ticks of the loop, and answers to `ready`. */
  heartbeat: 19,
  /** Worker: see {@link WORKER_ACTIVITY}. */
  activity: 20,

  /** Page, worker: number of the latest clock ping, and of the latest one that is answered. See clock-sync.ts. */
  clockRequest: 32,
  clockReply: 33,
  /** Both. 0: closed; 1: the worker answers pings; 2: the page is done. */
  clockSession: 34,
  /** Both, by exchange. 1: the page wants a message when the next event is there. */
  eventWakeRequested: 35,
  /** Page, once per frame: when ticks begin, in µs. See "Ticks and frames" in docs/protocol.md. */
  frameUs: 36,
  framePeriodUs: 37,
  frameEarlyUs: 38,

  /** Both, by exchange: the mailboxes of slots and of status records. See mailbox.ts. */
  mailbox: 48,
  statusMailbox: 49,

  /** Page: its end of the queue of inputs. See record-queue.ts. */
  inputTail: 64,
  inputRefused: 65,
  /** Worker: the other end. */
  inputHead: 80,
  /** Worker: its end of the queue of events. */
  eventTail: 96,
  eventRefused: 97,
  /** Page: the other end. */
  eventHead: 112,
} as const;

/** Values of the control word `phase`. */
export const WORKER_PHASE = { starting: 0, running: 1, paused: 2, stopped: 3, failed: 4 } as const;

/** Values of the control word `activity`. */
export const WORKER_ACTIVITY = {
  /** Asleep until the next due time, or until something wakes it. */
  idle: 0,
  /** In a tick, or about to be. */
  ticking: 1,
  /** Giving its event loop turns: control calls and queries run. */
  answering: 2,
} as const;

/**
 * Slot header: indices into its Float64Array. The same record, without states, is also published
 * separately as the *status*. Code that only needs the worker's progress reads that, and so does not replace the slot
 * of a frame that is being drawn.
 */
export const SLOT_HEADER = {
  /** Publications so far, 1 for the first. */
  sequence: 0,
  /** Changes of the schedule so far. */
  epoch: 1,
  /** Ordinal of the newest state. */
  newestState: 2,
  /** How many of the newest states are valid. */
  stateCount: 3,
  /** Slots of bodies from here on were never used. */
  bodyLimit: 4,
  /** Bodies that live. */
  bodyCount: 5,
  /** Ticks per second of simulated time. */
  tickRateHz: 6,
  /** Simulated seconds per second. */
  timeScale: 7,
  /** Page time minus virtual time while running, in ms. See schedule.ts. */
  shiftMs: 8,
  /** Virtual time while paused, in ms; NaN while running. */
  pausedVirtualMs: 9,
  /** Virtual time at which tick 0 was due, in ms. */
  originVirtualMs: 10,
  /** Total time of the ticks that were dropped since, in ms. */
  droppedMs: 11,
  /** Tick of the newest state, and its simulated time in seconds. */
  newestTick: 12,
  newestSimulatedSeconds: 13,
  /** Journal messages posted before this snapshot. The page may not have all of them yet. */
  journals: 14,
} as const;

/** State header: indices into the Float64 words of one state. Times are in ms. */
export const STATE_HEADER = {
  /** States published so far. Never decreases, while the tick does when a run restarts. */
  ordinal: 0,
  tick: 1,
  /** Virtual time at which the tick was due. */
  virtualMs: 2,
  /** Simulated time after the tick, in seconds. */
  simulatedSeconds: 3,
  /** From when the tick was due to its publication. */
  latenessMs: 4,
  /** Page time of the earliest input of this tick, or of ticks before it whose states were not fetched; NaN: none. */
  inputMs: 5,
} as const;

/** The 32-bit lanes of one body. `meta` is an integer; see body-meta.ts. */
export const LANE = { x: 0, y: 1, z: 2, meta: 3, qx: 4, qy: 5, qz: 6, qw: 7 } as const;

/** The 32-bit lanes of one body's velocity, all floats. Lanes 3 and 7 are unused, so that a body has as many as a pose. */
export const VELOCITY_LANE = { x: 0, y: 1, z: 2, wx: 4, wy: 5, wz: 6 } as const;

/**
 * Statistics: scalar counters, indices into the Int32Array at `statisticsOffset`. Written only by the worker, one
 * aligned 32-bit word each, so a word never tears; the set is not one consistent moment.
 */
export const STATISTICS = {
  /** Passes of the loop, and ticks run. */
  passes: 0,
  ticks: 1,
  droppedTicks: 2,
  gaps: 3,
  /** Passes with more than one tick. */
  catchUpPasses: 4,
  /** Bodies whose pose became invalid. */
  invalidPoses: 5,
  /** All publications, and those that the page did not fetch. */
  publications: 6,
  overwrittenPublications: 7,
  /** 1 while many due ticks are dropped. */
  slow: 8,
  /** Total time of the gaps. */
  gapMs: 9,
  /** Taken by ticks. */
  inputs: 10,
  lateInputs: 11,
  timedCommands: 12,
  /** Sent, and lost because the queue was full. */
  events: 13,
  lostEvents: 14,
  /** Time asleep, and the time of the last wake-up, both in µs of the worker's page time, modulo 2^32. */
  asleepUs: 15,
  wokenUs: 16,
  /** Values that were not published because they were NaN or infinite, in each state. */
  invalidValues: 17,
} as const;

/** Types of the records in the queue of inputs. */
export const INPUT_RECORD = {
  input: 1,
  command: 2,
  /** The assets that the page has sent up to here: commands and batches behind it wait for them. */
  asset: 3,
  /** Changes that the page has made in a world. */
  batch: 4,
} as const;

/** Sizes of the queues in 32-bit words: powers of two. */
export interface QueueSizes {
  readonly inputWords: number;
  readonly eventWords: number;
}

export const MIN_QUEUE_WORDS = 1 << 6;
export const MAX_QUEUE_WORDS = 1 << 22;

/** 1 MiB of inputs and commands, or one batch that describes 8000 bodies; 256 KiB of events, about 5000. */
export const DEFAULT_QUEUES: QueueSizes = { inputWords: 1 << 18, eventWords: 1 << 16 };

/** Room for creating all bodies in one task of the page: 64 words describe a body with its collider, twice. */
export const inputWordsOf = (capacity: number): number =>
  Math.min(
    MAX_QUEUE_WORDS,
    Math.max(DEFAULT_QUEUES.inputWords, 2 ** Math.ceil(Math.log2(64 * capacity))),
  );

/** Slots of the mailbox: one for the writer, one in the middle, one for the reader. */
export const SLOT_COUNT = 3;

/** Minimum and maximum number of states in a slot: previous and current at least. */
export const MIN_STATES = 2;
export const MAX_STATES = 4;

/** Maximum number of bodies in a snapshot: a body id keeps its slot in 20 bits. */
export const MAX_CAPACITY = 1 << 20;

/** Maximum number of a simulation's own values in a state. */
export const MAX_VALUES = 1 << 16;

/** 32-bit words of a state's values: the values, and a bit of each that is not blended with that of the state before. */
export const valueWordsOf = (valueCount: number): number => valueCount + Math.ceil(valueCount / 32);

/** 32-bit lanes of one body; see LANE. Its velocity has as many; see VELOCITY_LANE. */
export const BODY_LANES = 8;

/** Bytes of one body. */
export const BODY_BYTES = BODY_LANES * 4;

/** Float64 words of a slot header: two cache lines, some of them unused. */
export const SLOT_HEADER_LENGTH = 16;

/** Float64 words of a state header: one cache line. */
export const STATE_HEADER_LENGTH = 8;

/** Int32 words of the scalar counters. */
export const STATISTICS_SCALARS = 32;

/**
 * Shape of the histograms in the statistics: units of 0.1 µs, 2^7 buckets per octave (0.8 % wide at most), up to 2^31
 * units, which is 214 s.
 */
export const HISTOGRAM_SHAPE = { unitMs: 1e-4, precisionBits: 7, octaves: 24 } as const;

/** Buckets of a histogram of the given shape; see histogram.ts for the arithmetic. */
export function histogramLength(precisionBits: number, octaves: number): number {
  return (octaves + 1) * 2 ** precisionBits;
}

const HISTOGRAM_BUCKETS = histogramLength(HISTOGRAM_SHAPE.precisionBits, HISTOGRAM_SHAPE.octaves);

/** The histograms, in the order in which they follow the scalars. */
export const HISTOGRAM_NAMES = ['step', 'publish', 'lateness', 'inputLatency'] as const;
export type HistogramName = (typeof HISTOGRAM_NAMES)[number];

/** Byte offsets and sizes of a buffer for `capacity` bodies and `stateCapacity` states per slot. */
export type BufferLayout = Readonly<ReturnType<typeof layoutOf>>;

const CACHE_LINE = 64;
const alignUp = (bytes: number): number => Math.ceil(bytes / CACHE_LINE) * CACHE_LINE;

/**
 * Computes the layout.
 *
 * @param capacity Bodies, a whole number from 1 to {@link MAX_CAPACITY}.
 * @param stateCapacity States per slot, from {@link MIN_STATES} to {@link MAX_STATES}.
 * @param queues Sizes of the queues.
 * @param hasVelocities Whether states contain velocities.
 * @param valueCount Values of a state, from 0 to {@link MAX_VALUES}.
 * @throws RangeError if one of them is out of range.
 */
export function layoutOf(
  capacity: number,
  stateCapacity: number,
  queues: QueueSizes,
  hasVelocities = false,
  valueCount = 0,
) {
  const arePossible =
    isWithin(capacity, 1, MAX_CAPACITY) &&
    isWithin(stateCapacity, MIN_STATES, MAX_STATES) &&
    isWithin(valueCount, 0, MAX_VALUES) &&
    isQueueSize(queues.inputWords) &&
    isQueueSize(queues.eventWords);
  if (!arePossible) throw new RangeError('there is no buffer of these sizes');
  const clockOffset = CONTROL_LENGTH * 4;
  const statisticsOffset = clockOffset + CACHE_LINE;
  const histogramsOffset = statisticsOffset + STATISTICS_SCALARS * 4;
  const histogramBytes = HISTOGRAM_BUCKETS * 4;
  const statusOffset = alignUp(histogramsOffset + HISTOGRAM_NAMES.length * histogramBytes);
  const slotsOffset = statusOffset + SLOT_COUNT * SLOT_HEADER_LENGTH * 8;
  const stateHeadersOffset = SLOT_HEADER_LENGTH * 8;
  const valuesOffset = stateHeadersOffset + stateCapacity * STATE_HEADER_LENGTH * 8;
  const valuesBytes = alignUp(valueWordsOf(valueCount) * 4);
  const statesOffset = valuesOffset + stateCapacity * valuesBytes;
  const posesBytes = alignUp(capacity * BODY_BYTES);
  const stateBytes = hasVelocities ? 2 * posesBytes : posesBytes;
  const slotBytes = statesOffset + stateCapacity * stateBytes;
  const inputsOffset = slotsOffset + SLOT_COUNT * slotBytes;
  const eventsOffset = inputsOffset + queues.inputWords * 4;
  return {
    ...queues,
    capacity,
    stateCapacity,
    hasVelocities,
    valueCount,
    clockOffset,
    statisticsOffset,
    histogramOffset: (name: HistogramName) =>
      histogramsOffset + HISTOGRAM_NAMES.indexOf(name) * histogramBytes,
    statusOffset,
    slotsOffset,
    slotBytes,
    stateHeadersOffset,
    valuesOffset,
    valuesBytes,
    statesOffset,
    posesBytes,
    stateBytes,
    inputsOffset,
    eventsOffset,
    byteLength: eventsOffset + queues.eventWords * 4,
  };
}

const isWithin = (value: number, low: number, high: number): boolean =>
  Number.isInteger(value) && value >= low && value <= high;

/** Whether a queue can have this size, in words. */
export const isQueueSize = (words: number): boolean =>
  isWithin(words, MIN_QUEUE_WORDS, MAX_QUEUE_WORDS) && (words & (words - 1)) === 0;

/** Typed views of one slot. `poses[i]` and `metas[i]` view the same memory, as floats and as integers. */
export interface SlotViews {
  readonly header: Float64Array;
  readonly stateHeaders: readonly Float64Array[];
  /** The simulation's own values in each state. */
  readonly values: readonly Float32Array[];
  /** The same memory as integers, with the bits that follow: see {@link valueWordsOf}. */
  readonly valueWords: readonly Int32Array[];
  readonly poses: readonly Float32Array[];
  readonly metas: readonly Int32Array[];
  /** The velocities of each state. Empty if states have none. */
  readonly velocities: readonly Float32Array[];
}

/** Typed views of a whole buffer. Created once, because creating views is garbage. */
export interface BufferViews {
  readonly layout: BufferLayout;
  readonly control: Int32Array;
  readonly clockReplyMs: Float64Array;
  readonly statistics: Int32Array;
  readonly histograms: Readonly<Record<HistogramName, Int32Array>>;
  readonly slots: readonly SlotViews[];
  /** Status records, each like a slot's header. */
  readonly statuses: readonly Float64Array[];
  /** Rings of the two queues. */
  readonly inputs: Int32Array;
  readonly events: Int32Array;
}

/** Creates views of one slot, which begins at `byteOffset`. */
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
  const valuesAt = (index: number): number =>
    byteOffset + layout.valuesOffset + index * layout.valuesBytes;
  const lanes = layout.capacity * BODY_LANES;
  return {
    header: new Float64Array(buffer, byteOffset, SLOT_HEADER_LENGTH),
    stateHeaders: states.map(
      (index) => new Float64Array(buffer, headerAt(index), STATE_HEADER_LENGTH),
    ),
    values: states.map((index) => new Float32Array(buffer, valuesAt(index), layout.valueCount)),
    valueWords: states.map(
      (index) => new Int32Array(buffer, valuesAt(index), valueWordsOf(layout.valueCount)),
    ),
    poses: states.map((index) => new Float32Array(buffer, stateAt(index), lanes)),
    metas: states.map((index) => new Int32Array(buffer, stateAt(index), lanes)),
    velocities: layout.hasVelocities
      ? states.map((index) => new Float32Array(buffer, stateAt(index) + layout.posesBytes, lanes))
      : [],
  };
}

/**
 * Creates views of a buffer. Works on an ArrayBuffer too, so a single-threaded test or a transport without shared
 * memory uses the same code.
 */
export function viewsOf(buffer: ArrayBufferLike, layout: BufferLayout): BufferViews {
  const histograms = HISTOGRAM_NAMES.map((name) => [
    name,
    new Int32Array(buffer, layout.histogramOffset(name), HISTOGRAM_BUCKETS),
  ]);
  const slots = Array.from({ length: SLOT_COUNT }, (_, slot) =>
    slotViewsOf(buffer, layout, layout.slotsOffset + slot * layout.slotBytes),
  );
  const statuses = Array.from({ length: SLOT_COUNT }, (_, index) => {
    const byteOffset = layout.statusOffset + index * SLOT_HEADER_LENGTH * 8;
    return new Float64Array(buffer, byteOffset, SLOT_HEADER_LENGTH);
  });
  return {
    layout,
    control: new Int32Array(buffer, 0, CONTROL_LENGTH),
    clockReplyMs: new Float64Array(buffer, layout.clockOffset, 1),
    statistics: new Int32Array(buffer, layout.statisticsOffset, STATISTICS_SCALARS),
    histograms: Object.fromEntries(histograms) as BufferViews['histograms'],
    slots,
    inputs: new Int32Array(buffer, layout.inputsOffset, layout.inputWords),
    events: new Int32Array(buffer, layout.eventsOffset, layout.eventWords),
    statuses,
  };
}
