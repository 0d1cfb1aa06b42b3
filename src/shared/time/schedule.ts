/**
 * When each tick is due. Pure arithmetic: the time is always an argument.
 *
 * Two axes of time, both in milliseconds:
 *
 *   page time   the page's `performance.now()`
 *   run time    the time for which the schedule has run: page time less every pause, every gap and all
 *               dropped ticks. Run time starts at 0 and never goes back or jumps.
 *
 *     page time   0────────1────────2 ═══ pause ═══ 2────────3 ══ dropped ══ 3────────4
 *     run time    0────────1────────2               2────────3               3────────4
 *     shift       └──── s ─────────┘                └─── s + pause ─┘        └ s + pause + dropped
 *
 * On the axis of run time a tick's due time follows from its integer alone,
 *
 *     dueRunMs(tick) = anchorRunMs + (tick − anchorTick) × 1000 / (tickRateHz × timeScale)
 *
 * one multiplication and one division, never a sum of periods: after 24 hours at 60 Hz a summed period
 * would be off by tens of microseconds, and the tick number would no longer be floor(elapsed / period).
 * A change of rate or scale moves the anchor; a pause, a gap or dropped ticks move `shiftMs` and nothing
 * else. Either begins a new *epoch*.
 *
 * The step handed to the simulation is always 1 / tickRateHz: time scale stretches the schedule, it does
 * not change the physics.
 */

/**
 * Ticks that one pass may run, where nothing else is said: long enough for a stall of 80 ms at 60 Hz to be made up, short
 * enough that a pass stays responsive when each tick takes its whole budget.
 */
export const DEFAULT_MAX_CATCH_UP_TICKS = 5;

/** A wake-up that comes later than this, in ms, is a gap: time that is taken out of the schedule. */
export const GAP_MS = 250;

export class Schedule {
  #tickRateHz: number;
  #timeScale = 1;
  #anchorTick = 0;
  #anchorRunMs = 0;
  #shiftMs = 0;
  #pausedRunMs = 0;
  #epoch = 0;
  #anchorSimulatedSeconds = 0;
  #originRunMs = 0;
  #droppedMs = 0;

  /** A schedule that stands at run time 0: {@link resume} starts it. */
  constructor(tickRateHz: number) {
    this.#tickRateHz = tickRateHz;
  }

  get tickRateHz(): number {
    return this.#tickRateHz;
  }

  /** Simulated seconds per second of run time. */
  get timeScale(): number {
    return this.#timeScale;
  }

