/** How old a drawing is, and the resulting error: one definition, for all loops. */
import { expect, test } from 'vitest';
import {
  compare,
  drawnFlyer,
  flyerAt,
  leadMsOf,
  simulate,
  stepperOptionsFor,
  Trace,
  type Scenario,
} from '../engine/index.js';
import { ageOf, createTimeline, type ShownFrame } from '../page/timeline.js';
import { createStepper, type StepperOptions, STEPPER_KINDS } from '../engine/loops/registry.js';
import { passAt } from './driven-stepper.js';
import { expectAbove, expectClose } from '../../tests/fixtures/quick-checks.js';

/** Frames as the page draws them, from the first that follows an update. */
function shownFrames(options: StepperOptions, scenario: Partial<Scenario>): readonly ShownFrame[] {
  const trace = new Trace();
  simulate(options, scenario, { trace });
  const { updates, frames } = createTimeline(trace.spans);
  const firstMs = updates[0]?.endMs ?? Number.NaN;
  return frames.filter(({ startMs }) => startMs >= firstMs);
}

function known(frame: ShownFrame | undefined): ShownFrame {
  if (frame === undefined) throw new Error('no frame');
  return frame;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test.each(STEPPER_KINDS)(
  'the lead of %s is how far its first states are ahead of their time',
  (kind) => {
    const stepper = createStepper({ kind });
    stepper.start(0);
    let simulatedMs = 0;
    for (let refresh = 0; refresh < 10; refresh++) {
      // 40 ms: the slowest of them updates 25 times a second, and the first checks again in each
      // frame.
      for (const { action } of passAt(stepper, refresh * 40)) {
        if (action.kind !== 'update') continue;
        simulatedMs += action.stepMs;
        if (kind === 'unpaced' && refresh > 0) continue;
        const leadMs = simulatedMs - action.dueMs + stepper.droppedMs - stepper.inventedMs;
        expectClose(leadMs, leadMsOf(stepper), 9);
      }
    }
    expectAbove(simulatedMs, 0);
  },
);

test.each(
  STEPPER_KINDS.flatMap((kind) => [
    [kind, 60, 60],
    [kind, 20, kind === 'unpaced' ? 20 : 144],
  ]) as [(typeof STEPPER_KINDS)[number], number, number][],
)(
  'if no time is lost, %s at %d on %d Hz has the same age on the page as in the table',
  (kind, tickHz, displayHz) => {
    const scenario = { displayHz, renderHz: null };
    const options = stepperOptionsFor(kind, { tickHz }, scenario);
    const frames = shownFrames(options, scenario);
    const { latencyMs, drawnError } = simulate(options, scenario);
    expectClose(mean(frames.map((frame) => ageOf(frame))), latencyMs, 6);
    // A unit a second: the flyer's distance from its ghost equals the age of its drawing.
    for (const frame of frames) {
      const behind = flyerAt(frame.displayedMs) - drawnFlyer(frame);
      expectClose(behind * 1000, ageOf(frame), 6);
    }
    expect(drawnError.flyer.mean * 1000).toBeCloseTo(
      mean(frames.map((frame) => Math.abs(ageOf(frame)))),
      6,
    );
  },
);

test('time that was dropped is behind the clock, and not in the age of a drawing', () => {
  const hitches = [{ atMs: 1000, durationMs: 700 }];
  const scenario = { seconds: 3, hitches };
  const last = shownFrames({ kind: 'fixed', tickRateHz: 60 }, scenario).at(-1);
  const usualMs = 2000 / 60;
  const { droppedMs, latencyMs, drawnError } = simulate(
    { kind: 'fixed', tickRateHz: 60 },
    scenario,
  );
  expect(droppedMs).toBeGreaterThan(400);
  expect(ageOf(known(last))).toBeCloseTo(usualMs + droppedMs, 6);
  // The one drawing that was begun before the hitch and shown after it is in the mean.
  expect(latencyMs).toBeLessThan(usualMs + droppedMs / 60);
  expect(drawnError.flyer.mean * 1000).toBeCloseTo(latencyMs, 6);
});

test('time that is lost in slow motion is not in the age of a drawing', () => {
  const scenario = { vsync: false, updateMs: 20, frameMs: 60 };
  const last = shownFrames({ kind: 'frame-locked' }, scenario).at(-1);
  const [row] = compare(['frame-locked'], {}, scenario);
  const lostMs = 1000 * ((row?.realS ?? 0) - (row?.simulatedS ?? 0));
  expect(lostMs).toBeGreaterThan(4900);
  expect(ageOf(known(last))).toBeGreaterThan(lostMs);
  expect(row?.latencyMs).toBeLessThan(100);
  expect((row?.drawnError.flyer.max ?? 0) * 1000).toBeLessThan(200);
});

/** The ball computed manually: thrown 1 unit high every 0.97 s. Units, and units per ms. */
const height = (ms: number): number => 4 * ((ms % 970) / 970) * (1 - (ms % 970) / 970);
const speed = (ms: number): number => (4 / 970) * (1 - (2 * (ms % 970)) / 970);

/** Mean and greatest size of an error, over frames by their numbers. */
function sizes(from: number, to: number, errorOf: (frame: number) => number) {
  const errors = Array.from({ length: to - from }, (_, index) => Math.abs(errorOf(from + index)));
  return {
    mean: expect.closeTo(mean(errors), 9) as number,
    max: expect.closeTo(Math.max(...errors), 9) as number,
  };
}

/** Of a constant age: the top turns half a turn a second. */
const steady = (ageMs: number) => ({
  flyer: sizes(0, 1, () => ageMs / 1000),
  top: sizes(0, 1, () => (Math.PI * ageMs) / 1000),
});

test('the drawn error of variable on 50 Hz is that of the present state, shown a refresh later', () => {
  expect(simulate({ kind: 'variable' }, { displayHz: 50 }).drawnError).toEqual({
    ...steady(20),
    ball: sizes(0, 500, (frame) => height(20 * frame) - height(20 * frame + 20)),
  });
});

test('the drawn error of fixed at 25 on 100 Hz is that of the line between two states, a tick and a refresh late', () => {
  const options = { kind: 'fixed', tickRateHz: 25 } as const;
  expect(simulate(options, { displayHz: 100 }).drawnError).toEqual({
    ...steady(50),
    ball: sizes(4, 1000, (frame) => {
      const tickMs = Math.floor(frame / 4) * 40;
      const alpha = (frame % 4) / 4;
      const drawn = height(tickMs - 40) * (1 - alpha) + height(tickMs) * alpha;
      return drawn - height(10 * frame + 10);
    }),
  });
});

test('the drawn error of fixed-predict at 25 on 100 Hz is that of going straight on from the newest state, a refresh late', () => {
  const options = { kind: 'fixed-predict', tickRateHz: 25 } as const;
  expect(simulate(options, { displayHz: 100 }).drawnError).toEqual({
    ...steady(10),
    ball: sizes(1, 1000, (frame) => {
      // Its game is a step ahead: by the time 0 it has taken one.
      const gameMs = 10 * frame + 40;
      const stateMs = 40 * Math.ceil(frame / 4);
      const drawn = height(stateMs) + speed(stateMs) * (gameMs - stateMs);
      return drawn - height(gameMs + 10);
    }),
  });
});
