import { expect, test } from 'vitest';
import { createStepper, type StepperOptions } from '../engine/loops/registry.js';
import type { Stepper } from '../engine/loops/stepper.js';
import { passAt, stepsAt } from './driven-stepper.js';

function started(options: StepperOptions): Stepper {
  const stepper = createStepper(options);
  stepper.start(0);
  return stepper;
}

/** Due times of a pass's updates, in ms. */
const duesAt = (stepper: Stepper, nowMs: number): number[] =>
  passAt(stepper, nowMs).flatMap(({ action }) => (action.kind === 'update' ? [action.dueMs] : []));

/** What a pass does up to its frame, or to its sleep. */
const kindsAt = (stepper: Stepper, nowMs: number): string =>
  passAt(stepper, nowMs)
    .map(({ action }) => action.kind)
    .join(' ');

const frameAt = (stepper: Stepper, nowMs: number) => {
  const frame = passAt(stepper, nowMs).find(({ action }) => action.kind === 'frame')?.action;
  if (frame?.kind !== 'frame') throw new Error('no frame');
  return frame;
};

test('unpaced takes the same step whatever the clock says', () => {
  const stepper = started({ kind: 'unpaced' });
  expect([0, 0, 5000].map((ms) => stepsAt(stepper, ms))).toEqual(
    Array.from({ length: 3 }, () => [1000 / 60]),
  );
});

test('frame-locked sleeps for the rest of its slot, and not at all when late', () => {
  const stepper = started({ kind: 'frame-locked' });
  const kinds = [0, 5, 10, 40, 45, 50, 130, 135, 140, 141].map((ms) => {
    const action = stepper.next(ms);
    return action.kind === 'sleep' ? `sleep ${action.untilMs}` : action.kind;
  });
  expect(kinds).toEqual([
    'update',
    'frame',
    'sleep 40',
    'update',
    'frame',
    'sleep 80',
    // Woke 50 ms late, after the end of this slot: the next pass begins immediately.
    'update',
    'frame',
    'update',
    'frame',
  ]);
});

test('frame-locked continues immediately when it has finished exactly at the end of its slot', () => {
  const stepper = started({ kind: 'frame-locked' });
  expect([0, 20, 40].map((ms) => stepper.next(ms).kind)).toEqual(['update', 'frame', 'update']);
});

test('frame-locked shows the present when it is late by more than a slot', () => {
  const stepper = started({ kind: 'frame-locked' });
  expect(duesAt(stepper, 0)).toEqual([0]);
  stepper.next(1);
  // Slot 40 at 70 is late by less than a slot, 80 at 200 by more, and 120 and 160 still are. Slot
  // 200 at 203 is not, but time does not go back.
  expect(duesAt(stepper, 70)).toEqual([40]);
  expect(duesAt(stepper, 200)).toEqual([200]);
  expect(duesAt(stepper, 201)).toEqual([201]);
  expect(duesAt(stepper, 202)).toEqual([202]);
  expect(duesAt(stepper, 203)).toEqual([202]);
  expect(stepper.next(204)).toMatchObject({ kind: 'sleep', untilMs: 240 });
});

test('variable steps by the time since the last frame, and first by zero', () => {
  const stepper = started({ kind: 'variable' });
  expect([0, 16, 16.5, 500].map((ms) => stepsAt(stepper, ms))).toEqual([[0], [16], [0.5], [483.5]]);
});

test('variable counts the time that its clamp drops and invents', () => {
  const stepper = started({ kind: 'variable', tickRateHz: 100, clampRatio: [0.75, 1.5] });
  expect([0, 10, 15, 100].map((ms) => stepsAt(stepper, ms))).toEqual([[7.5], [10], [7.5], [15]]);
  expect(stepper.inventedMs).toBe(10);
  expect(stepper.droppedMs).toBe(70);
});

