import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  CONTROL,
  CONTROL_LENGTH,
  HISTOGRAM_NAMES,
  INPUT_RECORD,
  LANE,
  LAYOUT_VERSION,
  MAGIC,
  SLOT_COUNT,
  SLOT_HEADER,
  SLOT_HEADER_LENGTH,
  STATE_HEADER,
  STATE_HEADER_LENGTH,
  STATISTICS,
  STATISTICS_SCALARS,
  VELOCITY_LANE,
  WORKER_ACTIVITY,
  WORKER_PHASE,
  layoutOf,
  viewsOf,
  type BufferLayout,
  type BufferViews,
  DEFAULT_QUEUES,
  inputWordsOf,
} from '../../../../src/shared/memory/layout.js';

const numbered = (names: string, first = 0): Readonly<Record<string, number>> =>
  Object.fromEntries(names.split(' ').map((name, index) => [name, first + index]));

// Page and worker may come from different builds: the values in this file change only with the version.

test('this is version 13 of the layout, labelled "btwx"', () => {
  expect(LAYOUT_VERSION).toBe(13);
  const bytes = new Uint8Array(Int32Array.of(MAGIC).buffer);
  expect(String.fromCharCode(...bytes)).toBe('btwx');
});

test.each([
  [1000, 4, 32_000, 384, 128_384, 437_440, 961_728],
  [1, 2, 64, 256, 384, 53_440, 577_728],
  [3, 3, 128, 320, 704, 54_400, 578_688],
  [2 ** 20, 4, 33_554_432, 384, 134_218_112, 402_706_624, 403_230_912],
])(
  'a buffer for %i bodies and %i states has the offsets of version 13',
  (capacity, stateCapacity, stateBytes, statesOffset, slotBytes, inputsOffset, byteLength) => {
    const queues = { inputWords: 2 ** 16, eventWords: 2 ** 16 };
    const layout = layoutOf(capacity, stateCapacity, queues);
    const { histogramOffset, ...offsets } = layout;
    expect(offsets).toEqual({
      capacity,
      stateCapacity,
      hasVelocities: false,
      valueCount: 0,
      inputWords: 65_536,
      eventWords: 65_536,
      clockOffset: 512,
      statisticsOffset: 576,
      statusOffset: 51_904,
      slotsOffset: 52_288,
      slotBytes,
      stateHeadersOffset: 128,
      valuesOffset: 128 + stateCapacity * 64,
      valuesBytes: 0,
      statesOffset,
      posesBytes: stateBytes,
      stateBytes,
      inputsOffset,
      eventsOffset: inputsOffset + 262_144,
      byteLength,
    });
    expect(HISTOGRAM_NAMES.map((name) => [name, histogramOffset(name)])).toEqual([
      ['step', 704],
      ['publish', 13_504],
      ['lateness', 26_304],
      ['inputLatency', 39_104],
    ]);
  },
);

test.each([
  [1, 64],
  [15, 64],
  [16, 128],
  [65_536, 270_336],
])('%i values of a state take %i bytes before the bodies of all states', (count, bytes) => {
  const none = layoutOf(3, 3, DEFAULT_QUEUES);
  const layout = layoutOf(3, 3, DEFAULT_QUEUES, true, count);
  expect([layout.valueCount, layout.valuesOffset]).toEqual([count, none.valuesOffset]);
  expect(layout.statesOffset).toBe(none.statesOffset + 3 * bytes);
  expect([layout.posesBytes, layout.stateBytes]).toEqual([128, 256]);
  const { slots } = viewsOf(new ArrayBuffer(layout.byteLength), layout);
  for (const { values, valueWords } of slots) {
    expect(values.map(({ length }) => length)).toEqual([count, count, count]);
    const words = count + Math.ceil(count / 32);
    expect(valueWords.map(({ length }) => length)).toEqual([words, words, words]);
    expect(values.map((of) => of.byteOffset)).toEqual(valueWords.map((of) => of.byteOffset));
  }
});

test('the words of the layout have the numbers of version 13', () => {
  expect([CONTROL_LENGTH, SLOT_HEADER_LENGTH, STATE_HEADER_LENGTH]).toEqual([128, 16, 8]);
  expect([SLOT_COUNT, STATISTICS_SCALARS]).toEqual([3, 32]);
  expect({ ...INPUT_RECORD }).toEqual({ input: 1, command: 2, asset: 3, batch: 4 });
  expect({ ...WORKER_PHASE }).toEqual(numbered('starting running paused stopped failed'));
  expect({ ...WORKER_ACTIVITY }).toEqual(numbered('idle ticking answering'));
  expect({ ...LANE }).toEqual({ x: 0, y: 1, z: 2, meta: 3, qx: 4, qy: 5, qz: 6, qw: 7 });
  expect({ ...VELOCITY_LANE }).toEqual({ x: 0, y: 1, z: 2, wx: 4, wy: 5, wz: 6 });
});

