import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CONTROL,
  CONTROL_LENGTH,
  HISTOGRAM_NAMES,
  INPUT_RECORD,
  LANE,
  LAYOUT_VERSION,
  MAGIC,
  MAX_CAPACITY,
  SLOT_COUNT,
  SLOT_HEADER,
  SLOT_HEADER_LENGTH,
  STATE_HEADER,
  STATE_HEADER_LENGTH,
  STATISTICS,
  STATISTICS_SCALARS,
  WORKER_ACTIVITY,
  WORKER_PHASE,
  layoutOf,
  viewsOf,
  type BufferLayout,
  type BufferViews,
} from '../../../../src/shared/memory/layout.js';
import { DEFAULT_QUEUES, requireQueueWords } from '../../../../src/shared/memory/queue-sizes.js';

/** Whether no two fields overlap within a length. */
const fits = (fields: Readonly<Record<string, number>>, length: number): boolean =>
  Object.values(fields).every((index) => index >= 0 && index < length) &&
  new Set(Object.values(fields)).size === Object.values(fields).length;

/** In the order of their indices: a namespace lists its names alphabetically. */
const namesOf = (fields: Readonly<Record<string, number>>): string[] =>
  Object.keys(fields).toSorted((a, b) => (fields[a] ?? 0) - (fields[b] ?? 0));

const lineOf = (word: keyof typeof CONTROL): number => Math.floor(CONTROL[word] / 16);

/** Page and worker may come from different builds. These values change only with the version. */
describe('the layout of version 8', () => {
  test('is version 7, labelled "btwx"', () => {
    expect(LAYOUT_VERSION).toBe(8);
    const bytes = new Uint8Array(Int32Array.of(MAGIC).buffer);
    expect(String.fromCharCode(...bytes)).toBe('btwx');
  });

  test.each([
    [1000, 4, 32_000, 384, 128_384, 438_464, 962_752],
    [1, 2, 64, 256, 384, 54_464, 578_752],
    [3, 3, 128, 320, 704, 55_424, 579_712],
    [4096, 4, 131_072, 384, 524_672, 1_627_328, 2_151_616],
    [2 ** 20, 4, 33_554_432, 384, 134_218_112, 402_707_648, 403_231_936],
  ])(
    'for %i bodies and %i states has these offsets',
    (capacity, stateCapacity, stateBytes, statesOffset, slotBytes, inputsOffset, byteLength) => {
      const layout = layoutOf(capacity, stateCapacity, DEFAULT_QUEUES);
      const { histogramOffset, ...offsets } = layout;
      expect(offsets).toEqual({
        capacity,
        stateCapacity,
        hasVelocities: false,
        valueCount: 0,
        inputWords: 65_536,
        eventWords: 65_536,
        clockOffset: 1536,
        statisticsOffset: 1600,
        statusOffset: 52_928,
        slotsOffset: 53_312,
        slotBytes,
        stateHeadersOffset: 128,
        valuesOffset: 128 + stateCapacity * 64,
        statesOffset,
        posesBytes: stateBytes,
        stateBytes,
        inputsOffset,
        eventsOffset: inputsOffset + 262_144,
        byteLength,
      });
      expect(HISTOGRAM_NAMES.map((name) => [name, histogramOffset(name)])).toEqual([
        ['step', 1_728],
        ['publish', 14_528],
        ['lateness', 27_328],
        ['inputLatency', 40_128],
      ]);
    },
  );

  test('has the values of a slot before its states', () => {
    const none = layoutOf(3, 3, DEFAULT_QUEUES);
    for (const [count, bytes] of [
      [1, 64],
      [16, 64],
      [17, 128],
      [65_536, 262_144],
    ] as const) {
      const layout = layoutOf(3, 3, DEFAULT_QUEUES, true, count);
      expect([layout.valueCount, layout.valuesOffset]).toEqual([count, none.valuesOffset]);
      expect(layout.statesOffset).toBe(none.statesOffset + bytes);
      const { slots } = viewsOf(new ArrayBuffer(layout.byteLength), layout);
      expect(slots.map(({ values }) => values.length)).toEqual([count, count, count]);
    }
  });

  test('has queues of other sizes at its end', () => {
    const layout = layoutOf(1, 2, { inputWords: 64, eventWords: 256 });
    const { inputWords, eventWords, inputsOffset, eventsOffset, byteLength } = layout;
    expect([inputWords, eventWords]).toEqual([64, 256]);
    expect([inputsOffset, eventsOffset, byteLength]).toEqual([54_464, 54_720, 55_744]);
    const { inputs, events } = viewsOf(new ArrayBuffer(byteLength), layout);
    expect([inputs.byteOffset, inputs.length]).toEqual([54_464, 64]);
    expect([events.byteOffset, events.length]).toEqual([54_720, 256]);
  });

  test('has these numbers for its words and records', () => {
    expect(CONTROL_LENGTH).toBe(384);
    expect({ ...INPUT_RECORD }).toEqual({ input: 1, command: 2, asset: 3 });
    expect({ ...WORKER_PHASE }).toEqual({
      starting: 0,
      running: 1,
      paused: 2,
      stopped: 3,
      failed: 4,
    });
    expect({ ...WORKER_ACTIVITY }).toEqual({ idle: 0, ticking: 1, answering: 2 });
  });

  test('has its control words at these indices', () => {
    expect({ ...CONTROL }).toEqual({
      magic: 0,
      version: 1,
      capacity: 2,
      stateCapacity: 3,
      velocities: 7,
      values: 8,
      byteLength: 4,
      inputWords: 5,
      eventWords: 6,
      doorbell: 16,
      stopRequest: 17,
      phase: 18,
      heartbeat: 19,
      activity: 20,
      callLength: 21,
      clockRequest: 32,
      clockReply: 33,
      clockSession: 34,
      eventWakeRequested: 35,
      frameUs: 36,
      framePeriodUs: 37,
      frameEarlyUs: 38,
      mailbox: 48,
      statusMailbox: 49,
      inputTail: 64,
      inputRefused: 65,
      inputHead: 80,
      eventTail: 96,
      eventRefused: 97,
      eventHead: 112,
      call: 128,
    });
  });

  test('has its header fields, lanes and counters at these indices', () => {
    expect(namesOf(SLOT_HEADER)).toEqual([
      'sequence',
      'epoch',
      'newestState',
      'stateCount',
      'bodyLimit',
      'bodyCount',
      'tickRateHz',
      'timeScale',
      'shiftMs',
      'pausedVirtualMs',
      'originVirtualMs',
      'droppedMs',
      'newestTick',
      'newestSimulatedSeconds',
      'journals',
    ]);
    expect(Object.values(SLOT_HEADER).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    ]);
    expect({ ...STATE_HEADER }).toEqual({
      ordinal: 0,
      tick: 1,
      virtualMs: 2,
      simulatedSeconds: 3,
      latenessMs: 4,
      inputMs: 5,
    });
    expect({ ...LANE }).toEqual({ x: 0, y: 1, z: 2, meta: 3, qx: 4, qy: 5, qz: 6, qw: 7 });
    expect(namesOf(STATISTICS)).toEqual([
      'passes',
      'ticks',
      'droppedTicks',
      'gaps',
      'catchUpPasses',
      'invalidPoses',
      'publications',
      'overwrittenPublications',
      'savedStates',
      'slow',
      'gapMs',
      'watchdog',
      'inputs',
      'lateInputs',
      'timedCommands',
      'events',
      'lostEvents',
      'asleepUs',
      'wokenUs',
    ]);
    expect(Object.values(STATISTICS).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
    ]);
  });

  test('has room for every field', () => {
    expect(fits(CONTROL, CONTROL_LENGTH)).toBe(true);
    expect(fits(SLOT_HEADER, SLOT_HEADER_LENGTH)).toBe(true);
    expect(fits(STATE_HEADER, STATE_HEADER_LENGTH)).toBe(true);
    expect(fits(STATISTICS, STATISTICS_SCALARS)).toBe(true);
  });
});

