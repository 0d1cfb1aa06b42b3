import { expect, test } from 'vitest';
import {
  simulate,
  Trace,
  type Scenario,
  type SecondCounts,
  type TraceSpan,
} from '../engine/index.js';
import { createStepper, type StepperOptions } from '../engine/loops/registry.js';
import { Watchdog, requireWatchdogOptions } from '../engine/watchdog.js';
import { passAt, stepsAt } from './driven-stepper.js';

function traced(options: StepperOptions, scenario: Partial<Scenario>): TraceSpan[] {
  const trace = new Trace();
  simulate(options, scenario, { trace });
  return trace.spans;
}

/** Updates before each frame. */
function updatesPerFrame(spans: readonly TraceSpan[]): number[] {
  const counts: number[] = [];
  let updates = 0;
  for (const { kind } of spans) {
    if (kind === 'update') updates += 1;
    if (kind === 'frame') {
      counts.push(updates);
      updates = 0;
    }
  }
  return counts;
}

/** The article's sum: speed × step, in units of 0.001 a ms, until 10 s have passed. */
function distance(fps: number): number {
  const stepMs = Math.trunc(1000 / fps);
  let sum = 0;
  for (let ms = 0; ms < 10_000; ms += stepMs) sum += 0.001 * stepMs;
  return sum;
}

test('A: the error of variable steps depends on the frame rate, as the article adds it up', () => {
  expect(distance(40)).toBe(10.000000000000075);
  expect(distance(100)).toBe(9.9999999999998312);
  expect(distance(40) - distance(100)).toBe(2.4336088699783431e-13);
});

test.each([40, 100])(
  'A: the error of variable steps depends on the frame rate, as the stepper adds it up on a %i Hz display',
  (displayHz) => {
    const report = simulate({ kind: 'variable' }, { displayHz });
    expect(report.simulatedS).toBe(10);
    expect(report.driftS).toBe(distance(displayHz) - 10);
  },
);

test('B: a prediction continues from the tick at the speed', () => {
  const stepper = createStepper({ kind: 'fixed-predict' });
  stepper.start(0);
  for (let tick = 0; tick <= 10; tick++) passAt(stepper, tick * 40 + 1);
  const frame = passAt(stepper, 10.3 * 40).at(-1)?.action;
  expect(frame).toMatchObject({ kind: 'frame', alpha: 1, predictMs: 12 });
});

/** Where a dot of 100 units a second is at each time. */
function dot(options: StepperOptions, times: readonly number[]): number[] {
  const stepper = createStepper(options);
  stepper.start(0);
  let simulatedMs = 0;
  return times.map((ms) => {
    for (const stepMs of stepsAt(stepper, ms)) simulatedMs += stepMs;
    return simulatedMs / 10;
  });
}

const asWritten = [0, 10, 21, 33.3, 43, 54, 66.6];
const exact = [0, 10, 21, 100 / 3, 43, 54, 200 / 3];
test.each([asWritten, exact])(
  'C: refresh-aligned steps move a dot by whole intervals at %d, %d, %d, %d, … ms',
  (...times) => {
    const plain = dot({ kind: 'variable' }, times);
    [0, 1, 2.1, 3.33, 4.3, 5.4, 6.66].forEach((at, index) => {
      expect(Math.abs((plain[index] ?? Number.NaN) - at)).toBeLessThan(0.01);
    });
    const aligned = dot({ kind: 'refresh-multiple', assumedHz: 60 }, times);
    [0, 0, 1.67, 3.33, 3.33, 5, 6.66].forEach((at, index) => {
      expect(Math.abs((aligned[index] ?? Number.NaN) - at)).toBeLessThan(0.01);
    });
    const interval = 100 / 60;
    const intervals = [0, 0, 1, 2, 2, 3, 4];
    intervals.forEach((count, index) => expect(aligned[index]).toBeCloseTo(count * interval, 10));
  },
);

test('C: with slow-down, 0.12 s asked with a threshold of 0.1 s advances 0.1 s', () => {
  const stepper = createStepper({ kind: 'refresh-multiple' });
  stepper.start(0);
  expect(stepsAt(stepper, 120)).toEqual([50, 50]);
  expect(stepper.droppedMs).toBe(20);
  expect(stepper.leftMs(120)).toBe(0);
});

test('C: with pass-through, one update takes all of the time', () => {
  const stepper = createStepper({ kind: 'refresh-multiple', overload: 'pass-through' });
  stepper.start(0);
  expect(stepsAt(stepper, 120)).toEqual([120]);
  expect(stepper.droppedMs).toBe(0);
});

function perSecond(options: Partial<Scenario>): readonly SecondCounts[] {
  return simulate({ kind: 'rate-groups' }, { seconds: 9, ...options }).perSecond;
}

test('D: steady rate groups are Updated: 60 | Rendered: 50 | Refreshed: 4, in about 610 turns', () => {
  for (const second of perSecond({ updateMs: 0.3, frameMs: 0.8 })) {
    expect(second).toMatchObject({ updated: 60, rendered: 50, refreshed: 4 });
    expect(Math.abs(second.iterations - 610)).toBeLessThanOrEqual(10);
  }
});

