import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTROL_LENGTH } from '../../../../src/shared/memory/layout.js';
import { DEFAULT_MAX_CATCH_UP_TICKS, Schedule } from '../../../../src/shared/time/schedule.js';
import { Pacer } from '../../../../src/sim-worker/loop/pacer.js';
import {
  expectAbove,
  expectAtMost,
  expectBelow,
  expectClose,
  expectSame,
} from '../../../fixtures/quick-checks.js';

/** A pacer whose clock starts at page time 0, and its counters. */
class CountingPacer {
  readonly schedule: Schedule;
  readonly pacer: Pacer;
  ticks = 0;
  droppedMs = 0;
  droppedTicks = 0;
  gapMs = 0;

  constructor(tickRateHz: number, maxCatchUpTicks = DEFAULT_MAX_CATCH_UP_TICKS) {
    this.schedule = new Schedule(tickRateHz);
    this.pacer = new Pacer(this.schedule, maxCatchUpTicks, new Int32Array(CONTROL_LENGTH));
    this.schedule.resume(0);
  }

  /** One pass; its ticks take no time. Returns how many it ran. */
  pass(pageMs: number, asleepSinceMs = pageMs): number {
    this.gapMs += this.pacer.begin(pageMs, asleepSinceMs);
    const droppedTicks = this.pacer.takeDroppedTicks();
    this.droppedTicks += droppedTicks;
    this.droppedMs += droppedTicks * this.schedule.periodMs;
    let ticks = 0;
    while (this.pacer.next() !== undefined) ticks += 1;
    this.ticks += ticks;
    return ticks;
  }

  /** Overstep / period: how far the moment is beyond the last tick. */
  alphaAt(pageMs: number): number {
    const { schedule, pacer } = this;
    return (
      (schedule.virtualMsAt(pageMs) - schedule.dueVirtualMs(pacer.lastTick)) / schedule.periodMs
    );
  }
}

test.each([
  [350, 0, 3, 0, 0],
  [350.5, 0, 1, 250.5, 0],
  [910, 500, 5, 410, 0],
  // The steps of the pass before have taken until then: whole ticks are dropped, beyond the bound of a pass.
  [910, 900, 5, 0, 4],
])(
  'a wake-up is caught up unless it is over 250 ms late: one at %d ms, after a sleep from %d on, runs %d ticks, skips %d ms and drops %d ticks',
  (pageMs, asleepSinceMs, ticks, gapMs, dropped) => {
    const counting = new CountingPacer(10);
    expect(counting.pass(pageMs, asleepSinceMs)).toBe(ticks);
    expect(counting.gapMs).toBeCloseTo(gapMs, 9);
    expect(counting.droppedTicks).toBe(dropped);
    expect(counting.pacer.nextDueMs).toBeCloseTo(100 * (ticks + dropped + 1) + gapMs, 9);
  },
);

const wakes = fc.array(
  fc.record({
    asleepMs: fc.oneof(
      fc.double({ min: 0, max: 40, noNaN: true }),
      fc.double({ min: 0, max: 2000, noNaN: true }),
    ),
    busyMs: fc.double({ min: 0, max: 100, noNaN: true }),
  }),
  { maxLength: 100 },
);

test('in any sequence of wake-ups all time is ticks, drops and gaps, and no phase is lost', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(10, 59.94, 60, 144, 1000),
      fc.integer({ min: 1, max: 12 }),
      wakes,
      (tickRateHz, maxCatchUpTicks, sequence) => {
        const counting = new CountingPacer(tickRateHz, maxCatchUpTicks);
        const { periodMs } = counting.schedule;
        let pageMs = 0;
        let asleepSinceMs = 0;
        for (const { asleepMs, busyMs } of sequence) {
          pageMs += asleepMs;
          const ticks = counting.pass(pageMs, asleepSinceMs);
          expectAtMost(ticks, maxCatchUpTicks);
          // Never ahead of the schedule.
          expectAbove(counting.alphaAt(pageMs), -1e-6);
          pageMs += busyMs;
          asleepSinceMs = pageMs;
          const accountedMs = counting.ticks * periodMs + counting.droppedMs + counting.gapMs;
          const overstepMs = counting.alphaAt(pageMs) * periodMs;
          expectClose(accountedMs + overstepMs, pageMs, 6);
        }
        expectSame(counting.pacer.lastTick, counting.ticks);
        // After a pass at most a busy time behind.
        counting.pass(pageMs, pageMs);
        expectBelow(counting.alphaAt(pageMs), 1 + 1e-6);
      },
    ),
    { numRuns: 150 },
  );
});

test('stepping while paused runs exactly the requested ticks, in passes, and drops none', () => {
  const counting = new CountingPacer(60);
  counting.pass(40);
  counting.schedule.pause(45);
  counting.schedule.step(12);
  const passes = Array.from({ length: 4 }, () => counting.pass(100_000));
  expect(passes).toEqual([5, 5, 2, 0]);
  expect(counting.droppedTicks).toBe(0);
  expect(counting.pacer.lastTick).toBe(2 + 12);
});
