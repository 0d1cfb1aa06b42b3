/** The articles' loops as pacers of the worker's loop, in scripted time. */
import { expect, test } from 'vitest';
import { CONTROL_LENGTH } from '../../../../src/shared/memory/layout.js';
import { Schedule } from '../../../../src/shared/time/schedule.js';
import type { StepperOptions } from '../../../../src/shared/loops/registry.js';
import {
  WORKER_STEPPERS,
  type WorkerStepperOptions,
} from '../../../../src/shared/loops/worker-steppers.js';
import { loadPacer } from '../../../../src/sim-worker/pacing/pacer.js';
import { StepperPacer } from '../../../../src/sim-worker/pacing/stepper-pacer.js';

/** Runs a pass and returns its ticks: their steps, and the run times of their states, in ms. */
function ticksOf(pacer: StepperPacer, pageMs: number): { stepMs: number; dueVirtualMs: number }[] {
  const ticks: { stepMs: number; dueVirtualMs: number }[] = [];
  pacer.begin(pageMs, pageMs);
  for (let tick = pacer.next(pageMs); tick !== undefined; tick = pacer.next(pageMs)) {
    ticks.push({ stepMs: tick.dt * 1000, dueVirtualMs: tick.dueVirtualMs });
  }
  return ticks;
}

const pass = (pacer: StepperPacer, pageMs: number): number[] =>
  ticksOf(pacer, pageMs).map(({ stepMs }) => stepMs);
const duesOf = (pacer: StepperPacer, pageMs: number): number[] =>
  ticksOf(pacer, pageMs).map(({ dueVirtualMs }) => dueVirtualMs);

function running(options: StepperOptions, tickRateHz = 50) {
  const schedule = new Schedule(tickRateHz);
  schedule.resume(0);
  return { schedule, pacer: new StepperPacer(schedule, options) };
}

test.each<WorkerStepperOptions>([{ kind: 'fixed' }, { kind: 'fixed', tickRateHz: 50 }])(
  'the loop %o is the one on the schedule, which drops whole ticks beyond its bound',
  async (stepper) => {
    const schedule = new Schedule(50);
    schedule.resume(0);
    const createPacer = await loadPacer({ stepper, maxCatchUpTicks: 3 });
    const pacer = createPacer(schedule, new Int32Array(CONTROL_LENGTH));
    pacer.begin(200, 0);
    let ticks = 0;
    while (pacer.next(200) !== undefined) ticks += 1;
    expect([ticks, pacer.takeDroppedTicks()]).toEqual([3, 7]);
    pacer.setMaxCatchUpTicks(4);
    pacer.begin(400, 200);
    ticks = 0;
    while (pacer.next(400) !== undefined) ticks += 1;
    expect(ticks).toBe(4);
  },
);

test('loops other than the fixed one refuse the bound, which they would ignore', () => {
  const { pacer } = running({ kind: 'semi-fixed' });
  expect(() => pacer.setMaxCatchUpTicks()).toThrow(
    "maxCatchUpTicks bounds only the loop 'fixed': 'semi-fixed' has another bound, or none",
  );
});

test.each(WORKER_STEPPERS.filter((kind) => kind !== 'fixed'))(
  'a rate of the loop %s that changes in the middle of a pass leaves nothing due that a pause would not run',
  (kind) => {
    const { schedule, pacer } = running({ kind });
    pass(pacer, 0);
    pacer.begin(100, 100);
    pacer.next(100);
    pacer.setTickRate(60, 100);
    schedule.pause(100);
    let passes = 0;
    while (pacer.hasDueTicks(100) && passes < 5) {
      pass(pacer, 100);
      passes += 1;
    }
    expect(passes).toBeLessThan(5);
  },
);

test('a variable loop makes no empty step, and then steps of the elapsed time', () => {
  const { pacer } = running({ kind: 'variable' });
  expect(pass(pacer, 0)).toEqual([]);
  expect(pass(pacer, 20)).toEqual([20]);
  expect(pass(pacer, 53)).toEqual([33]);
});

test('a stepper is not called before it is due', () => {
  const { pacer } = running({ kind: 'variable' });
  pass(pacer, 0);
  expect(pacer.hasDueTicks(19)).toBe(false);
  expect(pass(pacer, 19)).toEqual([]);
  expect(pacer.nextDueMs).toBe(20);
  expect(pacer.hasDueTicks(20)).toBe(true);
});

test('the time scale stretches the clock of a stepper, not its steps', () => {
  const { pacer } = running({ kind: 'rate-groups' });
  pass(pacer, 0);
  pacer.setTimeScale(0.5, 0);
  expect(pass(pacer, 41)).toEqual([20]);
  expect(pass(pacer, 81)).toEqual([20]);
});

test('a late wake-up of a stepper is a gap, and is not simulated', () => {
  const { pacer } = running({ kind: 'semi-fixed' });
  pass(pacer, 0);
  expect(pacer.begin(1020, 1)).toBe(1000);
  expect(pass(pacer, 1020)).toEqual([20]);
});

// The page draws at due times: however late the worker woke up, a frame shows the state at that
// time.
test.each<[StepperOptions, number[]]>([
  [{ kind: 'frame-skip' }, [0, 20, 40]],
  [{ kind: 'fixed-predict' }, [0, 20, 40]],
  [{ kind: 'rate-groups' }, [20, 40]],
  [{ kind: 'semi-fixed' }, [20, 40, 47]],
  [{ kind: 'bounded-variable' }, [20, 40, 60]],
  [{ kind: 'variable' }, [47]],
])('the states of a stepper that wakes late keep their due times: %o', (options, dues) => {
  const { pacer } = running(options);
  pass(pacer, 0);
  expect(duesOf(pacer, 47)).toEqual(dues);
});

test('the due times of a stepper are run times, also where the clock is scaled', () => {
  const schedule = new Schedule(50);
  schedule.resume(1000);
  const pacer = new StepperPacer(schedule, { kind: 'semi-fixed' });
  pass(pacer, 1000);
  pacer.setTimeScale(0.5, 1000);
  expect(duesOf(pacer, 1094)).toEqual([40, 80, 94]);
});

test('a pass of a stepper ends after 64 updates, and the next one continues from there', () => {
  const { pacer } = running({ kind: 'semi-fixed' });
  pass(pacer, 0);
  const dues = Array.from({ length: 100 }, (_, tick) => 20 * (tick + 1));
  expect(duesOf(pacer, 2000)).toEqual(dues.slice(0, 64));
  expect(pacer.hasDueTicks(2000)).toBe(true);
  expect(duesOf(pacer, 2000)).toEqual(dues.slice(64));
  expect(pacer.hasDueTicks(2000)).toBe(false);
});
