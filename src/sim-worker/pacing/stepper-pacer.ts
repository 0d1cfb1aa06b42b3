/**
 * Paces the loop by any other stepper: the loops of the articles, in a worker.
 *
 * The stepper's clock is scaled virtual time: it stops while the schedule is paused, skips gaps, and follows the time
 * scale. A state is stamped with the time that its update represents, so the page needs no other timeline to draw it.
 *
 * A *frame* of these loops is the end of a pass in a worker: the states are published, and the event loop gets its
 * turn. Loops that a display would pace are paced by the tick rate.
 */
import { GAP_MS, type Schedule } from '../../shared/time/schedule.js';
import { createStepper, type StepperOptions } from '../../shared/loops/registry.js';
import { requireCatchUpBound } from '../../shared/loops/worker-steppers.js';
import type { Stepper } from '../../shared/loops/stepper.js';
import type { PacedTick, Pacer } from './pacer.js';

/** These decide for themselves how long to sleep after a frame. */
const SELF_PACED: ReadonlySet<string> = new Set(['frame-locked', 'rate-groups']);

/** After this many, the event loop gets a turn, even if the stepper wants more. */
const MAX_UPDATES_PER_PASS = 64;

export class StepperPacer implements Pacer {
  readonly #schedule: Schedule;
  readonly #options: StepperOptions;
  readonly #tick: PacedTick = { dt: 0, dueVirtualMs: 0, beginVirtualMs: 0 };
  #stepper: Stepper;
  /** Scaled virtual time = anchorClock + (virtual − anchorVirtual) × scale. */
  #anchorClockMs = 0;
  #anchorVirtualMs = 0;
  #wakeClockMs = 0;
  #updates = 0;
  #hasMore = false;
  #droppedMs = 0;
  /** Clock at which the stepper was started, until it is first asked for an update; NaN afterwards. */
  #begunClockMs = 0;

  constructor(schedule: Schedule, options: StepperOptions) {
    this.#schedule = schedule;
    this.#options = options;
    this.#stepper = this.#createStepper();
    this.#start(0);
  }

  get nextDueMs(): number {
    return this.#virtualMsOf(this.#wakeClockMs) + this.#schedule.shiftMs;
  }