test('frame-skip updates while now is after the next tick', () => {
  const stepper = started({ kind: 'frame-skip' });
  expect([0, 0.1, 20, 20.1, 75].map((ms) => duesAt(stepper, ms))).toEqual([
    [],
    [0],
    [],
    [20],
    [40, 60],
  ]);
});

test('frame-skip runs at most ten updates before a frame, and keeps the rest for later', () => {
  const stepper = started({ kind: 'frame-skip' });
  expect(stepsAt(stepper, 300)).toHaveLength(10);
  expect(stepsAt(stepper, 300)).toHaveLength(5);
  expect(stepsAt(stepper, 300)).toHaveLength(0);
  expect(stepper.droppedMs).toBe(0);
});

test('frame-skip reads the clock before each update', () => {
  const stepper = started({ kind: 'frame-skip' });
  expect(stepper.next(1).kind).toBe('update');
  // The update took until 21 ms: another tick has passed.
  expect(stepper.next(21).kind).toBe('update');
  expect(stepper.next(22).kind).toBe('frame');
});

test('fixed-predict predicts by the elapsed time of a tick, and further when it is behind', () => {
  const stepper = started({ kind: 'fixed-predict', maxFrameSkip: 2 });
  expect(frameAt(stepper, 10).predictMs).toBe(10);
  expect(frameAt(stepper, 30).predictMs).toBe(30);
  expect(frameAt(stepper, 40).predictMs).toBe(40);
  expect(frameAt(stepper, 41).predictMs).toBe(1);
  // Two updates, for 80 and 120; the one for 160 must wait.
  expect(frameAt(stepper, 170).predictMs).toBe(50);
});

test('semi-fixed cuts a frame into steps of at most dt, the last one shorter', () => {
  const stepper = started({ kind: 'semi-fixed', tickRateHz: 100 });
  expect([0, 25, 30, 50].map((ms) => stepsAt(stepper, ms))).toEqual([
    [],
    [10, 10, 5],
    [5],
    [10, 10],
  ]);
  expect(duesAt(stepper, 75)).toEqual([60, 70, 75]);
});

test('semi-fixed drops the time over its cap', () => {
  const stepper = started({ kind: 'semi-fixed', tickRateHz: 100, maxSteps: 3 });
  expect(duesAt(stepper, 95)).toEqual([75, 85, 95]);
  expect(stepper.droppedMs).toBe(65);
});

test('fixed takes whole steps, and alpha is the remainder', () => {
  const stepper = started({ kind: 'fixed' });
  expect(stepsAt(stepper, 9.9)).toEqual([]);
  expect(duesAt(stepper, 25)).toEqual([10, 20]);
  expect(frameAt(stepper, 26).alpha).toBeCloseTo(0.6, 12);
  expect(frameAt(stepper, 30).alpha).toBe(0);
});

test('fixed simulates at most 0.25 s of a frame', () => {
  const stepper = started({ kind: 'fixed' });
  stepsAt(stepper, 5);
  expect(stepsAt(stepper, 1005)).toHaveLength(25);
  expect(stepper.droppedMs).toBe(750);
  expect(frameAt(stepper, 1005).alpha).toBeCloseTo(0.5, 9);
  expect(stepsAt(stepper, 1010)).toHaveLength(1);
});

test('fixed drops whole ticks over its cap, and keeps the phase', () => {
  const stepper = started({ kind: 'fixed', maxSteps: 2 });
  expect(duesAt(stepper, 47)).toEqual([30, 40]);
  expect(stepper.droppedMs).toBe(20);
  expect(frameAt(stepper, 47).alpha).toBeCloseTo(0.7, 9);
});

const hz100 = { kind: 'refresh-multiple', assumedHz: 100 } as const;

test('refresh-multiple takes up to four intervals in one update and splits more', () => {
  const stepper = started(hz100);
  expect([9, 10, 45, 85].map((ms) => stepsAt(stepper, ms))).toEqual([[], [10], [30], [40]]);
  expect(stepsAt(stepper, 171)).toEqual([40, 40, 10]);
});