// Words of different threads are on separate lines of 16 words.
test.each([
  [0, 'magic version capacity stateCapacity byteLength inputWords eventWords velocities values'],
  [16, 'doorbell stopRequest phase heartbeat activity'],
  [
    32,
    'clockRequest clockReply clockSession eventWakeRequested frameUs framePeriodUs frameEarlyUs',
  ],
  [48, 'mailbox statusMailbox'],
  [64, 'inputTail inputRefused'],
  [80, 'inputHead'],
  [96, 'eventTail eventRefused'],
  [112, 'eventHead'],
])('the control words from %i on are these, in the order of version 13: %s', (first, names) => {
  const line = Object.entries(CONTROL).filter(([, word]) => word >> 4 === first >> 4);
  expect(Object.fromEntries(line)).toEqual(numbered(names, first));
});

test.each([
  [
    'a slot header',
    SLOT_HEADER,
    'sequence epoch newestState stateCount bodyLimit bodyCount tickRateHz timeScale shiftMs pausedVirtualMs ' +
      'originVirtualMs droppedMs newestTick newestSimulatedSeconds journals',
  ],
  ['a state header', STATE_HEADER, 'ordinal tick virtualMs simulatedSeconds latenessMs inputMs'],
  [
    'the statistics',
    STATISTICS,
    'passes ticks droppedTicks gaps catchUpPasses invalidPoses publications overwrittenPublications slow ' +
      'gapMs inputs lateInputs timedCommands events lostEvents asleepUs wokenUs invalidValues',
  ],
])('the fields of %s follow each other in the order of version 13', (_, fields, names) => {
  expect({ ...fields }).toEqual(numbered(names));
});

const queueWords = fc.integer({ min: 6, max: 14 }).map((power) => 2 ** power);
const anyLayout = fc
  .tuple(
    fc.integer({ min: 1, max: 5000 }),
    fc.integer({ min: 2, max: 4 }),
    queueWords,
    queueWords,
    fc.boolean(),
    fc.integer({ min: 1, max: 300 }),
  )
  .map(([capacity, states, inputWords, eventWords, hasVelocities, values]) =>
    layoutOf(capacity, states, { inputWords, eventWords }, hasVelocities, values),
  );

test('in any layout regions of different threads begin at cache lines, and views neither overlap nor exceed the buffer', () => {
  fc.assert(
    fc.property(anyLayout, (layout: BufferLayout) => {
      const places = Object.entries(layout).filter(([name]) => /(Offset|Bytes)$/.test(name));
      expect(places.filter(([, bytes]) => Number(bytes) % 64 > 0)).toEqual([]);
      const views = viewsOf(new ArrayBuffer(layout.byteLength), layout);
      const ranges = rangesOf(views).toSorted((a, b) => a.from - b.from);
      for (const [index, range] of ranges.entries()) {
        expect(range.to).toBeGreaterThan(range.from);
        expect(range.to).toBeLessThanOrEqual(ranges[index + 1]?.from ?? layout.byteLength);
      }
    }),
    { numRuns: 30 },
  );
});

test.each([
  ...[0, 1.5, 2 ** 20 + 1].map((capacity) => ({ capacity })),
  ...[1, 5].map((states) => ({ states })),
  ...[-1, 0.5, Number.NaN, 2 ** 16 + 1].map((values) => ({ values })),
  ...[32, 100, 64.5, Number.NaN, 2 ** 23].map((inputWords) => ({ inputWords })),
  { eventWords: 65 },
])('there is no layout with %o', (wrong) => {
  const sizes = { capacity: 1, states: 2, inputWords: 64, eventWords: 64, values: 0, ...wrong };
  expect(() => layoutOf(sizes.capacity, sizes.states, sizes, false, sizes.values)).toThrow(
    new RangeError('there is no buffer of these sizes'),
  );
});

test.each([
  [1, 2 ** 18],
  [4096, 2 ** 18],
  [4097, 2 ** 19],
  [2 ** 16, 2 ** 22],
  [2 ** 20, 2 ** 22],
])('inputs of a page with %i bodies have a queue of %i words', (capacity, words) => {
  expect(inputWordsOf(capacity)).toBe(words);
  expect(() => layoutOf(1, 2, { inputWords: words, eventWords: 64 })).not.toThrow();
});

/** The bytes that each view covers; of two views of the same memory only one is named. */
function rangesOf(views: BufferViews): { from: number; to: number }[] {
  const all: ArrayBufferView[] = [
    views.control,
    views.clockReplyMs,
    views.statistics,
    ...Object.values(views.histograms),
    ...views.statuses,
    ...views.slots.flatMap((slot) => [
      slot.header,
      ...slot.stateHeaders,
      ...slot.valueWords,
      ...slot.poses,
      ...slot.velocities,
    ]),
    views.inputs,
    views.events,
  ];
  expect(views.slots).toHaveLength(SLOT_COUNT);
  return all.map((view) => ({ from: view.byteOffset, to: view.byteOffset + view.byteLength }));
}
