/**
 * When each tick is due. Pure arithmetic: the time is always an argument.
 *
 * Two axes of time, both in milliseconds:
 *
 *   page time      the page's `performance.now()`
 *   virtual time   the time for which the schedule has run: page time minus all pauses, gaps and
 *                  dropped ticks. It starts at 0 and never goes back or jumps.
 *
 *     page time      0────────1────────2 ═══ pause ═══ 2────────3 ══ dropped ══ 3────────4
 *     virtual time   0────────1────────2               2────────3               3────────4
 *     shift          └──── s ─────────┘                └─── s + pause ─┘        └ s + pause + dropped
 *
 * In virtual time, a tick's due time depends only on its integer:
 *
 *     dueVirtualMs(tick) = anchorVirtualMs + (tick − anchorTick) × 1000 / (tickRateHz × timeScale)
 *
 * That is never a sum of periods, which would be off by tens of microseconds after 24 hours at 60 Hz. A change of rate or
 * scale moves the anchor; a pause, a gap or dropped ticks change only `shiftMs`. Either begins a new *epoch*.
 *
 * The step passed to the simulation is always 1 / tickRateHz: time scale stretches the schedule but does not change
 * the physics.
 */

/**
 * Default maximum of ticks per pass: enough to catch up on a stall of 80 ms at 60 Hz, few enough for a pass to stay
 * responsive when each tick takes its whole budget.
 */
export const DEFAULT_MAX_CATCH_UP_TICKS = 5;

/** A wake-up that is later than this, in ms, is a gap: time that is removed from the schedule. */
export const GAP_MS = 250;

export class Schedule {
  #tickRateHz: number;
  #timeScale = 1;
  #anchorTick = 0;
  #anchorVirtualMs = 0;
  #shiftMs = 0;
  #pausedVirtualMs = 0;
  #pausedAtVirtualMs = 0;
  #epoch = 0;
  #originVirtualMs = 0;
  #droppedMs = 0;

  /** A schedule paused at virtual time 0: {@link resume} starts it. */
  constructor(tickRateHz: number) {
    this.#tickRateHz = tickRateHz;
  }

  get tickRateHz(): number {
    return this.#tickRateHz;
  }

  /** Simulated seconds per second of virtual time. */
  get timeScale(): number {
    return this.#timeScale;
  }

