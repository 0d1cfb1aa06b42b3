import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryStore } from '../../../../src/render-main/recording/entry-store.js';
import * as packing from '../../../../src/render-main/recording/packed-entries.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
import { takeTurn } from '../../../fixtures/scripted-host.js';
import { inputOf } from '../../../fixtures/run-toy.js';

const input = (tick: number, code = tick): RecordingEntry => ({
  kind: 'input',
  tick,
  input: inputOf(code, 0.5, 0.25),
});

/** For quick comparison. */
const written = (entries: readonly RecordingEntry[]): string =>
  JSON.stringify(entries.map((entry) => Object.entries(entry).toSorted()));

/** An entry this many ticks after the previous one. */
const anyEntry = fc.record({
  ticks: fc.constantFrom(0, 0, 0, 1, 1, 9),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('input' as const),
      input: fc
        .tuple(fc.integer({ min: -9, max: 9 }), fc.double({ noNaN: true }))
        .map(([code, x]) => inputOf(code, x)),
    }),
    fc.record({
      kind: fc.constant('command' as const),
      name: fc.constantFrom('jump', 'büild'),
      args: fc.constantFrom('[]', '["x",1]'),
      call: fc.nat({ max: 1e6 }),
    }),
    fc.record({ kind: fc.constant('step' as const), dt: fc.constantFrom(0.5, 0.25, 0.1) }),
    fc.constant({ kind: 'hash' as const, hash: '0123456789abcdef' }),
  ),
});

const anyHappening = fc.oneof(
  { weight: 12, arbitrary: fc.record({ add: anyEntry }) },
  { weight: 2, arbitrary: fc.record({ between: fc.tuple(fc.nat(60), fc.nat(60)) }) },
  { weight: 1, arbitrary: fc.record({ keep: fc.tuple(fc.nat(30), fc.nat(60)) }) },
  { weight: 3, arbitrary: fc.constant({ turn: true } as const) },
);

test('a store returns the entries that were added, packed or not, whatever was forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyHappening, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 1, max: 8 }),
      async (happenings, chunkEntries) => {
        const store = new EntryStore(async () => packing, chunkEntries);
        let reported: RecordingEntry[] = [];
        /** Steps that were forgotten hold on. */
        let dt: number | undefined;
        let tick = 1;
        const stepAt = (at: number): number | undefined => {
          const step = reported.findLast((entry) => entry.kind === 'step' && entry.tick <= at);
          return step?.kind === 'step' ? step.dt : dt;
        };
        const expected = (after: number, until: number): RecordingEntry[] => {
          const entries = reported.filter((entry) => entry.tick > after && entry.tick <= until);
          const holds = stepAt(after);
          const hasStep = entries.some((one) => one.kind === 'step' && one.tick === after + 1);
          if (holds === undefined || after >= until || hasStep) return entries;
          return [{ kind: 'step', tick: after + 1, dt: holds }, ...entries];
        };
        for (const happening of happenings) {
          if ('add' in happening) {
            tick += happening.add.ticks;
            const entry: RecordingEntry = { ...happening.add.what, tick };
            store.add(entry);
            reported.push(entry);
          } else if ('turn' in happening) {
            await takeTurn();
          } else if ('between' in happening) {
            const [after, until] = happening.between;
            expectSame(written(store.between(after, until)), written(expected(after, until)));
          } else {
            const [after, length] = happening.keep;
            dt = stepAt(after);
            reported = reported.filter(
              (entry) => entry.tick > after && entry.tick <= after + length,
            );
            store.keep(after, after + length);
            tick = Math.max(reported.at(-1)?.tick ?? 1, after + 1);
          }
          expect(store.bytes > 0).toBe(reported.length > 0);
        }
        await takeTurn();
        const all = Number.MAX_SAFE_INTEGER;
        expect(store.between(0, all)).toEqual(expected(0, all));
        expect(store.bytesAfter(all)).toBe(0);
        expect(store.bytesAfter(Number.NEGATIVE_INFINITY)).toBe(store.bytes);
      },
    ),
  );
});

test('the packer is not loaded before there are enough entries, and then makes them smaller', async () => {
  let loads = 0;
  const load = async (): Promise<typeof packing> => {
    loads += 1;
    return packing;
  };
  const store = new EntryStore(load, 100);
  for (let tick = 1; tick < 100; tick++) store.add({ kind: 'hash', tick, hash: '0'.repeat(16) });
  const { bytes } = store;
  await takeTurn();
  expect([loads, store.bytes]).toEqual([0, bytes]);
  store.add({ kind: 'hash', tick: 100, hash: 'f'.repeat(16) });
  await takeTurn();
  expect(loads).toBe(1);
  expect(store.bytes).toBeLessThan(bytes);
  expect(store.between(99, 100)).toEqual([{ kind: 'hash', tick: 100, hash: 'f'.repeat(16) }]);
});

test('the packer is not given more than half a megabyte in one go, however few entries have that', async () => {
  const sizes: number[] = [];
  const pack: typeof packing.pack = (entries) => {
    const packed = packing.pack(entries);
    sizes.push(packed.length);
    return packed;
  };
  const store = new EntryStore(async () => ({ ...packing, pack }));
  const data = new Float32Array(25_000);
  for (let tick = 1; tick <= 22; tick++) {
    store.add({ kind: 'command', tick, name: 'set', args: '[]', data });
    await takeTurn();
  }
  expect(sizes).toHaveLength(3);
  expect(Math.max(...sizes)).toBeLessThan(7 * data.byteLength);
  expect(store.between(0, 22)).toHaveLength(22);
});

test('nothing is lost if the packer does not load, and everything counts at its full size', async () => {
  let isOffline = true;
  const load = async (): Promise<typeof packing> => {
    if (isOffline) throw new TypeError('offline');
    return packing;
  };
  const store = new EntryStore(load, 10);
  for (let tick = 1; tick <= 10; tick++) store.add(input(tick));
  const { bytes } = store;
  await takeTurn();
  expect(store.bytes).toBe(10 * bytes);
  expect(store.between(0, 10)).toHaveLength(10);
  isOffline = false;
  for (let tick = 11; tick <= 20; tick++) store.add(input(tick));
  await takeTurn();
  expect(store.bytes).toBeLessThan(2 * bytes);
  expect(store.between(0, 20)).toHaveLength(20);
});

test('entries that the packer refuses stay as they are', async () => {
  const store = new EntryStore(async () => packing, 2);
  const odd: RecordingEntry = { kind: 'step', tick: 2, dt: -1 };
  store.add(input(1));
  store.add(odd);
  await takeTurn();
  expect(store.between(0, 2)).toEqual([input(1), odd]);
});

test('a store packs by itself, with the packer that it imports', async () => {
  const store = new EntryStore();
  for (let tick = 1; tick <= 512; tick++) store.add(input(tick));
  const { bytes } = store;
  // As long as that takes.
  await import('../../../../src/render-main/recording/packed-entries.js');
  await takeTurn();
  expect(store.bytes).not.toBe(bytes);
  expect(store.between(500, 503).map(({ tick }) => tick)).toEqual([501, 502, 503]);
});
