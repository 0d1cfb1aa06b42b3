import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryStore } from '../../../../src/render-main/recording/entry-store.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
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
);

test('a store returns the entries that were added, packed or not, whatever was forgotten', () => {
  fc.assert(
    fc.property(
      fc.array(anyHappening, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 1, max: 8 }),
      (happenings, chunkEntries) => {
        const store = new EntryStore(chunkEntries);
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
        const all = Number.MAX_SAFE_INTEGER;
        expect(store.between(0, all)).toEqual(expected(0, all));
        expect(store.bytesAfter(all)).toBe(0);
        expect(store.bytesAfter(Number.NEGATIVE_INFINITY)).toBe(store.bytes);
      },
    ),
  );
});

test('entries are packed when there are enough of them, and then are smaller', () => {
  const store = new EntryStore(100);
  for (let tick = 1; tick < 100; tick++) store.add({ kind: 'hash', tick, hash: '0'.repeat(16) });
  const { bytes } = store;
  store.add({ kind: 'hash', tick: 100, hash: 'f'.repeat(16) });
  expect(store.bytes).toBeLessThan(bytes);
  expect(store.between(99, 100)).toEqual([{ kind: 'hash', tick: 100, hash: 'f'.repeat(16) }]);
});

test('not more than half a megabyte is packed in one go, however few entries have that', () => {
  const store = new EntryStore();
  const data = new Float32Array(25_000);
  const sizes: number[] = [];
  for (let tick = 1; tick <= 22; tick++) {
    const { bytes } = store;
    store.add({ kind: 'command', tick, name: 'set', args: '[]', data });
    // An entry as an object counts with more than its packed size.
    if (store.bytes < bytes + data.byteLength + 32) sizes.push(store.bytes);
  }
  const packed = sizes.map((bytes, at) => bytes - (sizes[at - 1] ?? 0));
  expect(packed).toHaveLength(3);
  expect(Math.max(...packed)).toBeLessThan(7 * data.byteLength);
  expect(store.between(0, 22)).toHaveLength(22);
});

test('entries that no file can hold stay as they are, count at their full size, and are packed with the next ones', () => {
  const store = new EntryStore(2);
  const odd: RecordingEntry = { kind: 'step', tick: 2, dt: -1 };
  store.add(input(1));
  const { bytes } = store;
  store.add(odd);
  expect(store.bytes).toBe(20 * bytes);
  expect(store.between(0, 2)).toEqual([input(1), odd]);
  store.keep(0, 1);
  store.add(input(3));
  expect(store.bytes).toBeLessThan(4 * bytes);
  expect(store.between(0, 3)).toEqual([input(1), input(3)]);
});
