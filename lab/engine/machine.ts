/**
 * The scripted clock: time passes only because something takes it. Hitches interrupt work, which
 * continues after them; waiting continues during them, but nothing wakes before they end.
 *
 *     work of 6 ms    ██████                       without a hitch
 *                     ███░░░░░░░░███               a hitch inside
 *     wait            ┄┄┄┄┄┄┄┄┄┄|                  until here
 *                     ┄┄┄┄┄┄░░░░|░░░               a hitch over its end: wakes after it
 */
import type { Hitch } from './scenario.js';

export class Machine {
  readonly #hitches: readonly Hitch[];
  readonly #speed: number;
  #nowMs = 0;
  #next = 0;

  constructor(hitches: readonly Hitch[], speed: number) {
    this.#hitches = hitches;
    this.#speed = speed;
    this.#leaveHitch();
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Works for this long, on a machine of speed 1; hitches are added. */
  work(costMs: number): void {
    let endMs = this.#nowMs + costMs / this.#speed;
    for (;;) {
      const hitch = this.#hitches[this.#next];
      if (hitch === undefined || hitch.atMs >= endMs) break;
      endMs += hitch.durationMs;
      this.#next += 1;
    }
    this.#nowMs = endMs;
    this.#leaveHitch();
  }

  waitUntil(untilMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    this.#leaveHitch();
  }

  #leaveHitch(): void {
    for (;;) {
      const hitch = this.#hitches[this.#next];
      if (hitch === undefined || hitch.atMs > this.#nowMs) return;
      this.#nowMs = Math.max(this.#nowMs, hitch.atMs + hitch.durationMs);
      this.#next += 1;
    }
  }
}
