/**
 * Decides which ticks a pass of the worker's loop runs, and when the next pass is due: ticks of a fixed step, decoupled
 * from frames and wake-ups.
 *
 * Source: Glenn Fiedler, "Fix Your Timestep!", final version: an accumulator collects time, whole steps are taken out
 * of it, and the remainder is the overstep. Here the accumulator is the distance between virtual time and the last tick
 * on a {@link Schedule}: the same number without the rounding of repeated additions. Fiedler's limit of 0.25 s per
 * frame is a limit of ticks per pass here; ticks beyond it are counted and dropped as a whole, which keeps the phase.
 *
 * A very late wake-up (the machine slept, a debugger paused the thread) is a gap, not a debt: the time is removed from
 * the schedule, and one tick is due.
 */
import { CONTROL } from '../../shared/memory/layout.js';
import { GAP_MS, type Schedule } from '../../shared/time/schedule.js';

/** A tick to run. One object is reused. */
export interface PacedTick {
  /** Virtual time at which it is due, in ms. */
  dueVirtualMs: number;
  /** Virtual time at which it should begin: it may wait for the frame that shows it first. In ms. */
  beginVirtualMs: number;
}

export class Pacer {
  readonly #schedule: Schedule;
  readonly #tick: PacedTick = { dueVirtualMs: 0, beginVirtualMs: 0 };
  readonly #control: Int32Array;
  /** Most ticks of a pass. */
  maxCatchUpTicks: number;
  /** Ticks taken since the last restart. */
  lastTick = 0;
  /** Ticks that this pass may still take. */
  #remaining = 0;
  #dropped = 0;

  /** @param control The control words, in which the page says when its frames are. */
  constructor(schedule: Schedule, maxCatchUpTicks: number, control: Int32Array) {
    this.#schedule = schedule;
    this.#control = control;
    this.maxCatchUpTicks = maxCatchUpTicks;
  }

  /** Page time at which the next pass is due, in ms. */
  get nextDueMs(): number {
    return this.#beginVirtualMs(this.lastTick + 1) + this.#schedule.shiftMs;
  }

  /**
   * Begins a pass.
   *
   * @param pageMs Page time now, in ms.
   * @param asleepSinceMs When the loop went to sleep, in ms.
   * @returns Time removed from the schedule as a gap, in ms.
   */
  begin(pageMs: number, asleepSinceMs: number): number {
    const oversleptMs = pageMs - Math.max(asleepSinceMs, this.nextDueMs);
    const isGap = oversleptMs > GAP_MS && !this.#schedule.isPaused;
    if (isGap) this.#schedule.skipGap(oversleptMs);
    this.#remaining = Math.max(0, Math.min(this.#dropExcess(pageMs), this.maxCatchUpTicks));
    return isGap ? oversleptMs : 0;
  }

  /** Takes the next tick of the pass; undefined if there are no more. */
  next(): PacedTick | undefined {
    if (this.#remaining === 0) return undefined;
    this.#remaining -= 1;
    this.lastTick += 1;
    this.#tick.dueVirtualMs = this.#schedule.dueVirtualMs(this.lastTick);
    this.#tick.beginVirtualMs = this.#beginVirtualMs(this.lastTick);
    return this.#tick;
  }

  hasDueTicks(pageMs: number): boolean {
    return this.#ticksDueAt(pageMs) > 0;
  }

  /**
   * Drops the due ticks that exceed the limit of one pass. None while paused: ticks stepped by hand must all run.
   *
   * @returns How many were due.
   */
  #dropExcess(pageMs: number): number {
    const due = this.#ticksDueAt(pageMs);
    const excess = due - this.maxCatchUpTicks;
    if (excess > 0 && !this.#schedule.isPaused) {
      this.#schedule.drop(excess);
      this.#dropped += excess;
    }
    return due;
  }

  /** Stops the schedule. At most as many ticks as one pass takes stay due: a pause must not wait for more. */
  pause(pageMs: number): void {
    this.#dropExcess(pageMs);
    this.#schedule.pause(pageMs);
  }

  /** Ticks dropped since the last call. */
  takeDroppedTicks(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** Restarts at tick 0, due when the last tick was. */
  restart(): void {
    this.#schedule.restartAt(this.#schedule.dueVirtualMs(this.lastTick));
    this.lastTick = 0;
  }

  /** Restarts at tick 0, due now. Ticks that were due before are dropped. */
  rebase(pageMs: number): void {
    this.#schedule.restartAt(this.#schedule.virtualMsAt(pageMs));
    this.lastTick = 0;
  }

  setTickRate(tickRateHz: number): void {
    this.#schedule.setTickRate(tickRateHz, this.lastTick);
  }

  setTimeScale(timeScale: number, pageMs: number): void {
    this.#schedule.setTimeScale(timeScale, pageMs, this.lastTick);
  }

  #ticksDueAt(pageMs: number): number {
    const virtualMs = this.#schedule.virtualMsAt(pageMs);
    const last = this.#schedule.lastTickDueAt(virtualMs);
    // Only the last one may wait: each waits for less than a period.
    return last - this.lastTick - (this.#beginVirtualMs(last) > virtualMs ? 1 : 0);
  }

  /**
   * When a tick begins, in ms of virtual time: it waits so that it has the newest inputs in the frame that shows it first.
   */
  #beginVirtualMs(tick: number): number {
    const schedule = this.#schedule;
    const dueMs = schedule.dueVirtualMs(tick);
    // Plain reads: old words only make the tick begin a little too early or too late.
    const frameUs = this.#control[CONTROL.framePeriodUs] as number;
    const lineUs = this.#control[CONTROL.frameUs] as number;
    const earlyUs = this.#control[CONTROL.frameEarlyUs] as number;
    const inUs = (lineUs - 1000 * (dueMs + schedule.shiftMs)) | 0;
    // For the first frame that needs the tick, or for one of several ticks before it. NaN: no frames.
    const untilUs = (((inUs % frameUs) + frameUs) % frameUs) % (1000 * schedule.periodMs);
    const waitUs = untilUs - (earlyUs >>> 0);
    return waitUs > 0 && !schedule.isPaused ? dueMs + waitUs / 1000 : dueMs;
  }
}
