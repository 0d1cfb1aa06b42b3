import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CONTROL,
  CONTROL_LENGTH,
  HISTOGRAM_NAMES,
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
  layoutOf,
  viewsOf,
  type BufferLayout,
  type BufferViews,
} from '../../src/shared/layout.js';

/** Whether all fields have a place of their own within a length. */
const fits = (fields: Readonly<Record<string, number>>, length: number): boolean =>
  Object.values(fields).every((index) => index >= 0 && index < length) &&
  new Set(Object.values(fields)).size === Object.values(fields).length;

/** Page and worker may come from different builds. What stands here changes only with the version. */
describe('the layout of version 2', () => {
  test('is version 2, labelled "btwx"', () => {
    expect(LAYOUT_VERSION).toBe(2);
    const bytes = new Uint8Array(Int32Array.of(MAGIC).buffer);
    expect(String.fromCharCode(...bytes)).toBe('btwx');
  });

  test.each([
    [1000, 4, 32_000, 384, 128_384, 424_384],
    [1, 2, 64, 256, 384, 40_384],
    [3, 3, 128, 320, 704, 41_344],
    [4096, 4, 131_072, 384, 524_672, 1_613_248],
    [2 ** 20, 4, 33_554_432, 384, 134_218_112, 402_693_568],
  ])(
    'for %i bodies and %i states has these offsets',
    (capacity, stateCapacity, stateBytes, statesOffset, slotBytes, byteLength) => {
      const layout = layoutOf(capacity, stateCapacity);
      const { histogramOffset, ...offsets } = layout;
      expect(offsets).toEqual({
        capacity,
        stateCapacity,
        clockOffset: 256,
        statisticsOffset: 320,
        statusOffset: 38_848,
        slotsOffset: 39_232,
        slotBytes,
        stateHeadersOffset: 128,
        statesOffset,
        stateBytes,
        byteLength,
      });
      expect(HISTOGRAM_NAMES.map((name) => [name, histogramOffset(name)])).toEqual([
        ['step', 448],
        ['publish', 13_248],
        ['lateness', 26_048],
      ]);
    },
  );

  test('has its control words at these indices', () => {
    expect(CONTROL).toEqual({
      magic: 0,
      version: 1,
      capacity: 2,
      stateCapacity: 3,
      byteLength: 4,
      doorbell: 16,
      stopRequest: 17,
      phase: 18,
      heartbeat: 19,
      clockRequest: 32,
      clockReply: 33,
      clockSession: 34,
      mailbox: 48,
      statusMailbox: 49,
    });
  });

  test('has its header fields, lanes and counters at these indices', () => {
    expect(Object.keys(SLOT_HEADER)).toEqual([
      'sequence',
      'epoch',
      'newestState',
      'stateCount',
      'bodyLimit',
      'bodyCount',
      'tickRateHz',
      'timeScale',
      'shiftMs',
      'pausedRunMs',
      'originRunMs',
      'droppedMs',
      'newestTick',
      'newestSimulatedS',
    ]);
    expect(Object.values(SLOT_HEADER)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect(STATE_HEADER).toEqual({ ordinal: 0, tick: 1, runMs: 2, simulatedS: 3, latenessMs: 4 });
    expect(LANE).toEqual({ x: 0, y: 1, z: 2, meta: 3, qx: 4, qy: 5, qz: 6, qw: 7 });
    expect(Object.keys(STATISTICS)).toEqual([
      'passes',
      'ticks',
      'droppedTicks',
      'gaps',
      'catchUpPasses',
      'invalidPoses',
      'publications',
      'overwrittenPublications',
      'controlMessages',
      'slow',
      'gapMs',
      'earlyWakes',
    ]);
    expect(Object.values(STATISTICS)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('has room for every field', () => {
    expect(fits(CONTROL, CONTROL_LENGTH)).toBe(true);
    expect(fits(SLOT_HEADER, SLOT_HEADER_LENGTH)).toBe(true);
    expect(fits(STATE_HEADER, STATE_HEADER_LENGTH)).toBe(true);
    expect(fits(STATISTICS, STATISTICS_SCALARS)).toBe(true);
  });
});

describe('any layout', () => {
  const anyLayout = fc
    .tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 2, max: 4 }))
    .map(([capacity, states]) => layoutOf(capacity, states));

  test('gives each slot, and what each thread writes, cache lines of its own', () => {
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
        ]) {
          expect(offset % 64).toBe(0);
        }
      }),
    );
    // Words of the control region that different threads write: a cache line is 16 words.
    const lines = [CONTROL.magic, CONTROL.doorbell, CONTROL.clockRequest, CONTROL.mailbox].map(
      (word) => Math.floor(word / 16),
    );
    expect(new Set(lines).size).toBe(lines.length);
  });

  test('has views that neither overlap nor leave the buffer', () => {
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
    const layout = layoutOf(10, 3);
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
  [0, 4, /capacity must be a whole number from 1 to 1048576, and is 0/],
  [-1, 4, /capacity must .* -1/],
  [1.5, 4, /capacity must .* 1.5/],
  [Number.NaN, 4, /capacity must .* NaN/],
  [MAX_CAPACITY + 1, 4, /capacity must .* 1048577/],
  [10, 1, /history must be a whole number from 2 to 4, and is 1/],
  [10, 5, /history must .* 5/],
  [10, 2.5, /history must .* 2.5/],
])('there is no layout for %d bodies and %d states', (capacity, states, message) => {
  expect(() => layoutOf(capacity, states)).toThrow(RangeError);
  expect(() => layoutOf(capacity, states)).toThrow(message);
});

/** The bytes that each view covers; of two views of the same memory only one is named. */
function rangesOf(views: BufferViews): { from: number; to: number }[] {
  const all: ArrayBufferView[] = [
    views.control,
    views.clockReplyMs,
    views.statistics,
    ...Object.values(views.histograms),
    ...views.statuses,
    ...views.slots.flatMap((slot) => [slot.header, ...slot.stateHeaders, ...slot.poses]),
  ];
  expect(views.slots).toHaveLength(SLOT_COUNT);
  return all.map((view) => ({ from: view.byteOffset, to: view.byteOffset + view.byteLength }));
}
