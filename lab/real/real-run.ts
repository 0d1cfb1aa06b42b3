/** Runs a loop on the real clock and reports it in the columns of the lab. */
import { type RunReport, Recorder, World } from '../engine/index.js';
import {
  createStepper,
  resolveStepperOptions,
  type StepperOptions,
} from '../engine/loops/registry.js';
import { SlicedInput } from '../engine/sliced-input.js';

/** The clock and the waiting of a loop. */
export interface RealMachine {
  /** Milliseconds on a clock of any origin. */
  now(): number;
  /** Blocks until then. */
  sleepUntil(ms: number): void;
  /** Resolves when the display shows the next frame, with that moment. */
  nextDisplay(): Promise<number>;
}

/** Blocks the thread, as an update of that cost does. */
function work(machine: RealMachine, durationMs: number): void {
  const endMs = machine.now() + durationMs;
  while (machine.now() < endMs);
}

/**
 * @param seconds How long.
 * @param updateMs What an update costs, in ms of work.
 */
export async function runForReal(
  options: StepperOptions,
  seconds: number,
  updateMs: number,
  machine: RealMachine,
): Promise<RunReport> {
  const resolved = resolveStepperOptions(options);
  const stepper = createStepper(resolved);
  const world = new World();
  const recorder = new Recorder(world, stepper, seconds);
  const inputs = new SlicedInput<number>();
  const startedMs = machine.now();
  const now = (): number => machine.now() - startedMs;
  const endMs = seconds * 1000;
  stepper.start(0);
  for (let nowMs = 0; nowMs < endMs; nowMs = now()) {
    const leftMs = stepper.leftMs(nowMs);
    const { passes } = stepper;
    const action = stepper.next(nowMs);
    if (stepper.passes > passes) recorder.pass(nowMs, leftMs);
    switch (action.kind) {
      case 'update': {
        work(machine, updateMs);
        const taken = inputs.take(action.dueMs);
        world.update(action.stepMs, taken);
        recorder.update(nowMs, now(), action, taken);
        break;
      }
      case 'frame': {
        const drawnMs = now();
        const displayedMs = (await machine.nextDisplay()) - startedMs;
        recorder.frame({ startMs: nowMs, drawnMs, displayedMs, endMs: now() }, action);
        break;
      }
      case 'refresh':
        recorder.refresh(nowMs, now());
        break;
      case 'sleep':
        machine.sleepUntil(action.untilMs + startedMs);
        recorder.sleep(nowMs, now());
        break;
    }
  }
  return recorder.report(resolved, now());
}