  /** Virtual time between two ticks, in ms. */
  get periodMs(): number {
    return 1000 / (this.#tickRateHz * this.#timeScale);
  }

  /** Simulated seconds of one tick. */
  get dt(): number {
    return 1 / this.#tickRateHz;
  }

  /** Page time minus virtual time while running, in ms. */
  get shiftMs(): number {
    return this.#shiftMs;
  }

  /** Virtual time at which the schedule is paused, in ms; NaN while it runs. */
  get pausedVirtualMs(): number {
    return this.#pausedVirtualMs;
  }

  /** Virtual time at which the pause began, in ms: ticks due after it are stepped by hand. NaN while it runs. */
  get pausedAtVirtualMs(): number {
    return this.#pausedAtVirtualMs;
  }

  get isPaused(): boolean {
    return !Number.isNaN(this.#pausedVirtualMs);
  }

  /** Number of changes so far: two moments of the same epoch have the same mapping of ticks to page time. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Virtual time at which tick 0 was due, in ms. */
  get originVirtualMs(): number {
    return this.#originVirtualMs;
  }

  /** Time of the ticks dropped since tick 0, in ms. */
  get droppedMs(): number {
    return this.#droppedMs;
  }

  /** Virtual time at a page time, in ms. */
  virtualMsAt(pageMs: number): number {
    return this.isPaused ? this.#pausedVirtualMs : pageMs - this.#shiftMs;
  }

  /** Virtual time at which a tick is due, in ms. */
  dueVirtualMs(tick: number): number {
    const ticks = tick - this.#anchorTick;
    return this.#anchorVirtualMs + (ticks * 1000) / (this.#tickRateHz * this.#timeScale);
  }

  /** Page time at which a tick is due, in ms, if nothing stops the schedule before. */
  dueMs(tick: number): number {
    return this.dueVirtualMs(tick) + this.#shiftMs;
  }

  /** The last tick due at a virtual time. */
  lastTickDueAt(virtualMs: number): number {
    const rate = this.#tickRateHz * this.#timeScale;
    let tick = this.#anchorTick + Math.floor(((virtualMs - this.#anchorVirtualMs) * rate) / 1000);
    // The quotient may round across a whole number. Due times decide, and it is off by one tick at most.
    if (this.dueVirtualMs(tick) > virtualMs) tick -= 1;
    else if (this.dueVirtualMs(tick + 1) <= virtualMs) tick += 1;
    return tick;
  }

  /** Stops virtual time. No effect while paused. */
  pause(pageMs: number): void {
    this.pauseAtVirtualMs(pageMs - this.#shiftMs);
  }

  /**
   * Stops virtual time at an exact moment. A conversion to page time and back would round a tick's due time, possibly
   * to a moment before the tick.
   */
  pauseAtVirtualMs(virtualMs: number): void {
    if (this.isPaused) return;
    this.#pausedVirtualMs = virtualMs;
    this.#pausedAtVirtualMs = virtualMs;
    this.#epoch += 1;
  }

  /** Continues virtual time from where it was paused. No effect while running. */
  resume(pageMs: number): void {
    if (!this.isPaused) return;
    this.#shiftMs = pageMs - this.#pausedVirtualMs;
    this.#pausedVirtualMs = Number.NaN;
    this.#pausedAtVirtualMs = Number.NaN;
    this.#epoch += 1;
  }

  /** While paused: advances virtual time by whole ticks, keeping the phase, so that they become due. */
  step(ticks: number): void {
    if (!this.isPaused) return;
    // From the tick's integer, like every due time: summed periods would soon end just before a tick.
    const tick = this.lastTickDueAt(this.#pausedVirtualMs);
    const overstepMs = this.#pausedVirtualMs - this.dueVirtualMs(tick);
    // Rounding must not make one more tick due, however close to it the schedule is paused.
    const limitMs = this.dueVirtualMs(tick + ticks + 1) * (1 - Number.EPSILON);
    this.#pausedVirtualMs = Math.min(this.dueVirtualMs(tick + ticks) + overstepMs, limitMs);
    this.#epoch += 1;
  }

  /** Removes a gap from the schedule: its page time passes unused, and no ticks are due for it. */
  skipGap(durationMs: number): void {
    this.#shiftMs += durationMs;
    this.#epoch += 1;
  }

  /** Drops ticks that are due: their page time passes unused, and is counted. */
  drop(ticks: number): void {
    this.#shiftMs += ticks * this.periodMs;
    this.#droppedMs += ticks * this.periodMs;
    this.#epoch += 1;
  }

  /**
   * Changes the tick rate from the last tick on: `lastTick` stays due when it was, the next is due one new period
   * later (or immediately, if that has passed). While paused, nothing becomes due: if a new period has already
   * passed, the same fraction of it counts as of the old one.
   */
  setTickRate(tickRateHz: number, lastTick: number): void {
    const lastDueMs = this.dueVirtualMs(lastTick);
    const oversteps = (this.#pausedVirtualMs - lastDueMs) / this.periodMs;
    this.#anchorAt(lastTick, lastDueMs);
    this.#tickRateHz = tickRateHz;
    // NaN while running.
    const dueMs = this.#pausedVirtualMs - oversteps * this.periodMs;
    if (dueMs > lastDueMs) this.#anchorVirtualMs = dueMs;
  }

  /**
   * Changes the time scale from this moment on: the part of the period that has passed counts with the old scale, the
   * rest passes with the new one, so that simulated time is continuous.
   */
  setTimeScale(timeScale: number, pageMs: number, lastTick: number): void {
    const virtualMs = this.virtualMsAt(pageMs);
    const overstepMs = (virtualMs - this.dueVirtualMs(lastTick)) * this.#timeScale;
    this.#anchorAt(lastTick, virtualMs - overstepMs / timeScale);
    this.#timeScale = timeScale;
  }

  /** Makes a moment of virtual time the due time of tick 0, and counts elapsed and dropped time from it. */
  restartAt(virtualMs: number): void {
    this.#anchorAt(0, virtualMs);
    this.#originVirtualMs = virtualMs;
    this.#droppedMs = 0;
  }

  #anchorAt(tick: number, virtualMs: number): void {
    this.#anchorVirtualMs = virtualMs;
    this.#anchorTick = tick;
    this.#epoch += 1;
  }
}
