/**
 * Paces the loop by the schedule itself: ticks of equal step, decoupled from frames and wake-ups. The loop `fixed`.
 *
 * Source: Glenn Fiedler, "Fix Your Timestep!", the final version: time is collected in an accumulator,
 * whole steps are taken out of it, and what is left over is the overstep. Here the accumulator is the
 * distance between virtual time and the last tick on a {@link Schedule}, which is the same number without
 * the rounding of repeated additions. Fiedler's clamp of a frame to 0.25 s is here a bound in ticks a
 * pass; what is beyond it is dropped in whole ticks, so that the phase stays, and counted.
 *
 * A wake-up that comes very late (the machine slept, a debugger held the thread) is a gap and not a
 * debt: the time is taken out of the schedule and one tick is due.
 */
import { GAP_MS, type Schedule } from '../../shared/time/schedule.js';
import type { PacedTick, Pacer } from './pacer.js';

export class FixedPacer implements Pacer {
  readonly #schedule: Schedule;
  readonly #tick: PacedTick = { dt: 0, dueVirtualMs: 0 };
  #maxCatchUpTicks: number;
  #lastTick = 0;
  #remaining = 0;
  #dropped = 0;

  /** @param maxCatchUpTicks Most ticks a pass. */
  constructor(schedule: Schedule, maxCatchUpTicks: number) {
    this.#schedule = schedule;
    this.#maxCatchUpTicks = maxCatchUpTicks;
  }

  get lastTick(): number {
    return this.#lastTick;
  }

  get nextDueMs(): number {
    return this.#schedule.dueMs(this.#lastTick + 1);
  }

  begin(pageMs: number, asleepSinceMs: number): number {
    const oversleptMs = pageMs - Math.max(asleepSinceMs, this.nextDueMs);
    const isGap = oversleptMs > GAP_MS && !this.#schedule.isPaused;
    if (isGap) this.#schedule.skipGap(oversleptMs);
    this.dropExcess(pageMs);
    this.#remaining = Math.max(0, Math.min(this.#ticksDueAt(pageMs), this.#maxCatchUpTicks));
    return isGap ? oversleptMs : 0;
  }

  next(): PacedTick | undefined {
    if (this.#remaining === 0) return undefined;
    this.#remaining -= 1;
    this.#tick.dt = this.#schedule.dt;
    this.#tick.dueVirtualMs = this.#schedule.dueVirtualMs(this.#lastTick + 1);
    return this.#tick;
  }

  tickDone(): void {
    this.#lastTick += 1;
  }

  hasDueTicks(pageMs: number): boolean {
    return this.#ticksDueAt(pageMs) > 0;
  }

  /** Not while paused: ticks stepped by hand are all wanted. */
  dropExcess(pageMs: number): void {
    const excess = this.#ticksDueAt(pageMs) - this.#maxCatchUpTicks;
    if (excess <= 0 || this.#schedule.isPaused) return;
    this.#schedule.drop(excess);
    this.#dropped += excess;
  }

  /** The schedule knows what is due. */
  endPassAt(): void {
    this.#remaining = 0;
  }

  takeDroppedTicks(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  restart(): void {
    this.#schedule.restart(this.#lastTick);
    this.#lastTick = 0;
  }

  rebase(pageMs: number): void {
    this.#remaining = 0;
    this.#schedule.restartAt(this.#schedule.virtualMsAt(pageMs));
    this.#lastTick = 0;
  }

  setTickRate(tickRateHz: number): void {
    this.#schedule.setTickRate(tickRateHz, this.#lastTick);
  }

  setTimeScale(timeScale: number, pageMs: number): void {
    this.#schedule.setTimeScale(timeScale, pageMs, this.#lastTick);
  }

  setMaxCatchUpTicks(ticks: number): void {
    this.#maxCatchUpTicks = ticks;
  }

  #ticksDueAt(pageMs: number): number {
    return this.#schedule.lastTickDueAt(this.#schedule.virtualMsAt(pageMs)) - this.#lastTick;
  }
}
