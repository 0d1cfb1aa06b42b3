/**
 * The `rate-groups` stepper: update, render and refresh, each at its own rate.
 *
 * Source: the main loop of an engine in Pascal, author unknown. Each activity has an accumulator of whole clock
 * ticks (here a {@link Metronome} in microseconds) and is due when that exceeds its period. A pass of the loop
 * runs all missed updates, then one frame, then one refresh; missed frames and refreshes are dropped. If nothing
 * is due, it sleeps 1 ms and checks again. The first pass runs all three.
 *
 *     update  60 Hz   │u    u    u    u    u    u
 *     render  50 Hz   │f     f     f     f     f
 *     refresh  4 Hz   │r                                 …
 *     passes          │xxxxxxxxxxxxxxxxxxxxxxxxxxxxx     about 1 ms apart
 */
import { Metronome } from '../../../src/shared/time/metronome.js';
import { flag, numberFrom, rate, stepCap, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';

/** Options of the loop `rate-groups`. */
export interface RateGroupsOptions {
  /** Which loop. */
  readonly kind: 'rate-groups';
  /** Updates per second, 1 to 1000 Hz. Default 60. */
  readonly tickRateHz?: number;
  /** Frames per second, 1 to 1000 Hz. Default 50; the article's choices are 30, 50, 60 and 144. */
  readonly renderHz?: number;
  /** Refreshes of the counters per second, 1 to 1000 Hz. Default 4. */
  readonly refreshHz?: number;
  /** Sleep when nothing is due, in ms, 0.01 to 1000. Default 1. */
  readonly pollMs?: number;
  /** Maximum updates per pass, a whole number from 1; updates beyond are dropped. Default Infinity. */
  readonly maxSteps?: number;
  /** Draw between the previous and the current state. Default false: draw the current one, as in the article. */
  readonly interpolate?: boolean;
}

export const RATE_GROUPS: OptionChecks<RateGroupsOptions> = {
  tickRateHz: rate(60),
  renderHz: rate(50),
  refreshHz: rate(4),
  pollMs: numberFrom(0.01, 1000, 1),
  maxSteps: stepCap(Infinity),
  interpolate: flag(false),
};

const metronomesOf = (options: Required<RateGroupsOptions>) => ({
  update: new Metronome(options.tickRateHz),
  render: new Metronome(options.renderHz),
  refresh: new Metronome(options.refreshHz),
});

export class RateGroupsStepper implements Stepper {
  readonly kind = 'rate-groups';
  readonly stepBoundMs: number;
  readonly inventedMs = 0;
  passes = 0;
  readonly #options: Required<RateGroupsOptions>;
  readonly #actions = new ActionSet();
  #due: ReturnType<typeof metronomesOf>;
  #isInPass = false;
  #startMs = 0;
  #updates = 0;
  #dropped = 0;
  #updatesDue = 0;
  #isFrameDue = false;
  #isRefreshDue = false;
  #isIdle = false;
  #passMs = 0;

  constructor(options: Required<RateGroupsOptions>) {
    this.#options = options;
    this.stepBoundMs = 1000 / options.tickRateHz;
    this.#due = metronomesOf(options);
  }

  get droppedMs(): number {
    return this.#dropped * this.stepBoundMs;
  }

  get idleUntilMs(): number {
    const dueUs = this.#due.update.nextDueUs;
    // Half a microsecond later, so that rounding in the conversion back cannot yield the one before.
    return Number.isNaN(dueUs) ? this.#startMs : (dueUs + 0.5) / 1000;
  }

  start(nowMs: number): void {
    this.#startMs = nowMs;
    this.#updates = 0;
    this.#dropped = 0;
    this.#isInPass = false;
    this.#due = metronomesOf(this.#options);
  }

  next(nowMs: number): Action {
    if (!this.#isInPass) this.#begin(nowMs);
    if (this.#updatesDue > 0) {
      this.#updatesDue -= 1;
      this.#updates += 1;
      return this.#actions.update(this.stepBoundMs, this.#dueMs());
    }
    if (this.#isFrameDue) {
      this.#isFrameDue = false;
      return this.#actions.frame(this.#options.interpolate ? this.#alpha() : 1);
    }
    if (this.#isRefreshDue) {
      this.#isRefreshDue = false;
      return this.#actions.refresh;
    }
    this.#isInPass = false;
    if (this.#isIdle) return this.#actions.sleep(nowMs + this.#options.pollMs);
    return this.next(nowMs);
  }

  /** The first update runs before any time has passed, so the simulation is one step ahead. */
  leftMs(nowMs: number): number {
    const steps = this.#updates + this.#dropped;
    return nowMs - this.#startMs - (steps * 1000) / this.#options.tickRateHz;
  }

  #begin(nowMs: number): void {
    this.#isInPass = true;
    this.passes += 1;
    this.#passMs = nowMs;
    // A clock shows the last whole unit reached.
    const nowUs = Math.floor(nowMs * 1000);
    const due = this.#due.update.advance(nowUs);
    this.#updatesDue = Math.min(due, this.#options.maxSteps);
    this.#dropped += due - this.#updatesDue;
    this.#isFrameDue = this.#due.render.advance(nowUs) > 0;
    this.#isRefreshDue = this.#due.refresh.advance(nowUs) > 0;
    this.#isIdle = due === 0 && !this.#isFrameDue && !this.#isRefreshDue;
  }

  /** Due time of the newest update; the first one was due at the start. */
  #dueMs(): number {
    const beat = this.#updates + this.#dropped - 1;
    return this.#startMs + (beat * 1000) / this.#options.tickRateHz;
  }

  #alpha(): number {
    return Math.min(1, Math.max(0, (this.#passMs - this.#dueMs()) / this.stepBoundMs));
  }
}
