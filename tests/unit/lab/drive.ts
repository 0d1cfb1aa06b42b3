/** Runs steppers manually: their actions, with the times at which they were requested. */
import type { Action, Stepper } from '../../../src/shared/loops/stepper.js';

export interface Report {
  readonly nowMs: number;
  readonly action: Action;
}

/** Asks repeatedly at the same time until the stepper wants a frame, a refresh or a sleep. */
export function passAt(stepper: Stepper, nowMs: number): Report[] {
  const reported: Report[] = [];
  for (;;) {
    const action = { ...stepper.next(nowMs) };
    reported.push({ nowMs, action });
    if (action.kind !== 'update') return reported;
  }
}

/** The steps of the updates that a pass runs, in ms. */
export function stepsAt(stepper: Stepper, nowMs: number): number[] {
  return passAt(stepper, nowMs).flatMap(({ action }) =>
    action.kind === 'update' ? [action.stepMs] : [],
  );
}

/**
 * Drives a stepper as a machine would: each action takes some time, a sleep at least as long as
 * requested.
 *
 * @param durationsMs What the actions take, in sequence.
 * @param check Called after each action with the time it was requested at.
 */
export function drive(
  stepper: Stepper,
  startMs: number,
  durationsMs: readonly number[],
  check: (reported: Report) => void,
): void {
  stepper.start(startMs);
  let nowMs = startMs;
  for (const durationMs of durationsMs) {
    const action = { ...stepper.next(nowMs) };
    check({ nowMs, action });
    nowMs = (action.kind === 'sleep' ? Math.max(nowMs, action.untilMs) : nowMs) + durationMs;
  }
}