  begin(pageMs: number, asleepSinceMs: number): number {
    this.#updates = 0;
    const oversleptMs = pageMs - Math.max(asleepSinceMs, this.nextDueMs);
    if (oversleptMs <= GAP_MS || this.#schedule.isPaused) return 0;
    this.#schedule.skipGap(oversleptMs);
    return oversleptMs;
  }

  next(pageMs: number): PacedTick | undefined {
    const clockMs = this.#clockMsOf(this.#schedule.virtualMsAt(pageMs));
    // Do not ask a stepper early: it reads its clock when asked.
    if (this.#isHeld(clockMs) || (clockMs < this.#wakeClockMs && !this.#hasMore)) return undefined;
    let askedMs = this.#beginStepped() ?? clockMs;
    this.#hasMore = true;
    while (this.#updates < MAX_UPDATES_PER_PASS) {
      const action = this.#stepper.next(askedMs);
      askedMs = clockMs;
      if (action.kind === 'update') {
        this.#updates += 1;
        // The first update of a `variable` loop: no time has passed, and engines divide by the step.
        if (action.stepMs === 0) continue;
        this.#tick.dt = action.stepMs / 1000;
        this.#tick.dueVirtualMs = this.#virtualMsOf(action.dueMs);
        this.#tick.beginVirtualMs = this.#tick.dueVirtualMs;
        return this.#tick;
      }
      if (action.kind === 'sleep') return this.#endPass(action.untilMs);
      if (action.kind === 'frame' && !SELF_PACED.has(this.#stepper.kind)) {
        const { idleUntilMs } = this.#stepper;
        const paceMs = 1000 / this.#schedule.tickRateHz;
        return this.#endPass(idleUntilMs > clockMs ? idleUntilMs : clockMs + paceMs);
      }
    }
    return undefined;
  }

  hasDueTicks(pageMs: number): boolean {
    const clockMs = this.#clockMsOf(this.#schedule.virtualMsAt(pageMs));
    return this.#hasMore || (clockMs >= this.#wakeClockMs && !this.#isHeld(clockMs));
  }

  takeDroppedTicks(): number {
    const periodMs = 1000 / this.#schedule.tickRateHz;
    const ticks = Math.floor((this.#stepper.droppedMs - this.#droppedMs) / periodMs);
    this.#droppedMs += ticks * periodMs;
    return ticks;
  }

  restart(pageMs: number): void {
    this.#schedule.restartAt(this.#schedule.virtualMsAt(pageMs));
  }

  rebase(pageMs: number): void {
    const clockMs = this.#clockMsOf(this.#schedule.virtualMsAt(pageMs));
    this.restart(pageMs);
    this.#stepper = this.#createStepper();
    this.#start(clockMs);
  }

  /** Loses at most one step of the old stepper's remaining time. */
  setTickRate(tickRateHz: number, pageMs: number): void {
    const clockMs = this.#clockMsOf(this.#schedule.virtualMsAt(pageMs));
    this.#schedule.setTickRate(tickRateHz, 0);
    this.#stepper = this.#createStepper();
    this.#start(clockMs);
  }

  setTimeScale(timeScale: number, pageMs: number): void {
    const virtualMs = this.#schedule.virtualMsAt(pageMs);
    this.#anchorClockMs = this.#clockMsOf(virtualMs);
    this.#anchorVirtualMs = virtualMs;
    this.#schedule.setTimeScale(timeScale, pageMs, 0);
  }

  /** @throws RangeError These loops have their own limits, or none. */
  setMaxCatchUpTicks(): void {
    requireCatchUpBound(this.#stepper.kind);
  }

  /** Does nothing: these loops drop ticks by their own rules. */
  dropExcess(): void {}

  /** Restarts the stepper: its own clock may have seen a later time, and it would owe the updates up to it. */
  endPassAt(virtualMs: number): void {
    this.#start(this.#clockMsOf(virtualMs));
  }

  /** Steppers with a rate use that of the schedule: a rate among their options is the worker's at the start. */
  #createStepper(): Stepper {
    const options = this.#options;
    if (options.kind === 'bounded-variable') return createStepper(options);
    return createStepper({ ...options, tickRateHz: this.#schedule.tickRateHz });
  }

  #start(clockMs: number): void {
    this.#stepper.start(clockMs);
    // The old stepper's pass may not have ended.
    this.#hasMore = false;
    this.#droppedMs = 0;
    this.#wakeClockMs = clockMs;
    this.#begunClockMs = clockMs;
  }

  /** Some loops update as soon as they start: not while the schedule is paused at that time. */
  #isHeld(clockMs: number): boolean {
    return this.#schedule.isPaused && clockMs <= this.#begunClockMs;
  }

  /**
   * A self-paced stepper that is stepped by hand before its first update starts one period later, so that there are as
   * many updates as steps. Returns the clock at which it starts then.
   */
  #beginStepped(): number | undefined {
    const begunClockMs = this.#begunClockMs;
    this.#begunClockMs = Number.NaN;
    if (Number.isNaN(begunClockMs) || !this.#schedule.isPaused) return undefined;
    if (!SELF_PACED.has(this.#stepper.kind)) return undefined;
    const firstMs = begunClockMs + 1000 / this.#schedule.tickRateHz;
    this.#stepper.start(firstMs);
    return firstMs;
  }

  #endPass(wakeClockMs: number): undefined {
    this.#hasMore = false;
    this.#wakeClockMs = wakeClockMs;
  }

  #clockMsOf(virtualMs: number): number {
    return this.#anchorClockMs + (virtualMs - this.#anchorVirtualMs) * this.#schedule.timeScale;
  }

  #virtualMsOf(clockMs: number): number {
    return this.#anchorVirtualMs + (clockMs - this.#anchorClockMs) / this.#schedule.timeScale;
  }
}