test('refresh-multiple treats an interval that is short by a rounded timestamp as whole, but no other', () => {
  const stepper = started(hz100);
  expect([9.89, 9.9, 19.95, 29.95].map((ms) => stepsAt(stepper, ms))).toEqual([
    [],
    [10],
    [10],
    [10],
  ]);
  expect(stepper.leftMs(29.95)).toBeCloseTo(-0.05, 9);
});

test('refresh-multiple is in overload over the threshold, and not at it', () => {
  expect(stepsAt(started(hz100), 100)).toEqual([40, 40, 20]);
  const over = started(hz100);
  expect(stepsAt(over, 107)).toEqual([50, 50]);
  expect(over.droppedMs).toBe(7);
  // Intervals count from there.
  expect(stepsAt(over, 116)).toEqual([]);
  expect(stepsAt(over, 117)).toEqual([10]);
});

test('rate-groups runs all three in the first turn, and sleeps 1 ms when nothing is due', () => {
  const stepper = started({ kind: 'rate-groups' });
  expect(['update', 'frame', 'refresh'].map(() => stepper.next(0).kind)).toEqual([
    'update',
    'frame',
    'refresh',
  ]);
  expect(stepper.next(0)).toMatchObject({ kind: 'sleep', untilMs: 1 });
});

test('rate-groups is due when more than a period has passed; runs all updates missed, then one frame', () => {
  const stepper = started({ kind: 'rate-groups', tickRateHz: 100 });
  for (let step = 0; step < 4; step++) stepper.next(0);
  expect(kindsAt(stepper, 10)).toBe('sleep');
  expect(kindsAt(stepper, 10.001)).toBe('update sleep');
  expect(kindsAt(stepper, 55)).toBe('update update update update frame');
  expect(kindsAt(stepper, 55)).toBe('sleep');
});

test('rate-groups drops updates over its cap, the oldest first', () => {
  const stepper = started({ kind: 'rate-groups', tickRateHz: 100, maxSteps: 2 });
  // The first turn's update, frame, refresh, and the sleep after it.
  for (let step = 0; step < 4; step++) stepper.next(0);
  expect(duesAt(stepper, 55)).toEqual([40, 50]);
  expect(stepper.droppedMs).toBe(30);
  expect(stepper.leftMs(55)).toBe(-5);
});

test.each([30, 50, 60, 144])('rate-groups draws %d frames per second if requested', (renderHz) => {
  const stepper = started({ kind: 'rate-groups', renderHz });
  let frames = 0;
  for (let ms = 0; ms < 1000; ms++) {
    for (let action = stepper.next(ms); action.kind !== 'sleep'; action = stepper.next(ms)) {
      if (action.kind === 'frame') frames += 1;
    }
  }
  expect(frames).toBe(renderHz);
});

test('bounded-variable takes equal steps of at most maxDt, and ends up to one ahead', () => {
  const stepper = started({ kind: 'bounded-variable' });
  expect([16, 46, 50, 61].map((ms) => duesAt(stepper, ms))).toEqual([[16], [36, 56], [], [61]]);
  expect(stepsAt(stepper, 91)).toEqual([20, 20]);
  expect(stepper.leftMs(91)).toBe(-10);
});

test('bounded-variable with a remainder ends at now, or up to maxLag before it', () => {
  const stepper = started({ kind: 'bounded-variable', remainder: true, maxLagMs: 5 });
  expect([16, 46, 71].map((ms) => stepsAt(stepper, ms))).toEqual([[16], [20, 10], [20]]);
  expect(stepper.leftMs(71)).toBe(5);
  expect(stepsAt(stepper, 92)).toEqual([20, 6]);
  expect(stepper.leftMs(92)).toBe(0);
});

test('bounded-variable drops the time over its cap', () => {
  const stepper = started({ kind: 'bounded-variable', maxSteps: 2 });
  expect(duesAt(stepper, 100)).toEqual([80, 100]);
  expect(stepper.droppedMs).toBe(60);
});
