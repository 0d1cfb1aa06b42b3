/** What columns count and options do, in runs short enough to be followed manually. */
import { expect, test } from 'vitest';
import { compare, simulate, stepperOptionsFor } from '../engine/index.js';
import { Motion } from '../engine/motion.js';
import { STEPPER_KINDS, type StepperKind } from '../engine/loops/registry.js';

test('the 99th percentile of the animation errors is neither their largest nor their mean', () => {
  const motion = new Motion();
  let simulatedMs = 0;
  for (let frame = 0; frame <= 1000; frame++) {
    // One frame moves by 60 ms in place of 10, twenty by 15.
    simulatedMs += frame === 500 ? 60 : frame % 50 === 1 ? 15 : 10;
    const at = { previousMs: simulatedMs, currentMs: simulatedMs, alpha: 1, predictMs: 0 };
    motion.add({ ...at, displayedMs: 10 * frame, dueMs: 10 * frame, isMoving: true });
  }
  const { mean, p99, max } = motion.summary.animationErrorMs;
  expect(max).toBe(50);
  expect(p99).toBeCloseTo(5, 1);
  expect(mean).toBeCloseTo((50 + 20 * 5) / 1000, 9);
});

/** Frames begin at 0, 10, …, 1000, and then after the lag: at 1300, 1310, … */
const lagging = {
  displayHz: 100,
  seconds: 2,
  hitches: [{ atMs: 995, durationMs: 305 }],
};

test('a lag of 300 ms is the largest step of a loop that takes it in one, even if not the last', () => {
  expect(simulate({ kind: 'variable' }, lagging).largestStepMs).toBeCloseTo(310, 9);
  expect(simulate({ kind: 'semi-fixed' }, lagging).largestStepMs).toBeCloseTo(1000 / 60, 9);
});

test('a lag of 300 ms is the largest backlog, even if the last pass found none', () => {
  expect(simulate({ kind: 'variable' }, lagging).largestBacklogMs).toBeCloseTo(310, 9);
  expect(simulate({ kind: 'variable' }, { displayHz: 100 }).largestBacklogMs).toBeCloseTo(10, 9);
});

test('a lag of 300 ms runs as many updates in a pass as maxSteps allows, and drops the rest', () => {
  const [free, bound] = [Infinity, 3].map(
    (maxSteps) => compare(['semi-fixed'], { tickHz: 100, maxSteps }, lagging)[0],
  );
  expect(free?.droppedMs).toBe(0);
  expect(bound?.droppedMs).toBeCloseTo(310 - 30, 6);
});

const display = { displayHz: 144, renderHz: 30 };

test.each<[StepperKind, object]>([
  ['unpaced', { tickRateHz: 40 }],
  ['frame-locked', { tickRateHz: 40 }],
  ['variable', { tickRateHz: 40 }],
  ['frame-skip', { tickRateHz: 40, maxFrameSkip: 7 }],
  ['fixed-predict', { tickRateHz: 40, maxFrameSkip: 7 }],
  ['semi-fixed', { tickRateHz: 40, maxSteps: 7 }],
  ['fixed', { tickRateHz: 40, maxSteps: 7 }],
  ['refresh-multiple', { assumedHz: 144 }],
  ['rate-groups', { tickRateHz: 40, maxSteps: 7, renderHz: 30 }],
  ['bounded-variable', { maxSteps: 7 }],
])('options for all reach %s under its names for them', (kind, options) => {
  expect(stepperOptionsFor(kind, { tickHz: 40, maxSteps: 7 }, display)).toEqual({
    kind,
    ...options,
  });
});

test('options of a stepper come before those for all', () => {
  const own = {
    fixed: { maxSteps: 2 },
    'refresh-multiple': { assumedHz: 50 },
    'rate-groups': { renderHz: 60 },
  };
  for (const kind of ['fixed', 'refresh-multiple', 'rate-groups'] as const) {
    const settings = { maxSteps: 7, options: own };
    expect(stepperOptionsFor(kind, settings, display)).toMatchObject(own[kind]);
  }
});

test.each(STEPPER_KINDS)('%s skips only frames that would look the same', (kind) => {
  const settings = { tickHz: 60, options: { 'rate-groups': { interpolate: true } } };
  const scenario = { displayHz: 144, seconds: 2, renderHz: null };
  const options = stepperOptionsFor(kind, settings, scenario);
  const all = simulate(options, scenario);
  const skipping = simulate(options, { ...scenario, skipRepeats: true });
  expect(skipping.distinctFrames).toBe(all.distinctFrames);
  const draws = ['fixed', 'fixed-predict', 'rate-groups'].includes(kind)
    ? all.frames
    : all.distinctFrames;
  expect(skipping.frames).toBe(draws);
});
