import { expect, test } from 'vitest';
import {
  compare,
  compareThoseThatEnd,
  EndlessLoopError,
  isDeterministic,
  resolveScenario,
  simulate,
  stepperOptionsFor,
  Trace,
  World,
  type FrameSpan,
  type Scenario,
  type TraceSpan,
} from '../engine/index.js';
import { type StepperOptions, STEPPER_KINDS } from '../engine/loops/registry.js';

function traced(options: StepperOptions, scenario: Partial<Scenario>): readonly TraceSpan[] {
  const trace = new Trace();
  simulate(options, scenario, { trace });
  return trace.spans;
}

const framesOf = (spans: readonly TraceSpan[]): FrameSpan[] =>
  spans.filter((span) => span.kind === 'frame');

/** When a sleep until 40 ms ends, with a hitch. */
function wakesAt(atMs: number, durationMs: number): number {
  const hitches = [{ atMs, durationMs }];
  const spans = traced({ kind: 'frame-locked' }, { vsync: false, seconds: 0.2, hitches });
  return spans.find(({ kind }) => kind === 'sleep')?.endMs ?? Number.NaN;
}

test('the machine takes the time that actions cost, less on a faster one', () => {
  const costs = { vsync: false, updateMs: 3, frameMs: 5, seconds: 1 };
  expect(simulate({ kind: 'unpaced' }, costs).frames).toBe(125);
  expect(simulate({ kind: 'unpaced' }, { ...costs, machineSpeed: 2 }).frames).toBe(250);
});

test('a hitch does not stop a loop from waiting, but nothing wakes in it', () => {
  expect(wakesAt(10, 20)).toBe(40);
  expect(wakesAt(10, 30)).toBe(40);
  expect(wakesAt(10, 50)).toBe(60);
  expect(wakesAt(40, 10)).toBe(50);
});

test('with vsync, a frame is shown at the next refresh after it was drawn', () => {
  const shown = framesOf(
    traced({ kind: 'variable' }, { displayHz: 100, frameMs: 10, seconds: 0.03 }),
  );
  expect(shown.map(({ displayedMs }) => displayedMs)).toEqual([10, 20, 30]);
  const late = framesOf(
    traced({ kind: 'variable' }, { displayHz: 100, frameMs: 10.5, seconds: 0.06 }),
  );
  expect(late.map(({ displayedMs }) => displayedMs)).toEqual([20, 40, 60]);
});

test.each([50, 59.94, 60, 75, 120, 144, 165, 240])(
  'at %d Hz interpolation shows every frame in its place, a tick late',
  (displayHz) => {
    const report = simulate({ kind: 'fixed', tickRateHz: 60 }, { displayHz });
    expect(report.animationErrorMs.max).toBeLessThan(1e-9);
    expect(report.latencyMs).toBeCloseTo(1000 / 60 + 1000 / displayHz, 1);
  },
);

test('the loop’s clock never goes back, however noisy', () => {
  const scenario = { stampNoiseMs: 50, seconds: 5 };
  const dues = traced({ kind: 'unpaced' }, scenario).flatMap((span) =>
    span.kind === 'update' ? [span.dueMs] : [],
  );
  expect(dues).toHaveLength(300);
  expect(dues).toEqual(dues.toSorted((a, b) => a - b));
});

test('a frame limit is exact, and time left over is slept', () => {
  const limited = simulate({ kind: 'variable' }, { displayHz: 144, renderHz: 60, frameMs: 1 });
  expect(limited.frames).toBe(600);
  expect(limited.skippedFrames).toBe(840);
  expect(limited.sleptMs).toBeGreaterThan(5000);
  const free = simulate({ kind: 'fixed' }, { vsync: false, renderHz: 30, frameMs: 1 });
  expect(free.frames).toBe(300);
  expect(free.effectiveSpeed).toBe(1);
});

/** Speed of the game when a frame takes this long. */
function frameSkipSpeed(frameMs: number): number {
  const scenario = { frameMs, vsync: false, seconds: 60 };
  return simulate({ kind: 'frame-skip' }, scenario).effectiveSpeed;
}

test('the speed of unpaced follows the display', () => {
  expect(simulate({ kind: 'unpaced' }, { displayHz: 144 }).effectiveSpeed).toBeCloseTo(2.4, 9);
});

