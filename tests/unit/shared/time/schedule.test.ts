import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Schedule } from '../../../../src/shared/time/schedule.js';
import { expectSame } from '../../../fixtures/quick-checks.js';

/** In units of 2^−80 ms, to compare with exact results: no bits of a double from 2^−27 up are lost. */
const exactly = (value: number): bigint => BigInt(value * 2 ** 80);

/** Distance from a positive double to the next one. */
function ulpOf(value: number): number {
  const exponent = Math.floor(Math.log2(value));
  // The logarithm may round up to the next power of two.
  return 2 ** ((2 ** exponent > value ? exponent - 1 : exponent) - 52);
}

const upTo = (max: number) => fc.double({ min: 0, max, noNaN: true });
const DAY_MS = 86_400_000;
const rates = fc.oneof(
  fc.constantFrom(10, 30, 50, 59.94, 60, 64, 75, 120, 144, 165, 240, 1000),
  fc.double({ min: 1, max: 1000, noNaN: true }),
);
const scales = fc.oneof(
  fc.constantFrom(0.01, 0.1, 0.5, 1, 2, 100),
  fc.double({ min: 0.01, max: 100, noNaN: true }),
);

/** A schedule that runs since page time 0. */
function running(tickRateHz: number): Schedule {
  const schedule = new Schedule(tickRateHz);
  schedule.resume(0);
  return schedule;
}

/** How far a double is from tick × 1000 / (rate × scale), in ms. */
function distanceMs(dueMs: number, tick: number, rateHz: number, timeScale: number): number {
  const pace = exactly(rateHz) * exactly(timeScale);
  const difference = exactly(dueMs) * pace - BigInt(tick) * 1000n * exactly(1) ** 3n;
  // Scaled so that small differences do not become 0, and scaled back afterwards.
  return Math.abs(Number((difference << 100n) / pace)) / 2 ** 180;
}

test('due times are the exact ones, rounded: never a sum of periods', () => {
  fc.assert(
    fc.property(rates, scales, fc.integer({ min: 1, max: 50_000_000 }), (rate, scale, tick) => {
      const schedule = running(rate);
      schedule.setTimeScale(scale, 0, 0);
      const dueMs = schedule.dueVirtualMs(tick);
      expect(distanceMs(dueMs, tick, rate, scale)).toBeLessThanOrEqual(2 * ulpOf(dueMs));
    }),
    { numRuns: 500 },
  );
});

test('due times determine which tick was the last, for any rate, scale, anchor and moment', () => {
  fc.assert(
    fc.property(
      rates,
      scales,
      fc.nat(1_000_000),
      upTo(DAY_MS),
      (rate, scale, anchorTick, laterMs) => {
        const schedule = running(30);
        schedule.setTickRate(rate, anchorTick);
        schedule.setTimeScale(scale, schedule.dueMs(anchorTick), anchorTick);
        const virtualMs = schedule.dueVirtualMs(anchorTick) + laterMs;
        const tick = schedule.lastTickDueAt(virtualMs);
        expect(schedule.dueVirtualMs(tick)).toBeLessThanOrEqual(virtualMs);
        expect(schedule.dueVirtualMs(tick + 1)).toBeGreaterThan(virtualMs);
        expect(schedule.lastTickDueAt(schedule.dueVirtualMs(tick))).toBe(tick);
      },
    ),
    { numRuns: 500 },
  );
});

test('due times before tick 0 belong to negative ticks', () => {
  expect(running(10).lastTickDueAt(-1)).toBe(-1);
  expect(running(10).lastTickDueAt(-100)).toBe(-1);
  expect(running(10).lastTickDueAt(-100.1)).toBe(-2);
});

test('the time step depends on the tick rate, and not on the time scale', () => {
  const schedule = running(60);
  schedule.setTimeScale(3, 0, 0);
  expect(schedule.dt).toBe(1 / 60);
  expect(schedule.periodMs).toBeCloseTo(1000 / 180, 12);
  schedule.setTickRate(30, 0);
  expect(schedule.dt).toBe(1 / 30);
});

test('a change of the tick rate leaves the last tick where it was, and schedules the next one new period after it', () => {
  fc.assert(
    fc.property(rates, rates, fc.nat(100_000), (before, after, lastTick) => {
      const schedule = running(before);
      const dueMs = schedule.dueVirtualMs(lastTick);
      const { epoch } = schedule;
      schedule.setTickRate(after, lastTick);
      expect(schedule.dueVirtualMs(lastTick)).toBe(dueMs);
      expect(schedule.dueVirtualMs(lastTick + 1)).toBeCloseTo(dueMs + 1000 / after, 6);
      expect(schedule.epoch).toBe(epoch + 1);
    }),
  );
});

/** Simulated time at a moment, between ticks too. */
const simulatedAt = (schedule: Schedule, pageMs: number, lastTick: number): number =>
  lastTick * schedule.dt +
  ((schedule.virtualMsAt(pageMs) - schedule.dueVirtualMs(lastTick)) * schedule.timeScale) / 1000;

test.each([
  [100, 345, 355],
  [10, 300, 400],
  [5, 300, 500],
])(
  'a change from 10 to %d Hz while paused in the middle of a period makes no tick due, and half of the new one has passed if it is shorter',
  (rate, lastMs, nextMs) => {
    const schedule = running(10);
    schedule.pause(350);
    schedule.setTickRate(rate, 3);
    expect(schedule.lastTickDueAt(schedule.pausedVirtualMs)).toBe(3);
    expect([schedule.dueVirtualMs(3), schedule.dueVirtualMs(4)]).toEqual([lastMs, nextMs]);
  },
);

