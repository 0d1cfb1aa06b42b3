/** Time stamps of events on the page's clock, in the order in which they were reported. */

export class EventStamps {
  #lastMs = 0;

  /**
   * An event's own stamp, which precedes its handler by the time that the page was busy.
   *
   * Engines have stamped events with 0, with the wall clock, and (coarsened against fingerprinting) with a future time;
   * those are replaced with the time at which the event is handled. A stamp before that of the previous event, which
   * would let a release overtake its press, becomes equal to it.
   *
   * @returns ms on the clock of `performance.now()`; never lower than the one returned before.
   */
  of(event: { readonly timeStamp: number }): number {
    return this.#next(event.timeStamp, performance.now());
  }

  /** The stamp of a change without an event. */
  now(): number {
    const nowMs = performance.now();
    return this.#next(nowMs, nowMs);
  }

  #next(stampMs: number, nowMs: number): number {
    const isPlausible = stampMs > 0 && stampMs <= nowMs;
    this.#lastMs = Math.max(this.#lastMs, isPlausible ? stampMs : nowMs);
    return this.#lastMs;
  }
}