test('frame-locked is in slow motion on a slow machine, and draws 25 frames on any other', () => {
  const slow = simulate({ kind: 'frame-locked' }, { updateMs: 20, frameMs: 60, vsync: false });
  expect(slow.effectiveSpeed).toBeCloseTo(0.5, 2);
  expect(simulate({ kind: 'frame-locked' }, { displayHz: 240 }).frames).toBe(250);
});

test('frame-skip slows down below 5 frames per second', () => {
  expect(frameSkipSpeed(190)).toBeCloseTo(1, 2);
  expect(frameSkipSpeed(400)).toBeCloseTo(0.5, 2);
});

test('fixed drops the part of a lag over 0.25 s', () => {
  const hitches = [{ atMs: 4000, durationMs: 500 }];
  const report = simulate({ kind: 'fixed' }, { hitches });
  // The frame in which it fell began at the refresh before.
  expect(report.droppedMs).toBeCloseTo(500 + 1000 / 60 - 250, 6);
  expect(report.simulatedS + (report.droppedMs + report.leftMs) / 1000).toBeCloseTo(10, 9);
});

test.each(STEPPER_KINDS.filter((kind) => kind !== 'unpaced'))(
  'the accounts of %s balance',
  (kind) => {
    const hitches = [{ atMs: 500, durationMs: 700 }];
    const costs = {
      updateMs: { minMs: 1, maxMs: 6 },
      frameMs: { medianMs: 4, p99Ms: 30 },
    } as const;
    const report = simulate({ kind }, { ...costs, hitches, seconds: 3 });
    const { simulatedS, realS, leftMs, droppedMs, inventedMs, perSecond } = report;
    expect(simulatedS * 1000 + leftMs + droppedMs - inventedMs).toBeCloseTo(realS * 1000, 6);
    const sum = (key: 'iterations' | 'updated' | 'rendered' | 'refreshed'): number =>
      perSecond.reduce((total, second) => total + second[key], 0);
    expect(perSecond).toHaveLength(3);
    expect(sum('updated')).toBe(report.updates);
    expect(sum('rendered')).toBe(report.frames);
    expect(sum('refreshed')).toBe(report.refreshes);
    expect(sum('iterations')).toBe(report.passes);
    expect(report.distinctFrames + report.repeatedFrames).toBe(report.frames);
  },
);

test('a scenario gives the same report every time, and another seed another one', () => {
  const scenario = { frameMs: { minMs: 1, maxMs: 20 }, stampNoiseMs: 1 } as const;
  const run = (seed: number) => simulate({ kind: 'variable' }, { ...scenario, seed });
  expect(run(1)).toEqual(run(1));
  expect(run(1).stateHash).not.toBe(run(2).stateHash);
});

test('the trace holds every part of the run, and can be bounded', () => {
  const scenario = { updateMs: 1, frameMs: 2, seconds: 2 };
  const spans = traced({ kind: 'rate-groups' }, scenario);
  const report = simulate({ kind: 'rate-groups' }, scenario);
  const count = (kind: TraceSpan['kind']): number =>
    spans.filter((span) => span.kind === kind).length;
  expect(count('pass')).toBe(report.passes);
  expect(count('update')).toBe(report.updates);
  expect(count('frame')).toBe(report.frames);
  expect(count('refresh')).toBe(report.refreshes);
  const sleeps = spans.filter(({ kind }) => kind === 'sleep');
  const sleptMs = sleeps.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  expect(sleptMs).toBeCloseTo(report.sleptMs, 9);
  // All but passes are in sequence, without a gap.
  const parts = spans.filter(({ kind }) => kind !== 'pass');
  const starts = parts.slice(1).map(({ startMs }) => startMs);
  expect(starts).toEqual(parts.slice(0, -1).map(({ endMs }) => endMs));

  const bounded = new Trace({ limit: 10, fromMs: 500, toMs: 1000 });
  simulate({ kind: 'rate-groups' }, scenario, { trace: bounded });
  expect(bounded.spans).toHaveLength(10);
  expect(bounded.spans.every(({ startMs }) => startMs >= 500 && startMs < 1000)).toBe(true);
  expect(bounded.omitted).toBeGreaterThan(100);
});

test('the watchdog detects a machine that cannot keep up', () => {
  const late = simulate({ kind: 'bounded-variable' }, { frameMs: 450, vsync: false, seconds: 5 });
  expect(late.watchdog.worst).toBe('unresponsive');
  // The first frame is drawn immediately; the sixth is the fifth that follows a late one.
  expect(late.watchdog.unresponsiveAtMs).toBe(5 * 450);
  expect(simulate({ kind: 'bounded-variable' }).watchdog).toEqual({
    worst: 'ok',
    slowFrames: 0,
    criticalFrames: 0,
    unresponsiveAtMs: null,
  });
});

