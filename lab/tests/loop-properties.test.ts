import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CONTROL_LENGTH } from '../../src/shared/memory/layout.js';
import { Schedule } from '../../src/shared/time/schedule.js';
import { Pacer } from '../../src/sim-worker/loop/pacer.js';
import {
  createStepper,
  type StepperOptions,
  STEPPER_KINDS,
  type StepperKind,
} from '../engine/loops/registry.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { ALPHA_MAX } from '../engine/loops/fixed.js';
import { drive } from './driven-stepper.js';
import {
  expectAtLeast,
  expectAtMost,
  expectBelow,
  expectSame,
} from '../../tests/fixtures/quick-checks.js';

const rate = fc.oneof(
  fc.integer({ min: 1, max: 240 }),
  fc.double({ min: 1, max: 240, noNaN: true }),
);
const cap = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 12 }));
const flag = fc.boolean();
const clampRatio: fc.Arbitrary<[number, number] | null> = fc.option(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 9, noNaN: true })),
);

/** Any options of each stepper. */
const anyOptions: Readonly<Record<StepperKind, fc.Arbitrary<StepperOptions>>> = {
  unpaced: fc.record({ kind: fc.constant('unpaced'), tickRateHz: rate }),
  'frame-locked': fc.record({ kind: fc.constant('frame-locked'), tickRateHz: rate }),
  variable: fc.record({
    kind: fc.constant('variable'),
    tickRateHz: rate,
    clampRatio,
  }),
  'frame-skip': fc.record({
    kind: fc.constant('frame-skip'),
    tickRateHz: rate,
    maxFrameSkip: cap,
  }),
  'fixed-predict': fc.record({
    kind: fc.constant('fixed-predict'),
    tickRateHz: rate,
    maxFrameSkip: cap,
  }),
  'semi-fixed': fc.record({ kind: fc.constant('semi-fixed'), tickRateHz: rate, maxSteps: cap }),
  fixed: fc.record({
    kind: fc.constant('fixed'),
    tickRateHz: rate,
    maxSteps: cap,
    maxFrameMs: fc.integer({ min: 1, max: 500 }),
    interpolate: flag,
  }),
  'refresh-multiple': fc.record({
    kind: fc.constant('refresh-multiple'),
    assumedHz: rate,
    maxIntervals: fc.integer({ min: 1, max: 8 }),
    thresholdMs: fc.integer({ min: 1, max: 3000 }),
    overload: fc.constantFrom('slow-down', 'pass-through'),
  }),
  'rate-groups': fc.record({
    kind: fc.constant('rate-groups'),
    tickRateHz: rate,
    renderHz: rate,
    refreshHz: rate,
    maxSteps: cap,
    interpolate: flag,
  }),
  'bounded-variable': fc.record({
    kind: fc.constant('bounded-variable'),
    maxDtMs: fc.integer({ min: 1, max: 100 }),
    remainder: flag,
    maxLagMs: fc.integer({ min: 0, max: 20 }),
    maxSteps: cap,
  }),
};

/** What actions take, in ms: mostly little, now and then a hitch; also no time. */
const durations = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0, max: 20, noNaN: true }) },
    { weight: 2, arbitrary: fc.constantFrom(0, 1000 / 60, 10) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 3000, noNaN: true }) },
  ),
  { minLength: 1, maxLength: 120 },
);
const startMs = fc.constantFrom(0, 1234.5678, 1e9);

/** Doubles around 1e9 are 1e-7 apart, and a run adds up a few hundred of them. */
const ROUNDING_MS = 1e-4;

/** Checks a rule for any options of a stepper, from any start, whatever its actions take. */
function holds(
  kind: StepperKind,
  check: (given: StepperOptions, atMs: number, takes: readonly number[]) => void,
): void {
  const options = anyOptions[kind];
  fc.assert(fc.property(options, startMs, durations, check), { numRuns: 60 });
}

test.each(STEPPER_KINDS)(
  '%s: no step exceeds its bound, none is negative, equal ones are equal',
  (kind) => {
    holds(kind, (given, atMs, takes) => {
      const stepper = createStepper(given);
      // Only the variable step's first one may be zero.
      const variableMinMs = kind === 'variable' ? 0 : Number.MIN_VALUE;
      const minMs = STEPPER_INFO[kind].step === 'equal' ? stepper.stepBoundMs : variableMinMs;
      drive(stepper, atMs, takes, ({ action }) => {
        if (action.kind !== 'update') return;
        expectAtMost(action.stepMs, stepper.stepBoundMs);
        expectAtLeast(action.stepMs, minMs);
      });
    });
  },
);

test.each(STEPPER_KINDS)(
  '%s: due times never go back, and no update is from the future if the rule forbids it',
  (kind) => {
    holds(kind, (given, atMs, takes) => {
      const stepper = createStepper(given);
      let lastDueMs = Number.NEGATIVE_INFINITY;
      // refresh-multiple treats an interval that is 0.1 ms short as whole; bounded-variable without
      // remainder ends up to one step ahead.
      const ahead = given.kind === 'bounded-variable' && given.remainder === false;
      const aheadMs = kind === 'refresh-multiple' ? 0.1 : ahead ? stepper.stepBoundMs : 0;
      drive(stepper, atMs, takes, ({ nowMs, action }) => {
        if (action.kind !== 'update') return;
        expectAtLeast(action.dueMs, lastDueMs);
        expectAtMost(action.dueMs, nowMs + aheadMs + ROUNDING_MS);
        lastDueMs = action.dueMs;
      });
    });
  },
);

