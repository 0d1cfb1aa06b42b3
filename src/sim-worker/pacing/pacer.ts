/** Decides which ticks a pass of the worker's loop runs, and when the next pass is due. */
import type { WorkerOptions } from '../../shared/protocol/control-protocol.js';
import type { Schedule } from '../../shared/time/schedule.js';
import { loadedPart } from '../../shared/util/loaded-part.js';
import { FixedPacer } from './fixed-pacer.js';

/** One update to run. Pacers reuse one object. */
export interface PacedTick {
  /** Simulated seconds. */
  dt: number;
  /** Virtual time of the state after this update, in ms. */
  dueVirtualMs: number;
  /** Virtual time at which it should begin: it may wait for the frame that shows it first. In ms. */
  beginVirtualMs: number;
}

export interface Pacer {
  /** Page time at which the next pass is due, in ms. */
  readonly nextDueMs: number;
  /**
   * Begins a pass.
   *
   * @param pageMs Page time now, in ms.
   * @param asleepSinceMs When the loop went to sleep, in ms. Oversleeping beyond a limit is a gap.
   * @returns Time removed from the schedule as a gap, in ms.
   */
  begin(pageMs: number, asleepSinceMs: number): number;
  /** Takes the next tick of the pass; undefined if there are no more. */
  next(pageMs: number): PacedTick | undefined;
  hasDueTicks(pageMs: number): boolean;
  /** Drops the due ticks that exceed the limit of one pass: a pause must not wait for more. */
  dropExcess(pageMs: number): void;
  /** Drops the rest of the pass: the schedule was paused at its last tick, in the middle of the pass. */
  endPassAt(virtualMs: number): void;
  /** Ticks dropped since the last call. */
  takeDroppedTicks(): number;
  /** Restarts at tick 0, which counts as due at the schedule's new `originVirtualMs`. */
  restart(pageMs: number): void;
  /** Restarts at tick 0, due now. Ticks that were due before are dropped. */
  rebase(pageMs: number): void;
  setTickRate(tickRateHz: number, pageMs: number): void;
  setTimeScale(timeScale: number, pageMs: number): void;
  setMaxCatchUpTicks(ticks: number): void;
}

/** @param control The words shared with the page. */
export type CreatePacer = (schedule: Schedule, control: Int32Array) => Pacer;

/** Returns the pacer that the options select. `fixed` runs on the schedule itself; other loops are loaded on demand. */
export async function loadPacer(
  options: Pick<WorkerOptions, 'stepper' | 'maxCatchUpTicks'>,
): Promise<CreatePacer> {
  const { stepper, maxCatchUpTicks } = options;
  if (stepper.kind === 'fixed')
    return (schedule, control) => new FixedPacer(schedule, maxCatchUpTicks, control);
  const { StepperPacer } = await loadedPart(import('./stepper-pacer.js'));
  return (schedule) => new StepperPacer(schedule, stepper);
}