/** They sleep: time passes even when nothing costs any. */
const HAVE_AN_END = ['frame-locked', 'rate-groups'] as const;

test('loops in which no time would ever pass are refused by name, and left out of a comparison', () => {
  const free = { vsync: false, seconds: 1 };
  const endless = STEPPER_KINDS.filter((kind) => HAVE_AN_END.every((other) => kind !== other));
  const { rows, leftOut } = compareThoseThatEnd(STEPPER_KINDS, { tickHz: 50 }, free);
  expect(leftOut).toEqual(endless);
  expect(rows).toEqual(compare(HAVE_AN_END, { tickHz: 50 }, free));
  for (const kind of endless) {
    expect(() => simulate({ kind }, free)).toThrow(EndlessLoopError);
    expect(() => simulate({ kind }, free)).toThrow(`${kind} would loop forever at the same time`);
    for (const remedy of [{ frameMs: 1 }, { renderHz: 30 }, { vsync: true }]) {
      expect(simulate({ kind }, { ...free, ...remedy }).frames).toBeGreaterThan(0);
    }
  }
});

/** How many different states displays of different rates end in. */
function outcomes(input: Scenario['input']): number {
  const hashes = [50, 60, 75, 144].map(
    (displayHz) => simulate({ kind: 'fixed', tickRateHz: 100 }, { displayHz, input }).stateHash,
  );
  return new Set(hashes).size;
}

/** The hash of a world after these steps, with the cart at this speed. */
function hashAfter(stepsMs: readonly number[], speed = 0): string {
  const world = new World();
  for (const stepMs of stepsMs) world.update(stepMs, [{ atMs: 0, event: speed }]);
  return world.hash();
}

test('any difference of state changes both halves of its hash', () => {
  expect(hashAfter([10, 10])).toBe(hashAfter([10, 10]));
  for (const other of [hashAfter([10]), hashAfter([10, 10.000001]), hashAfter([10, 10], 1)]) {
    expect(other.slice(0, 8)).not.toBe(hashAfter([10, 10]).slice(0, 8));
    expect(other.slice(8)).not.toBe(hashAfter([10, 10]).slice(8));
  }
});

test.each(STEPPER_KINDS)(
  '%s is deterministic if its steps do not depend on the display',
  (kind) => {
    const scenario = resolveScenario();
    const optionsFor = (displayHz: number): StepperOptions =>
      stepperOptionsFor(kind, { tickHz: 60 }, { ...scenario, displayHz });
    const varies = ['variable', 'semi-fixed', 'refresh-multiple', 'bounded-variable'];
    expect(isDeterministic(optionsFor, scenario)).toBe(!varies.includes(kind));
  },
);

test('with input windows a live game, too, is the same on every display; with polling it is not', () => {
  expect(outcomes('sliced')).toBe(1);
  expect(outcomes('polled')).toBeGreaterThan(1);
});

test('after a quarter of an hour of virtual time nothing has drifted', () => {
  const run = simulate({ kind: 'fixed' }, { seconds: 900, updateMs: 1, frameMs: 2 });
  expect(run.updates).toBe(90_000);
  expect(run.frames).toBe(54_000);
  expect(run.effectiveSpeed).toBe(1);
  expect(run.animationErrorMs.max).toBeLessThan(1e-6);
});

test.each<[Partial<Scenario>, RegExp]>([
  [{ seconds: 0 }, /^seconds must be a number from 0\.001 to 86400, but is 0$/],
  [{ displayHz: 0 }, /^displayHz must be/],
  [{ updateMs: -1 }, /^updateMs must be/],
  [{ frameMs: { minMs: 3, maxMs: 2 } }, /^frameMs: the most must be a number from 3 /],
  [{ hitches: [{ atMs: 5, durationMs: 0 }] }, /^a hitch's duration must be/],
  [{ seed: 1.5 }, /^seed must be a whole number/],
  [{ fps: 60 } as Partial<Scenario>, /^unknown option "fps" of a scenario/],
])('the scenario %o is refused', (scenario, message) => {
  expect(() => simulate({ kind: 'fixed' }, scenario)).toThrow(message);
});