test.each(STEPPER_KINDS)(
  '%s: a pass is updates, then at most one frame, then at most one refresh, then at most one sleep',
  (kind) => {
    const inOrder = /^(?:u*f?r?s?)$/;
    holds(kind, (given, atMs, takes) => {
      const stepper = createStepper(given);
      let pass = '';
      let passes = 0;
      drive(stepper, atMs, takes, ({ action }) => {
        if (stepper.passes !== passes) pass = '';
        passes = stepper.passes;
        pass += action.kind.charAt(0);
        expect(pass).toMatch(inOrder);
      });
    });
  },
);

test.each(STEPPER_KINDS)(
  '%s: frames are between the two states, or beyond the current one if they are predicted',
  (kind) => {
    holds(kind, (given, atMs, takes) => {
      const belowOne = given.kind === 'fixed' && given.interpolate === true;
      const highestAlpha = belowOne ? ALPHA_MAX : 1;
      const maxMs = kind === 'fixed-predict' ? Number.POSITIVE_INFINITY : 0;
      drive(createStepper(given), atMs, takes, ({ action }) => {
        if (action.kind !== 'frame') return;
        expectAtLeast(action.alpha, 0);
        expectAtMost(action.alpha, highestAlpha);
        expectAtLeast(action.predictMs, 0);
        expectAtMost(action.predictMs, maxMs);
      });
    });
  },
);

/**
 * Those that simulate or drop the elapsed time in each pass, and carry nothing over to the next.
 */
const PAYING = [
  'semi-fixed',
  'fixed',
  'refresh-multiple',
  'rate-groups',
  'bounded-variable',
] as const satisfies readonly StepperKind[];

test.each(PAYING)('%s: leaves less than a step, however long the lag', (kind) => {
  holds(kind, (given, atMs, takes) => {
    const stepper = createStepper(given);
    const waitsMs = given.kind === 'refresh-multiple' ? 1000 / (given.assumedHz ?? 60) : 0;
    const maxMs = Math.max(waitsMs, kind === 'refresh-multiple' ? 0 : stepper.stepBoundMs);
    let passMs = atMs;
    let passes = 0;
    drive(stepper, atMs, takes, ({ nowMs, action }) => {
      if (stepper.passes !== passes) passMs = nowMs;
      passes = stepper.passes;
      const isPaid = action.kind !== 'update';
      const leftMs = isPaid ? stepper.leftMs(passMs) : 0;
      expectAtMost(leftMs, maxMs + ROUNDING_MS);
    });
  });
});

/** All but the one that has no clock. */
const TIMED = STEPPER_KINDS.filter((kind) => kind !== 'unpaced');

test.each(TIMED)('%s: accounts for all time as steps, remainder and drops', (kind) => {
  holds(kind, (given, atMs, takes) => {
    const stepper = createStepper(given);
    let simulatedMs = 0;
    drive(stepper, atMs, takes, ({ nowMs, action }) => {
      if (action.kind === 'update') simulatedMs += action.stepMs;
      const inMs = nowMs - atMs + stepper.inventedMs;
      const outMs = simulatedMs + stepper.leftMs(nowMs) + stepper.droppedMs;
      expectBelow(Math.abs(inMs - outMs), ROUNDING_MS);
    });
    expectAtLeast(stepper.droppedMs, 0);
    expectAtLeast(stepper.inventedMs, 0);
  });
});

test.each(TIMED)('%s: a driver that sleeps while it is idle loses nothing', (kind) => {
  const paceMs = 1;
  holds(kind, (given, atMs) => {
    // A threshold below an interval drops time whatever the driver does.
    fc.pre(given.kind !== 'refresh-multiple' || (given.thresholdMs ?? 0) > 1001);
    const stepper = createStepper(given);
    stepper.start(atMs);
    let nowMs = atMs;
    for (let wake = 0; wake < 100; wake++) {
      while (stepper.next(nowMs).kind === 'update');
      expectBelow(stepper.leftMs(nowMs), Math.min(1001, stepper.stepBoundMs + paceMs));
      nowMs = Math.max(nowMs + paceMs, stepper.idleUntilMs);
    }
    expectBelow(stepper.droppedMs, ROUNDING_MS);
  });
});

test('the lab’s fixed loop and the worker’s run the same ticks at the same times', () => {
  const gaps = fc.array(fc.double({ min: 0, max: 240, noNaN: true }), { maxLength: 100 });
  fc.assert(
    fc.property(rate, gaps, (tickRateHz, gapsMs) => {
      const clamped = createStepper({ kind: 'fixed', tickRateHz });
      const schedule = new Schedule(tickRateHz);
      const pacer = new Pacer(schedule, 1000, new Int32Array(CONTROL_LENGTH));
      clamped.start(0);
      schedule.resume(0);
      let nowMs = 0;
      for (const gapMs of gapsMs) {
        const asleepSinceMs = nowMs;
        nowMs += gapMs;
        const paced: number[] = [];
        pacer.begin(nowMs, asleepSinceMs);
        expectSame(pacer.takeDroppedTicks(), 0);
        for (let tick = pacer.next(); tick !== undefined; tick = pacer.next()) {
          paced.push(tick.dueVirtualMs + schedule.shiftMs);
        }
        const due: number[] = [];
        for (let action = clamped.next(nowMs); action.kind === 'update';) {
          due.push(action.dueMs);
          action = clamped.next(nowMs);
        }
        expect(due).toEqual(paced);
      }
      expectSame(clamped.droppedMs, 0);
    }),
  );
});
