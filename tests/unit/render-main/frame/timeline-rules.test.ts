import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualDisplay, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { onceForEach } from './drawn.js';

/** The state that events between two frames change: the page's time in ms, and how many ticks from here on take longer. */
const createScene = (worker: VirtualWorker) => ({
  worker,
  nowMs: 0,
  slowTicks: 0,
  slowTickMs: 0,
  overslept: 0,
  oversleptMs: 0,
});
type Scene = ReturnType<typeof createScene>;

/** @param value In [0, 1). */
type Event = (scene: Scene, value: number) => void;

const events: Readonly<Record<string, Event>> = {
  pause: ({ worker, nowMs }) => worker.pause(nowMs),
  resume: ({ worker, nowMs }) => worker.resume(nowMs),
  pauseAndResume: ({ worker, nowMs }) => {
    worker.pause(nowMs);
    worker.resume(nowMs);
  },
  changeRate: ({ worker, nowMs }, value) => worker.setTickRate(10 + 230 * value, nowMs),
  changeScale: ({ worker, nowMs }, value) => worker.setTimeScale(0.1 + 3 * value, nowMs),
  // 0 to 3 ticks late, and beyond what one pass catches up.
  lateTick: (scene, value) => {
    scene.slowTicks = 1;
    scene.slowTickMs = 3 * value * scene.worker.schedule.periodMs;
  },
  overload: (scene, value) => {
    scene.slowTicks = Math.floor(40 * value);
    scene.slowTickMs = 1.3 * scene.worker.schedule.periodMs;
  },
  gap: (scene, value) => {
    scene.overslept = 1;
    scene.oversleptMs = 251 + 1000 * value;
  },
  jitter: (scene, value) => {
    scene.overslept = 20;
    scene.oversleptMs = 10 * value;
  },
  stallPage: (scene, value) => {
    scene.nowMs += 500 * value;
  },
};

const scripts = fc.array(
  fc.record({
    event: fc.constantFrom(...Object.keys(events)),
    value: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    frames: fc.integer({ min: 1, max: 25 }),
  }),
  { minLength: 1, maxLength: 25 },
);
const setups = fc.record({
  tickRateHz: fc.constantFrom(10, 30, 60, 59.94, 120, 240),
  displayHz: fc.constantFrom(50, 59.94, 60, 75, 120, 144, 165, 240),
  history: fc.constantFrom(2, 3, 4),
  stepCostMs: fc.double({ min: 0, max: 5, noNaN: true }),
  /**
   * Timestamps are off by up to this much in both directions, as in a browser that timestamps with
   * its timer.
   */
  noiseMs: fc.constantFrom(0, 0, 0.05, 1, 4),
  marginMs: fc.constantFrom('auto' as const, 'auto' as const, 0, 5, 50),
});

type Setup = typeof setups extends fc.Arbitrary<infer T> ? T : never;
type Script = typeof scripts extends fc.Arbitrary<infer T> ? T : never;

function play(setup: Setup, script: Script): VirtualDisplay {
  const { tickRateHz, history, stepCostMs, displayHz, noiseMs, marginMs } = setup;
  const worker = new VirtualWorker({ tickRateHz, history });
  const scene = createScene(worker);
  // Requested once per tick, when the worker goes to sleep or begins the tick.
  worker.stepCostMs = () => (scene.slowTicks-- > 0 ? scene.slowTickMs : stepCostMs);
  worker.wakeDelayMs = onceForEach(() => (scene.overslept-- > 0 ? scene.oversleptMs : 0.1));
  const display = new VirtualDisplay(worker, { marginMs });
  let drawn = 0;
  for (const { event, value, frames } of script) {
    worker.advanceTo(scene.nowMs);
    events[event]?.(scene, value);
    for (let frame = 0; frame < frames; frame++) {
      scene.nowMs += 1000 / displayHz;
      // Deterministic, but irregular: off in alternating directions, by different amounts.
      const noise = noiseMs * Math.sin(drawn * 2.4);
      display.draw(scene.nowMs + noise, Math.max(scene.nowMs, scene.nowMs + noise));
      drawn += 1;
    }
  }
  return display;
}

/** With a name for the message: `expect` takes as long as the rest. */
const within = (value: number, low: number, high: number, what: string): void => {
  if (!(value >= low && value <= high)) {
    throw new Error(`${what}: ${value} is not from ${low} to ${high}`);
  }
};

/** The rules of the timeline for one frame. */
function assertPosition(frame: DrawnFrame): void {
  const { alpha, previousVirtualMs, currentVirtualMs, shownVirtualMs } = frame;
  // Without a state at or after its target it repeats the newest.
  const earliestMs = frame.starved ? currentVirtualMs : previousVirtualMs;
  within(shownVirtualMs, earliestMs, currentVirtualMs + 1e-6, 'T3: shown time');
  within(alpha, 0, 1, 'T4: alpha');
  within(frame.blend, alpha, alpha, 'T4: blend');
  within(frame.currentState - frame.previousState, 0, 1, 'states apart');
  const position = previousVirtualMs + alpha * (currentVirtualMs - previousVirtualMs);
  within(position - shownVirtualMs, -1e-6, 1e-6, 'distance of alpha from the shown time');
  const lagMs = frame.frameMs - shownVirtualMs;
  // Two rounded times may differ by as much as is applied immediately.
  within(frame.lagMs, lagMs - 0.0011, lagMs + 0.0011, 'lag');
  if (frame.paused) within(shownVirtualMs, currentVirtualMs, currentVirtualMs, 'T6: shown time');
  within(frame.delayMs, 0, Infinity, 'delay');
  within(frame.marginMs, 0, Infinity, 'margin');
}

/** The rules for a frame and the one before it. */
function assertProgress(frame: DrawnFrame, before: DrawnFrame): void {
  const shownMs = frame.shownVirtualMs - before.shownVirtualMs;
  within(shownMs, 0, Infinity, 'T1: progress');
  // A body that moves forwards, in 32-bit floats.
  within(frame.moverX - before.moverX, -1e-5, Infinity, 'T1: progress of the body');
  if (frame.reset || frame.paused || !before.following) return;
  // Slewing may add a twentieth, and another twentieth where the history ends; the rest is
  // rounding.
  const elapsedMs = Math.max(0, frame.frameMs - before.frameMs);
  within(shownMs, 0, 1.1 * elapsedMs + 0.01, 'T2: progress');
}

test('the rules of the timeline hold whatever the worker and the display do', () => {
  let frameCount = 0;
  fc.assert(
    fc.property(setups, scripts, (setup, script) => {
      const { frames } = play(setup, script);
      for (const [index, frame] of frames.entries()) {
        assertPosition(frame);
        const before = frames[index - 1];
        if (before !== undefined) assertProgress(frame, before);
      }
      frameCount += frames.length;
    }),
    { numRuns: 200 },
  );
  expect(frameCount).toBeGreaterThan(10_000);
});
