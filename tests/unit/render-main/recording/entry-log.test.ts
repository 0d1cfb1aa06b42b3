import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryLog } from '../../../../src/render-main/recording/entry-log.js';
import type { RecordingEntry } from '../../../../src/shared/recording/recording.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
import { inputOf } from '../../../fixtures/run-toy.js';

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
      call: fc.integer({ min: 1, max: 1e6 }),
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

test('a log returns the entries that were added, in any chunks, whatever was forgotten', () => {
  fc.assert(
    fc.property(
      fc.array(anyHappening, { maxLength: 80, size: 'max' }),
      fc.integer({ min: 1, max: 100 }),
      (happenings, chunkBytes) => {
        const log = new EntryLog(chunkBytes);
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
            log.add(entry);
            reported.push(entry);
          } else if ('between' in happening) {
            const [after, until] = happening.between;
            expectSame(written(log.between(after, until)), written(expected(after, until)));
          } else {
            const [after, length] = happening.keep;
            dt = stepAt(after);
            reported = reported.filter(
              (entry) => entry.tick > after && entry.tick <= after + length,
            );
            log.keep(after, after + length);
            tick = Math.max(reported.at(-1)?.tick ?? 1, after + 1);
          }
          expect(log.bytes > 0).toBe(reported.length > 0);
        }
        const all = Number.MAX_SAFE_INTEGER;
        expect(log.between(0, all)).toEqual(expected(0, all));
        expect(log.bytesAfter(all)).toBe(0);
        expect(log.bytesAfter(Number.NEGATIVE_INFINITY)).toBe(log.bytes);
      },
    ),
  );
});

test('a log takes about as much as its entries do in a file', () => {
  const log = new EntryLog();
  const data = new Float32Array(25_000);
  for (let tick = 1; tick <= 1000; tick++) log.add({ kind: 'hash', tick, hash: '0'.repeat(16) });
  expect(log.bytes).toBeLessThan(9100);
  for (let tick = 1001; tick <= 1010; tick++) {
    log.add({ kind: 'command', tick, name: 'set', args: '[]', data });
  }
  expect(log.bytes).toBeGreaterThan(10 * data.byteLength);
  expect(log.bytes).toBeLessThan(10 * data.byteLength + 9500);
  expect(log.between(1000, 1010)).toHaveLength(10);
});
