/** Paces the loop by the `fixed` stepper: whole ticks at due times that follow from their integers. */
import type { Schedule } from '../../shared/schedule.js';
import { FixedStepper } from '../../shared/steppers/fixed.js';
import type { PacedTick, Pacer } from './pacer.js';

export class FixedPacer implements Pacer {
  readonly #schedule: Schedule;
  readonly #stepper: FixedStepper;
  readonly #tick: PacedTick = { stepS: 0, dueRunMs: 0 };
  #remaining = 0;
  #dropped = 0;

  /** @param maxCatchUpTicks Most ticks a pass. */
  constructor(schedule: Schedule, maxCatchUpTicks: number) {
    this.#schedule = schedule;
    this.#stepper = new FixedStepper(schedule, { maxCatchUpTicks });
  }

  get lastTick(): number {
    return this.#stepper.lastTick;
  }

  get nextDueMs(): number {
    return this.#stepper.nextDueMs;
  }

  begin(pageMs: number, asleepSinceMs: number): number {
    const { ticks, droppedTicks, gapMs } = this.#stepper.advance(pageMs, asleepSinceMs);
    this.#remaining = ticks;
    this.#dropped += droppedTicks;
    return gapMs;
  }

  next(): PacedTick | undefined {
    if (this.#remaining === 0) return undefined;
    this.#remaining -= 1;
    this.#tick.stepS = this.#schedule.stepS;
    this.#tick.dueRunMs = this.#schedule.dueRunMs(this.lastTick + 1);
    return this.#tick;
  }

  tickDone(): void {
    this.#stepper.tickDone();
  }

  hasDueTicks(pageMs: number): boolean {
    return this.#schedule.lastTickDueAt(this.#schedule.runMsAt(pageMs)) > this.lastTick;
  }

  dropExcess(pageMs: number): void {
    this.#dropped += this.#stepper.dropExcess(pageMs);
  }

  takeDroppedTicks(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  restart(): void {
    this.#stepper.restart();
  }

  rebase(pageMs: number): void {
    this.#remaining = 0;
    this.#stepper.restartAt(this.#schedule.runMsAt(pageMs));
  }

  setTickRate(tickRateHz: number): void {
    this.#stepper.setTickRate(tickRateHz);
  }

  setTimeScale(timeScale: number, pageMs: number): void {
    this.#stepper.setTimeScale(timeScale, pageMs);
  }

  setMaxCatchUpTicks(ticks: number): void {
    this.#stepper.maxCatchUpTicks = ticks;
  }
}
