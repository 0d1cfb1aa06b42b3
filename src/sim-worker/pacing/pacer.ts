/** Which ticks a pass of the worker's loop runs, and when the next pass is due. */
import type { WorkerOptions } from '../../shared/protocol/control-protocol.js';
import type { Schedule } from '../../shared/time/schedule.js';
import { FixedPacer } from './fixed-pacer.js';

/** One update to run. Pacers reuse one object. */
export interface PacedTick {
  /** Simulated seconds. */
  dt: number;
  /** Virtual time that the state after it stands for, in ms. */
  dueVirtualMs: number;
}

export interface Pacer {
  /** Ticks run so far, since the last restart. */
  readonly lastTick: number;
  /** Page time at which the next pass is due, in ms. */
  readonly nextDueMs: number;
  /**
   * Begins a pass.
   *
   * @param pageMs Now.
   * @param asleepSinceMs When the loop went to sleep: what it overslept beyond a bound is a gap.
   * @returns Time taken out of the schedule as a gap, in ms.
   */
  begin(pageMs: number, asleepSinceMs: number): number;
  /** The pass's next tick, or undefined when it has no more. */
  next(pageMs: number): PacedTick | undefined;
  /** Notes that the tick has run. */
  tickDone(): void;
  /** Whether a pass that began now would have a tick. */
  hasDueTicks(pageMs: number): boolean;
  /** Gives up what is due now beyond what one pass may run: a pause is not to wait for more. */
  dropExcess(pageMs: number): void;
  /** Owes nothing more: the schedule has been paused at its last tick, in the middle of a pass. */
  endPassAt(virtualMs: number): void;
  /** Ticks given up since the last call. */
  takeDroppedTicks(): number;
  /** Tick 0 again, which counts as due at the schedule's new `originVirtualMs`. */
  restart(pageMs: number): void;
  /** Tick 0 again, at this very moment: what was due before is not owed. */
  rebase(pageMs: number): void;
  setTickRate(tickRateHz: number, pageMs: number): void;
  setTimeScale(timeScale: number, pageMs: number): void;
  setMaxCatchUpTicks(ticks: number): void;
}

/** Makes the pacer of a loop that runs on a schedule. */
export type CreatePacer = (schedule: Schedule) => Pacer;

/**
 * Chooses the pacer that the options ask for. `fixed` runs on the schedule itself; the other loops are loaded only if one
 * of them is asked for.
 */
export async function loadPacer(
  options: Pick<WorkerOptions, 'stepper' | 'maxCatchUpTicks'>,
): Promise<CreatePacer> {
  const { stepper, maxCatchUpTicks } = options;
  if (stepper.kind === 'fixed') return (schedule) => new FixedPacer(schedule, maxCatchUpTicks);
  const { StepperPacer } = await import('./stepper-pacer.js');
  return (schedule) => new StepperPacer(schedule, stepper);
}
