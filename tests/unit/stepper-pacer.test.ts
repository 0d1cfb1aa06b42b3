/** The articles' loops as pacers of the worker's loop, in scripted time. */
import { describe, expect, test } from 'vitest';
import { Schedule } from '../../src/shared/schedule.js';
import type { StepperOptions } from '../../src/shared/steppers/registry.js';
import { StepperPacer } from '../../src/sim-worker/pacing/stepper-pacer.js';

/** Runs a pass and returns the steps of its ticks, in ms. */
function pass(pacer: StepperPacer, pageMs: number): number[] {
  const steps: number[] = [];
  pacer.begin(pageMs, pageMs);
  for (let tick = pacer.next(pageMs); tick !== undefined; tick = pacer.next(pageMs)) {
    steps.push(tick.stepS * 1000);
    pacer.tickDone();
  }
  return steps;
}

function running(options: StepperOptions, tickRateHz = 50) {
  const schedule = new Schedule(tickRateHz);
  schedule.resume(0);
  return { schedule, pacer: new StepperPacer(schedule, options) };
}

describe('a stepper as a pacer', () => {
  test('a variable loop makes no step of no time, and then steps of what has passed', () => {
    const { pacer } = running({ kind: 'variable' });
    expect(pass(pacer, 0)).toEqual([]);
    expect(pass(pacer, 20)).toEqual([20]);
    expect(pass(pacer, 53)).toEqual([33]);
    expect(pacer.lastTick).toBe(2);
  });

  test('asks the stepper nothing before it is due', () => {
    const { pacer } = running({ kind: 'variable' });
    pass(pacer, 0);
    expect(pacer.hasDueTicks(19)).toBe(false);
    expect(pass(pacer, 19)).toEqual([]);
    expect(pacer.nextDueMs).toBe(20);
    expect(pacer.hasDueTicks(20)).toBe(true);
  });

  test('the time scale stretches its clock, not its steps', () => {
    const { pacer } = running({ kind: 'fixed', maxSteps: 10 });
    pass(pacer, 0);
    pacer.setTimeScale(0.5, 0);
    expect(pass(pacer, 41)).toEqual([20]);
    expect(pass(pacer, 81)).toEqual([20]);
  });

  test('a late wake-up is a gap, and is not simulated', () => {
    const { pacer } = running({ kind: 'semi-fixed' });
    pass(pacer, 0);
    expect(pacer.begin(1020, 1)).toBe(1000);
    expect(pass(pacer, 1020)).toEqual([20]);
  });
});