describe('any layout', () => {
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

  test('gives separate cache lines to each slot, and to what each thread writes', () => {
    fc.assert(
      fc.property(anyLayout, (layout: BufferLayout) => {
        for (const offset of [
          layout.clockOffset,
          layout.statisticsOffset,
          layout.statusOffset,
          layout.slotsOffset,
          layout.slotBytes,
          layout.statesOffset,
          layout.stateBytes,
          layout.inputsOffset,
          layout.eventsOffset,
        ]) {
          expect(offset % 64).toBe(0);
        }
      }),
    );
    // Words of the control region that different threads write: a cache line is 16 words.
    const words = [
      'magic',
      'doorbell',
      'clockRequest',
      'mailbox',
      'inputTail',
      'inputHead',
      'eventTail',
      'eventHead',
    ] as const;
    expect(new Set(words.map(lineOf)).size).toBe(words.length);
    // Words written by the same side may share a line.
    expect(lineOf('inputRefused')).toBe(lineOf('inputTail'));
    expect(lineOf('eventRefused')).toBe(lineOf('eventTail'));
  });

  test('has views that neither overlap nor exceed the buffer', () => {
    fc.assert(
      fc.property(anyLayout, (layout: BufferLayout) => {
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

  test('shows the same memory as floats and as integers', () => {
    const layout = layoutOf(10, 3, DEFAULT_QUEUES);
    const views = viewsOf(new ArrayBuffer(layout.byteLength), layout);
    for (const slot of views.slots) {
      expect(slot.poses).toHaveLength(3);
      for (const [state, poses] of slot.poses.entries()) {
        poses[8] = 1;
        expect(slot.metas[state]?.[8]).toBe(0x3f800000);
      }
    }
  });
});

test.each([
  [0, 4],
  [-1, 4],
  [1.5, 4],
  [Number.NaN, 4],
  [MAX_CAPACITY + 1, 4],
  [10, 1],
  [10, 5],
  [10, 2.5],
])('there is no layout for %d bodies and %d states', (capacity, states) => {
  expect(() => layoutOf(capacity, states, DEFAULT_QUEUES)).toThrow(RangeError);
});

test.each([-1, 0.5, Number.NaN, 2 ** 16 + 1])('there is no layout for %d values', (count) => {
  expect(() => layoutOf(1, 2, DEFAULT_QUEUES, false, count)).toThrow(RangeError);
});

test.each([
  ['inputWords', 0],
  ['inputWords', 32],
  ['inputWords', 100],
  ['inputWords', 64.5],
  ['inputWords', -64],
  ['inputWords', Number.NaN],
  ['inputWords', 2 ** 23],
  ['inputWords', 2 ** 32],
  ['eventWords', 32],
  ['eventWords', 65],
  ['eventWords', 2 ** 23],
])('there is no layout with %s of %d', (name, words) => {
  const queues = { inputWords: 64, eventWords: 64, [name]: words };
  expect(() => layoutOf(1, 2, queues)).toThrow(RangeError);
  expect(() => requireQueueWords(name, words)).toThrow(
    `${name} must be a power of two from 64 to 4194304, but is ${words}`,
  );
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
      slot.values,
      ...slot.poses,
      ...slot.velocities,
    ]),
    views.inputs,
    views.events,
  ];
  expect(views.slots).toHaveLength(SLOT_COUNT);
  return all.map((view) => ({ from: view.byteOffset, to: view.byteOffset + view.byteLength }));
}
