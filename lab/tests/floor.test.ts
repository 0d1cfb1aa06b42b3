/** How deep the ball is drawn inside the floor: only by the loop that predicts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate, stepperOptionsFor } from '../engine/index.js';
import { STEPPER_INFO } from '../engine/loops/stepper-info.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';

const milliseconds = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const rate = fc.oneof(fc.constantFrom(25, 50, 59.94, 60, 144), milliseconds(2, 240));

/** Any that let time pass: a frame without vsync costs something. */
const scenarios = fc.record({
  seconds: milliseconds(1, 4),
  displayHz: rate,
  vsync: fc.boolean(),
  stampNoiseMs: fc.constantFrom(0, 0.2, 5),
  updateMs: milliseconds(0, 30),
  frameMs: milliseconds(0.5, 40),
  wakeLateMs: fc.constantFrom(0, 2),
  machineSpeed: milliseconds(0.25, 4),
  hitches: fc
    .option(fc.record({ atMs: milliseconds(0, 3000), durationMs: milliseconds(1, 1500) }))
    .map((hitch) => (hitch === null ? [] : [hitch])),
  renderHz: fc.option(rate, { nil: null }),
  skipRepeats: fc.boolean(),
  seed: fc.nat(),
});
const settings = fc.record({
  tickHz: rate,
  maxSteps: fc.constantFrom(1, 5, Infinity),
  interpolate: fc.boolean(),
});

/** Checks a run of a stepper, with any options and on any machine. */
function holds(
  kind: StepperKind,
  check: (run: { framesInFloor: number; deepestInFloor: number }) => void,
): void {
  fc.assert(
    fc.property(scenarios, settings, (scenario, { tickHz, maxSteps, interpolate }) => {
      const options = { fixed: { interpolate }, 'rate-groups': { interpolate } };
      const given = { tickHz, maxSteps, options };
      check(simulate(stepperOptionsFor(kind, given, scenario), scenario));
    }),
    { numRuns: 25 },
  );
}

const isPredicted = (kind: StepperKind): boolean => STEPPER_INFO[kind].draws === 'predicted';

test.each(STEPPER_KINDS.filter((kind) => !isPredicted(kind)))(
  '%s never draws the ball below the floor',
  (kind) => {
    holds(kind, ({ framesInFloor, deepestInFloor }) => {
      expect({ framesInFloor, deepestInFloor }).toEqual({ framesInFloor: 0, deepestInFloor: 0 });
    });
  },
);

test.each(STEPPER_KINDS.filter(isPredicted))(
  '%s has a depth in the floor and frames that show it, or neither',
  (kind) => {
    let runsInFloor = 0;
    holds(kind, ({ framesInFloor, deepestInFloor }) => {
      expect(deepestInFloor).toBeGreaterThanOrEqual(0);
      expect(deepestInFloor > 0).toBe(framesInFloor > 0);
      if (deepestInFloor > 0) runsInFloor += 1;
    });
    expect(runsInFloor).toBeGreaterThan(0);
  },
);

/**
 * Computed manually, in a run on a machine on which nothing takes time: frame n begins at n /
 * display, when the ticks at 0, 1 / rate, … before it have run, and continues from the last one at
 * the ball's speed. The ball is thrown up 1 unit high every 0.97 s.
 */
function deepestByHand(tickHz: number, displayHz: number, seconds: number): number {
  let deepest = 0;
  for (let frame = 1; frame < seconds * displayHz; frame++) {
    const ticks = Math.ceil((frame * tickHz) / displayHz);
    const aheadSeconds = frame / displayHz + (1 - ticks) / tickHz;
    // In whole numbers: a state exactly at the bounce rises again, and no longer falls.
    const share = ((ticks * 1000) % (970 * tickHz)) / (970 * tickHz);
    const height = 4 * share * (1 - share);
    const speed = (4 * (1 - 2 * share)) / 0.97;
    deepest = Math.max(deepest, -(height + speed * aheadSeconds));
  }
  return deepest;
}

test.each([
  [25, 60],
  [60, 60],
  [25, 144],
  [20, 144],
])(
  'fixed-predict at %d updates per second on a %d Hz display draws the ball in the floor to the depth computed manually',
  (tickRateHz, displayHz) => {
    const { deepestInFloor } = simulate({ kind: 'fixed-predict', tickRateHz }, { displayHz });
    expect(deepestInFloor).toBeGreaterThan(0.03);
    expect(deepestInFloor).toBeCloseTo(deepestByHand(tickRateHz, displayHz, 10), 9);
  },
);
