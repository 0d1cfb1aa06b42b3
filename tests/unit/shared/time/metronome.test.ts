import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Metronome } from '../../../../src/shared/time/metronome.js';
import { expectAbove, expectSame } from '../../../fixtures/quick-checks.js';

const SECOND = 1_000_000;

/** When a metronome beats, called at every µs from 0. */
function beatsBelow(metronome: Metronome, endUs: number): number[] {
  const beats: number[] = [];
  for (let us = 0; us < endUs; us++) {
    for (let due = metronome.advance(us); due > 0; due--) beats.push(us);
  }
  return beats;
}

test('the first call of a metronome is due, the others strictly after their time', () => {
  const metronome = new Metronome(10_000);
  expect(beatsBelow(metronome, 350)).toEqual([0, 101, 201, 301]);
  // 3 1/3, 6 2/3, 10 (passed at 11), 13 1/3, 16 2/3, 20 (passed at 21)
  const uneven = new Metronome(300_000);
  expect(beatsBelow(uneven, 22)).toEqual([0, 4, 7, 11, 14, 17, 21]);
});

test.each([50, 60, 144, 59.94, 1000 / 3])(
  'a metronome of %d Hz has no drift in 24 hours',
  (rateHz) => {
    const metronome = new Metronome(rateHz);
    const day = 24 * 3600 * SECOND;
    let beats = metronome.advance(0);
    // Calls at uneven times, with gaps of up to 2 s.
    let seed = 1;
    for (let us = 0; us < day;) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      us = Math.min(day, us + 1 + (seed % 2_000_000));
      beats += metronome.advance(us);
    }
    // Beat 0 and every one strictly before the end.
    expect(beats).toBe(Math.ceil(24 * 3600 * rateHz));
    expect(metronome.advance(day + 1)).toBe(Number.isInteger(24 * 3600 * rateHz) ? 1 : 0);
  },
);

test('the next due time of a metronome is the first µs at which it is due', () => {
  const rateHz = fc.double({ min: 0.5, max: 1000, noNaN: true });
  const gapsUs = fc.array(fc.nat(5 * SECOND), { minLength: 1 });
  fc.assert(
    fc.property(rateHz, gapsUs, fc.constantFrom(0, 7), (rate, gaps, early) => {
      const metronome = new Metronome(rate, early);
      expect(metronome.nextDueUs).toBeNaN();
      let now = 0;
      for (const gapUs of gaps) {
        now += gapUs;
        metronome.advance(now);
        const next = metronome.nextDueUs;
        expectAbove(next, now);
        expectSame(metronome.advance(next - 1), 0);
        expectSame(metronome.advance(next), 1);
        now = next;
      }
    }),
  );
});