test('D: a lag of rate groups loses no updates, and frames are not made up', () => {
  const seconds = perSecond({ hitches: [{ atMs: 4540, durationMs: 530 }] });
  expect(seconds.slice(4, 6).map(({ updated }) => updated)).toEqual([33, 87]);
  expect(seconds.slice(4, 6).map(({ rendered }) => rendered)).toEqual([27, 47]);
  expect(seconds[6]).toMatchObject({ updated: 60, rendered: 50, refreshed: 4 });
});

test('D: a lag of several seconds does not lose updates of rate groups either', () => {
  const seconds = perSecond({ hitches: [{ atMs: 4250, durationMs: 2000 }] });
  // The second in between passed inside the lag.
  expect(seconds.slice(4, 7).map(({ updated }) => updated)).toEqual([15, 0, 165]);
  expect(seconds[7]).toMatchObject({ updated: 60, rendered: 50, refreshed: 4 });
});

test('D: of rate groups rendered at 144 Hz, 84 frames per second repeat a state unless interpolated', () => {
  const scenario = { displayHz: 144, seconds: 10 };
  const plain = simulate({ kind: 'rate-groups', renderHz: 144 }, scenario);
  for (const second of plain.perSecond) {
    expect(second).toMatchObject({ updated: 60, rendered: 144 });
  }
  expect(plain.repeatedFrames).toBe(840);
  const options = { kind: 'rate-groups', renderHz: 144, interpolate: true } as const;
  // The first update has no predecessor.
  expect(simulate(options, scenario).repeatedFrames).toBeLessThanOrEqual(1);
});

test('E: fixed ticks of 100 Hz on 50 Hz are two updates a frame', () => {
  const counts = updatesPerFrame(traced({ kind: 'fixed', tickRateHz: 100 }, { displayHz: 50 }));
  expect(counts).toHaveLength(500);
  expect(counts[0]).toBe(0);
  expect(new Set(counts.slice(1))).toEqual(new Set([2]));
});

test('E: fixed ticks of 100 Hz on 200 Hz are an update every second frame', () => {
  const counts = updatesPerFrame(traced({ kind: 'fixed', tickRateHz: 100 }, { displayHz: 200 }));
  expect(counts).toHaveLength(2000);
  expect(counts).toEqual(counts.map((_, frame) => (frame > 0 && frame % 2 === 0 ? 1 : 0)));
});

test('E: fixed ticks of 50 Hz on 60 Hz are mostly one update a frame, sometimes none, with alpha in [0, 1)', () => {
  const spans = traced({ kind: 'fixed', tickRateHz: 50 }, { displayHz: 60 });
  const counts = updatesPerFrame(spans).slice(1);
  expect(counts.filter((count) => count === 1)).toHaveLength(499);
  expect(counts.filter((count) => count === 0)).toHaveLength(100);
  const alphas = spans.flatMap((span) => (span.kind === 'frame' ? [span.alpha] : []));
  expect(Math.min(...alphas)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...alphas)).toBeLessThan(1);
});

test.each([
  [100, 5, 'ok'],
  [400, 20, 'slow'],
])('F: a frame of %i ms at a maxDt of 20 ms is %i repetitions: %s', (frameMs, count, state) => {
  const stepper = createStepper({ kind: 'bounded-variable' });
  stepper.start(0);
  const updates = stepsAt(stepper, frameMs).length;
  expect(updates).toBe(count);
  expect(new Watchdog(requireWatchdogOptions()).frame(updates, frameMs)).toBe(state);
});

const spiral = { vsync: false, updateMs: 15, frameMs: 5 } as const;

test('G: an update that takes longer than it simulates never catches up without a cap', () => {
  const passes = traced({ kind: 'semi-fixed', tickRateHz: 100 }, { ...spiral, seconds: 60 })
    .filter((span) => span.kind === 'pass')
    .map(({ leftMs }) => leftMs);
  expect(passes.length).toBeGreaterThan(10);
  for (let pass = 2; pass < passes.length; pass++) {
    expect(passes[pass]).toBeGreaterThan(1.3 * (passes[pass - 1] ?? 0));
  }
});

// n × dt / (n × Y + frame cost)
const speed = (steps: number, stepMs: number): number =>
  (steps * stepMs) / (steps * spiral.updateMs + spiral.frameMs);

test.each<[StepperOptions, number]>([
  [{ kind: 'semi-fixed', tickRateHz: 100, maxSteps: 4 }, speed(4, 10)],
  [{ kind: 'fixed', tickRateHz: 100, maxSteps: 4 }, speed(4, 10)],
  [{ kind: 'fixed', tickRateHz: 100, maxSteps: 1 }, speed(1, 10)],
  [{ kind: 'fixed', tickRateHz: 100 }, speed(25, 10)],
  [{ kind: 'frame-skip', tickRateHz: 100, maxFrameSkip: 10 }, speed(10, 10)],
  [{ kind: 'fixed-predict', tickRateHz: 100, maxFrameSkip: 5 }, speed(5, 10)],
  [{ kind: 'rate-groups', tickRateHz: 100, renderHz: 1000, maxSteps: 4 }, speed(4, 10)],
  [{ kind: 'bounded-variable', maxDtMs: 10, maxSteps: 4 }, speed(4, 10)],
])(
  'G: an update that takes longer than it simulates runs at n × dt / (n × Y + frame cost) with the cap of %o',
  (options, expected) => {
    const { effectiveSpeed } = simulate(options, { ...spiral, seconds: 120 });
    expect(effectiveSpeed).toBeCloseTo(expected, 2);
  },
);
