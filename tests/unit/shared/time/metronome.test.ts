import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Metronome, type MetronomeOptions } from '../../../../src/shared/time/metronome.js';
import { expectAbove, expectSame } from '../../../fixtures/quick-checks.js';

const SECOND = 1_000_000;

/** The units at which a metronome beats, called at every unit from 0. */
function beatsBelow(metronome: Metronome, endUnits: number): number[] {
  const beats: number[] = [];
  for (let units = 0; units < endUnits; units++) {
    for (let due = metronome.advance(units); due > 0; due--) beats.push(units);
  }
  return beats;
}

test('the first call of a metronome is due, the others strictly after their time', () => {
  const metronome = new Metronome({ rateHz: 10, unitsPerSecond: 1000 });
  expect(beatsBelow(metronome, 350)).toEqual([0, 101, 201, 301]);
  // 3 1/3, 6 2/3, 10 (passed at 11), 13 1/3, 16 2/3, 20 (passed at 21)
  const uneven = new Metronome({ rateHz: 3, unitsPerSecond: 10 });
  expect(beatsBelow(uneven, 22)).toEqual([0, 4, 7, 11, 14, 17, 21]);
});

test.each([50, 60, 144, 59.94, 1000 / 3])(
  'a metronome of %d Hz has no drift in 24 hours',
  (rateHz) => {
    const makeUp = new Metronome({ rateHz, missed: 'make-up' });
    const skip = new Metronome({ rateHz });
    const day = 24 * 3600 * SECOND;
    let madeUp = makeUp.advance(0);
    let acted = skip.advance(0);
    // Calls at uneven times, with gaps of up to 2 s.
    let seed = 1;
    for (let units = 0; units < day;) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      units = Math.min(day, units + 1 + (seed % 2_000_000));
      madeUp += makeUp.advance(units);
      acted += skip.advance(units);
    }
    // Beat 0 and every one strictly before the end.
    const expected = Math.ceil(24 * 3600 * rateHz);
    expect(madeUp).toBe(expected);
    expect(acted + skip.skipped).toBe(expected);
    expect(makeUp.advance(day + 1)).toBe(Number.isInteger(24 * 3600 * rateHz) ? 1 : 0);
  },
);

test('missed beats are skipped and counted, or made up, as configured', () => {
  const times = [0, 150, 555, 600, 601];
  const skip = new Metronome({ rateHz: 10, unitsPerSecond: 1000 });
  expect(times.map((units) => skip.advance(units))).toEqual([1, 1, 1, 0, 1]);
  expect(skip.skipped).toBe(3);
  const makeUp = new Metronome({ rateHz: 10, unitsPerSecond: 1000, missed: 'make-up' });
  expect(times.map((units) => makeUp.advance(units))).toEqual([1, 1, 4, 0, 1]);
  expect(makeUp.skipped).toBe(0);
});

test('the next call after a restart of a metronome is due, and counts as the first', () => {
  const metronome = new Metronome({ rateHz: 1, unitsPerSecond: 1000 });
  metronome.advance(0);
  expect(metronome.advance(500)).toBe(0);
  metronome.restart();
  expect([501, 1501, 1502].map((units) => metronome.advance(units))).toEqual([1, 0, 1]);
});

test('the next due time of a metronome is the first unit at which it is due', () => {
  const rateHz = fc.double({ min: 0.5, max: 1000, noNaN: true });
  const units = fc.array(fc.nat(5 * SECOND), { minLength: 1 });
  fc.assert(
    fc.property(rateHz, units, fc.constantFrom(0, 7), (rate, steps, early) => {
      const metronome = new Metronome({ rateHz: rate, earlyUnits: early });
      expect(metronome.nextDueUnits).toBeNaN();
      let now = 0;
      for (const step of steps) {
        now += step;
        metronome.advance(now);
        const next = metronome.nextDueUnits;
        expectAbove(next, now);
        expectSame(metronome.advance(next - 1), 0);
        expectSame(metronome.advance(next), 1);
        now = next;
      }
    }),
  );
});

test.each([
  ...[30, 60, 75, 120, 144, 165, 240].map((hz) => [hz, hz, 60]),
  [60, 144, 600],
  [50, 60, 600],
  [30, 165, 600],
])(
  'as a frame limit with a tolerance of 1 ms, a metronome draws exactly %i of %i frames',
  (limitHz, displayHz, seconds) => {
    const metronome = new Metronome({ rateHz: limitHz, earlyUnits: 1000 });
    let frames = 0;
    for (let frame = 0; frame < displayHz * seconds; frame++) {
      frames += metronome.advance(Math.floor((frame * SECOND) / displayHz));
    }
    expect(frames).toBe(limitHz * seconds);
  },
);

test.each<[MetronomeOptions, RegExp]>([
  [{ rateHz: 0 }, /^rateHz must be a number from 0\.000001 to 1000000, but is 0$/],
  [{ rateHz: Number.NaN }, /^rateHz must be/],
  [{ rateHz: 60, unitsPerSecond: 1.5 }, /^unitsPerSecond must be a whole number/],
  [{ rateHz: 1, unitsPerSecond: 0 }, /^unitsPerSecond must be a whole number from 1 to 1000000000/],
  [{ rateHz: 60, earlyUnits: -1 }, /^earlyUnits must be a whole number from 0 to 1000000/],
  [{ rateHz: 60, missed: 'some' as 'skip' }, /^missed must be one of skip, make-up/],
  [
    { rateHz: 60, rate: 5 } as MetronomeOptions,
    /^unknown option "rate" of a metronome: did you mean "rateHz"/,
  ],
])('a metronome refuses %o', (options, message) => {
  expect(() => new Metronome(options)).toThrow(message);
});
