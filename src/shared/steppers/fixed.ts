/**
 * The `fixed` stepper: updates of equal step, decoupled from frames and wake-ups.
 *
 * Source: Glenn Fiedler, "Fix Your Timestep!", the final version: time is collected in an accumulator,
 * whole steps are taken out of it, and what is left over is the overstep. Here the accumulator is the
 * distance between run time and the last tick on a {@link Schedule}, which is the same number without
 * the rounding of repeated additions. Fiedler's clamp of a frame to 0.25 s is here a bound in ticks a
 * pass; what is beyond it is dropped in whole ticks, so that the phase stays, and counted.
 *
 * A wake-up that comes very late (the machine slept, a debugger held the thread) is a gap and not a
 * debt: the time is taken out of the schedule and one tick is due.
 */
import type { Schedule } from '../schedule.js';

export interface FixedStepperOptions {
  /** Most ticks that one pass may run. A whole number, at least 1. Default 5. */
  readonly maxCatchUpTicks?: number;
  /** Lateness of a wake-up, in ms, above which it is a gap. Default 250. */
  readonly gapMs?: number;
}

/** What a pass has to do. The stepper reuses one object: read it before the next pass. */
export interface StepPlan {
  /** Ticks to run now. */
  ticks: number;
  /** Ticks given up in this pass. */
  droppedTicks: number;
  /** Time taken out of the schedule as a gap in this pass, in ms. */
  gapMs: number;
}

/**
 * The default bound: long enough for a stall of 80 ms at 60 Hz to be made up, short enough that a
 * pass stays responsive when each tick takes its whole budget.
 */
export const DEFAULT_MAX_CATCH_UP_TICKS = 5;
export const DEFAULT_GAP_MS = 250;

export class FixedStepper {
  readonly #schedule: Schedule;
  readonly #plan: StepPlan = { ticks: 0, droppedTicks: 0, gapMs: 0 };
  readonly #gapMs: number;
  #lastTick = 0;

  /** Most ticks that one pass may run. */
  maxCatchUpTicks: number;

  constructor(schedule: Schedule, options: FixedStepperOptions = {}) {
    this.#schedule = schedule;
    this.maxCatchUpTicks = options.maxCatchUpTicks ?? DEFAULT_MAX_CATCH_UP_TICKS;
    this.#gapMs = options.gapMs ?? DEFAULT_GAP_MS;
  }

  /** The last tick that has run. */
  get lastTick(): number {
    return this.#lastTick;
  }

  /** Page time at which the next tick is due, in ms. */
  get nextDueMs(): number {
    return this.#schedule.dueMs(this.#lastTick + 1);
  }

  /**
   * Plans a pass.
   *
   * @param pageMs Now.
   * @param asleepSinceMs When the last tick or call before it ended. A wake-up is late only by what it overslept; time
   *   spent in these is load, however long.
   */
  advance(pageMs: number, asleepSinceMs: number): StepPlan {
    const schedule = this.#schedule;
    const plan = this.#plan;
    plan.droppedTicks = 0;
    plan.gapMs = 0;
    const oversleptMs = pageMs - Math.max(asleepSinceMs, this.nextDueMs);
    if (oversleptMs > this.#gapMs && !schedule.isPaused) {
      plan.gapMs = oversleptMs;
      schedule.skipGap(oversleptMs);
    }
    plan.droppedTicks = this.dropExcess(pageMs);
    plan.ticks = Math.max(0, Math.min(this.#ticksDueAt(pageMs), this.maxCatchUpTicks));
    return plan;
  }

  /**
   * Gives up what is due beyond the ticks that one pass may run. Not while paused: ticks stepped by hand are all wanted.
   *
   * @param pageMs Now.
   * @returns How many.
   */
  dropExcess(pageMs: number): number {
    const excess = this.#ticksDueAt(pageMs) - this.maxCatchUpTicks;
    if (excess <= 0 || this.#schedule.isPaused) return 0;
    this.#schedule.drop(excess);
    return excess;
  }

  /** Notes that a planned tick has run. Between two calls the schedule may change. */
  tickDone(): number {
    this.#lastTick += 1;
    return this.#lastTick;
  }

  /** Numbers ticks anew, the last one as 0: a scene restarted. Due times stay. */
  restart(): void {
    this.#schedule.restart(this.#lastTick);
    this.#lastTick = 0;
  }

  /** Numbers ticks anew from a moment of run time, which is 0. What was due before is not owed. */
  restartAt(runMs: number): void {
    this.#schedule.restartAt(runMs);
    this.#lastTick = 0;
  }

  /** Tick rate from the last tick on; see {@link Schedule.setTickRate}. */
  setTickRate(tickRateHz: number): void {
    this.#schedule.setTickRate(tickRateHz, this.#lastTick);
  }

  /** Time scale from now on; see {@link Schedule.setTimeScale}. */
  setTimeScale(timeScale: number, pageMs: number): void {
    this.#schedule.setTimeScale(timeScale, pageMs, this.#lastTick);
  }

  #ticksDueAt(pageMs: number): number {
    return this.#schedule.lastTickDueAt(this.#schedule.runMsAt(pageMs)) - this.#lastTick;
  }
}
