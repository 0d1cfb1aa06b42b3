/**
 * Paces the loop by the schedule itself: ticks of a fixed step, decoupled from frames and wake-ups. The loop `fixed`.
 *
 * Source: Glenn Fiedler, "Fix Your Timestep!", final version: an accumulator collects time, whole steps are taken out
 * of it, and the remainder is the overstep. Here the accumulator is the distance between virtual time and the last tick
 * on a {@link Schedule}: the same number without the rounding of repeated additions. Fiedler's limit of 0.25 s per
 * frame is a limit of ticks per pass here; ticks beyond it are counted and dropped as a whole, which keeps the phase.
 *
 * A very late wake-up (the machine slept, a debugger paused the thread) is a gap, not a debt: the time is removed from
 * the schedule, and one tick is due.
 */
import { GAP_MS, type Schedule } from '../../shared/time/schedule.js';
import type { PacedTick, Pacer } from './pacer.js';

export class FixedPacer implements Pacer {
  readonly #schedule: Schedule;
  readonly #tick: PacedTick = { dt: 0, dueVirtualMs: 0 };
  #maxCatchUpTicks: number;
  /** Ticks taken since the last restart. */
  lastTick = 0;
  #remaining = 0;
  #dropped = 0;

  constructor(schedule: Schedule, maxCatchUpTicks: number) {
    this.#schedule = schedule;
    this.#maxCatchUpTicks = maxCatchUpTicks;
  }

  get nextDueMs(): number {
    return this.#schedule.dueMs(this.lastTick + 1);
  }

  begin(pageMs: number, asleepSinceMs: number): number {
    const oversleptMs = pageMs - Math.max(asleepSinceMs, this.nextDueMs);
    const isGap = oversleptMs > GAP_MS && !this.#schedule.isPaused;
    if (isGap) this.#schedule.skipGap(oversleptMs);
    this.#remaining = Math.max(0, Math.min(this.dropExcess(pageMs), this.#maxCatchUpTicks));
    return isGap ? oversleptMs : 0;
  }

  next(): PacedTick | undefined {
    if (this.#remaining === 0) return undefined;
    this.#remaining -= 1;
    this.lastTick += 1;
    this.#tick.dt = this.#schedule.dt;
    this.#tick.dueVirtualMs = this.#schedule.dueVirtualMs(this.lastTick);
    return this.#tick;
  }

  hasDueTicks(pageMs: number): boolean {
    return this.#ticksDueAt(pageMs) > 0;
  }

  /** Drops none while paused: ticks stepped by hand must all run. Returns how many were due. */
  dropExcess(pageMs: number): number {
    const due = this.#ticksDueAt(pageMs);
    const excess = due - this.#maxCatchUpTicks;
    if (excess > 0 && !this.#schedule.isPaused) {
      this.#schedule.drop(excess);
      this.#dropped += excess;
    }
    return due;
  }

  endPassAt(): void {
    this.#remaining = 0;
  }

  takeDroppedTicks(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  restart(): void {
    this.#schedule.restart(this.lastTick);
    this.lastTick = 0;
  }

  rebase(pageMs: number): void {
    this.#remaining = 0;
    this.#schedule.restartAt(this.#schedule.virtualMsAt(pageMs));
    this.lastTick = 0;
  }

  setTickRate(tickRateHz: number): void {
    this.#schedule.setTickRate(tickRateHz, this.lastTick);
  }

  setTimeScale(timeScale: number, pageMs: number): void {
    this.#schedule.setTimeScale(timeScale, pageMs, this.lastTick);
  }

  setMaxCatchUpTicks(ticks: number): void {
    this.#maxCatchUpTicks = ticks;
  }

  #ticksDueAt(pageMs: number): number {
    return this.#schedule.lastTickDueAt(this.#schedule.virtualMsAt(pageMs)) - this.lastTick;
  }
}