test('a change of the time scale keeps simulated time continuous, at any point of the period', () => {
  fc.assert(
    fc.property(rates, scales, scales, upTo(100_000), (rate, before, after, pageMs) => {
      const schedule = running(rate);
      schedule.setTimeScale(before, 0, 0);
      const lastTick = schedule.lastTickDueAt(schedule.virtualMsAt(pageMs));
      const virtualMs = schedule.virtualMsAt(pageMs);
      const simulatedSeconds = simulatedAt(schedule, pageMs, lastTick);
      schedule.setTimeScale(after, pageMs, lastTick);
      expect(schedule.virtualMsAt(pageMs)).toBe(virtualMs);
      expect(simulatedAt(schedule, pageMs, lastTick)).toBeCloseTo(simulatedSeconds, 8);
      // From here it passes at the new pace.
      expect(simulatedAt(schedule, pageMs + 10, lastTick) - simulatedSeconds).toBeCloseTo(
        after / 100,
        8,
      );
    }),
  );
});

const lastTickOf = (schedule: Schedule, pageMs: number): number =>
  schedule.lastTickDueAt(schedule.virtualMsAt(pageMs));

test('virtual time is 0 until the first resume', () => {
  const schedule = new Schedule(60);
  expect(schedule.isPaused).toBe(true);
  expect(schedule.virtualMsAt(12_345)).toBe(0);
  schedule.resume(500);
  expect(schedule.isPaused).toBe(false);
  expect(schedule.virtualMsAt(600)).toBe(100);
});

/** A change, and how far virtual time jumps: 0 by default, undefined if it has no effect. */
type Change = readonly [
  change: (schedule: Schedule, pageMs: number, value: number) => void,
  jumpMs?: (schedule: Schedule, value: number) => number | undefined,
];
const changes: readonly Change[] = [
  [(schedule, pageMs) => schedule.pause(pageMs), ({ isPaused }) => (isPaused ? undefined : 0)],
  [(schedule, pageMs) => schedule.resume(pageMs), ({ isPaused }) => (isPaused ? 0 : undefined)],
  [
    (schedule, pageMs, value) =>
      schedule.setTickRate(1 + 999 * value, lastTickOf(schedule, pageMs)),
  ],
  [
    (schedule, pageMs, value) =>
      schedule.setTimeScale(0.01 + 10 * value, pageMs, lastTickOf(schedule, pageMs)),
  ],
  [(schedule, pageMs) => schedule.restartAt(schedule.dueVirtualMs(lastTickOf(schedule, pageMs)))],
  [
    (schedule, _, value) => schedule.skipGap(100 * value),
    ({ isPaused }, value) => (isPaused ? 0 : -100 * value),
  ],
  [(schedule) => schedule.drop(2), ({ isPaused, periodMs }) => (isPaused ? 0 : -2 * periodMs)],
  [
    (schedule) => schedule.step(3),
    ({ isPaused, periodMs }) => (isPaused ? 3 * periodMs : undefined),
  ],
];
const history = fc.array(fc.tuple(upTo(1000), fc.constantFrom(...changes), upTo(1)), {
  maxLength: 40,
});

test('virtual time passes like page time, jumps only by gaps, dropped ticks and steps, and each change ends an epoch', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const schedule = running(60);
      let pageMs = 0;
      for (const [passedMs, [change, jump = () => 0], value] of steps) {
        const beforeMs = schedule.virtualMsAt(pageMs);
        const { epoch } = schedule;
        pageMs += passedMs;
        const virtualMs = schedule.virtualMsAt(pageMs);
        expect(virtualMs - beforeMs).toBeCloseTo(schedule.isPaused ? 0 : passedMs, 7);
        const jumpMs = jump(schedule, value);
        change(schedule, pageMs, value);
        expect(schedule.virtualMsAt(pageMs)).toBeCloseTo(virtualMs + (jumpMs ?? 0), 7);
        expect(schedule.epoch > epoch).toBe(jumpMs !== undefined);
      }
    }),
  );
});

test('stepping while paused makes exactly that many ticks due from any phase, in any portions, at any rate and scale', () => {
  fc.assert(
    fc.property(
      rates,
      scales,
      upTo(100_000),
      fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 30 }),
      (rate, scale, pauseMs, portions) => {
        const schedule = running(rate);
        schedule.setTimeScale(scale, 0, 0);
        schedule.pause(pauseMs);
        let expected = schedule.lastTickDueAt(schedule.pausedVirtualMs);
        for (const ticks of portions) {
          schedule.step(ticks);
          expected += ticks;
          expectSame(schedule.lastTickDueAt(schedule.pausedVirtualMs), expected);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('a restart calls the last tick 0, forgets dropped ones, and leaves every due time', () => {
  const schedule = running(10);
  schedule.drop(2);
  expect(schedule.droppedMs).toBe(200);
  const dueMs = [7, 8, 9].map((tick) => schedule.dueMs(tick));
  schedule.restartAt(schedule.dueVirtualMs(7));
  expect([0, 1, 2].map((tick) => schedule.dueMs(tick))).toEqual(dueMs);
  expect(schedule.originVirtualMs).toBe(schedule.dueVirtualMs(0));
  expect(schedule.droppedMs).toBe(0);
});