  /** Run time between two ticks, in ms. */
  get periodMs(): number {
    return 1000 / (this.#tickRateHz * this.#timeScale);
  }

  /** Simulated seconds of one tick. */
  get dt(): number {
    return 1 / this.#tickRateHz;
  }

  /** Page time minus run time while running, in ms. */
  get shiftMs(): number {
    return this.#shiftMs;
  }

  /** Run time at which the schedule stands, in ms; NaN while it runs. */
  get pausedRunMs(): number {
    return this.#pausedRunMs;
  }

  get isPaused(): boolean {
    return !Number.isNaN(this.#pausedRunMs);
  }

  /** Changes so far: two moments of the same epoch have the same mapping of ticks to page time. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Run time at which tick 0 was due, in ms. */
  get originRunMs(): number {
    return this.#originRunMs;
  }

  /** Time of the ticks dropped since tick 0, in ms. */
  get droppedMs(): number {
    return this.#droppedMs;
  }

  /** Run time at a page time, in ms. */
  runMsAt(pageMs: number): number {
    return this.isPaused ? this.#pausedRunMs : pageMs - this.#shiftMs;
  }

  /** Run time at which a tick is due, in ms. */
  dueRunMs(tick: number): number {
    const ticks = tick - this.#anchorTick;
    return this.#anchorRunMs + (ticks * 1000) / (this.#tickRateHz * this.#timeScale);
  }

  /** Page time at which a tick is due if nothing stops the schedule before, in ms. */
  dueMs(tick: number): number {
    return this.dueRunMs(tick) + this.#shiftMs;
  }

  /** Simulated time after a tick, in s: whole steps, computed like due times without summing. */
  simulatedSeconds(tick: number): number {
    return this.#anchorSimulatedSeconds + (tick - this.#anchorTick) / this.#tickRateHz;
  }

  /** The last tick due at a run time. */
  lastTickDueAt(runMs: number): number {
    const rate = this.#tickRateHz * this.#timeScale;
    let tick = this.#anchorTick + Math.floor(((runMs - this.#anchorRunMs) * rate) / 1000);
    // The quotient above may round across a whole number. Due times decide, and they are off by one
    // tick at most.
    if (this.dueRunMs(tick) > runMs) tick -= 1;
    else if (this.dueRunMs(tick + 1) <= runMs) tick += 1;
    return tick;
  }

  /** Stops run time. No effect while paused. */
  pause(pageMs: number): void {
    this.pauseAtRunMs(pageMs - this.#shiftMs);
  }

  /**
   * Stops run time at a moment of it, exactly: by way of page time a tick's due time would be rounded, and perhaps
   * come to lie before it.
   */
  pauseAtRunMs(runMs: number): void {
    if (this.isPaused) return;
    this.#pausedRunMs = runMs;
    this.#epoch += 1;
  }

  /** Lets run time go on from where it stands. No effect while running. */
  resume(pageMs: number): void {
    if (!this.isPaused) return;
    this.#shiftMs = pageMs - this.#pausedRunMs;
    this.#pausedRunMs = Number.NaN;
    this.#epoch += 1;
  }

  /** While paused: moves run time on by whole ticks, phase kept, so that they become due. */
  step(ticks: number): void {
    if (!this.isPaused) return;
    // From the tick's integer, like every due time: summed periods would soon end just before one.
    const tick = this.lastTickDueAt(this.#pausedRunMs);
    const overstepMs = this.#pausedRunMs - this.dueRunMs(tick);
    // Rounding must not make one more tick due, however close to it the schedule stands.
    const limitMs = this.dueRunMs(tick + ticks + 1) * (1 - Number.EPSILON);
    this.#pausedRunMs = Math.min(this.dueRunMs(tick + ticks) + overstepMs, limitMs);
    this.#epoch += 1;
  }

  /** Takes a gap out of the schedule: its page time passes unused, and nothing is owed for it. */
  skipGap(durationMs: number): void {
    this.#shiftMs += durationMs;
    this.#epoch += 1;
  }

  /** Gives up ticks that are due: their page time passes unused, and is counted. */
  drop(ticks: number): void {
    this.#shiftMs += ticks * this.periodMs;
    this.#droppedMs += ticks * this.periodMs;
    this.#epoch += 1;
  }

  /**
   * Another tick rate, from the last tick on: `lastTick` stays due when it was, the next is due one new
   * period later (or at once, when that has passed). While paused nothing becomes due: where a new period has
   * passed already, as great a part of it counts as of the old one.
   */
  setTickRate(tickRateHz: number, lastTick: number): void {
    const lastDueMs = this.dueRunMs(lastTick);
    const oversteps = (this.#pausedRunMs - lastDueMs) / this.periodMs;
    this.#anchorAt(lastTick, lastDueMs);
    this.#tickRateHz = tickRateHz;
    // Not a number while it runs.
    const dueMs = this.#pausedRunMs - oversteps * this.periodMs;
    if (dueMs > lastDueMs) this.#anchorRunMs = dueMs;
  }

  /**
   * Another time scale, from this moment on: the part of the period that has passed counts with the old
   * scale, the rest passes with the new one, so that simulated time is continuous.
   */
  setTimeScale(timeScale: number, pageMs: number, lastTick: number): void {
    const runMs = this.runMsAt(pageMs);
    const overstepMs = (runMs - this.dueRunMs(lastTick)) * this.#timeScale;
    this.#anchorAt(lastTick, runMs - overstepMs / timeScale);
    this.#timeScale = timeScale;
  }

  /** Calls the last tick 0 from now on, and counts elapsed and dropped time from it. Due times stay. */
  restart(lastTick: number): void {
    this.restartAt(this.dueRunMs(lastTick));
  }

  /** Makes a moment of run time the due time of tick 0, and counts elapsed and dropped time from it. */
  restartAt(runMs: number): void {
    this.#anchorAt(0, runMs);
    this.#anchorSimulatedSeconds = 0;
    this.#originRunMs = runMs;
    this.#droppedMs = 0;
  }

  #anchorAt(tick: number, runMs: number): void {
    this.#anchorSimulatedSeconds = this.simulatedSeconds(tick);
    this.#anchorRunMs = runMs;
    this.#anchorTick = tick;
    this.#epoch += 1;
  }
}
