/** When things happened, on the page's clock, in the order in which they were told. */

export class EventStamps {
  #lastMs = 0;

  /**
   * An event's own stamp, which is earlier than its handler by however long the page was busy.
   *
   * Engines have stamped events with 0, with the wall clock, and (made coarse against fingerprinting) with a
   * time to come; the time at which the event is handled stands in for those. A stamp before that of the event before,
   * which would let a release overtake its press, becomes equal to it.
   *
   * @returns ms on the clock of `performance.now()`; never lower than the one returned before.
   */
  of(event: { readonly timeStamp: number }): number {
    return this.#next(event.timeStamp, performance.now());
  }

  /** The stamp of what happens without an event. */
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
