/**
 * Tells what the network does from what the page does. Messages that come while a page is busy wait, and are then read
 * together: read late, they say nothing about the network.
 *
 *     beats      |    |    |    |                  |    |    |
 *     page       ·····················▓▓▓▓▓▓▓▓▓▓▓▓▓···········
 *     messages      m     m     m     m     m     m m  m     m
 *     read          m     m     m                 m m  m     m
 *                                                 └────┘ late: since a beat that was late, or while one is overdue
 *
 * What is usual for a page is not late: one whose frames take long is busy most of the time, and needs what it shows to be there before.
 */
import { RecentValues } from './recent-values.js';

/** From one beat to the next, in ms. */
export const PULSE_MS = 20;
/** A beat is late after this many of the usual times between two. */
const LATE_TIMES = 2;
const USUAL_BEATS = 16;
/** A page that was busy for longer has stopped its picture, in ms. */
const STALL_MS = 100;

export class PagePulse {
  #lastMs: number;
  #isLate = false;
  readonly #gaps = new RecentValues(USUAL_BEATS);
  #usualMs = PULSE_MS;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  /** To be called every {@link PULSE_MS}. @returns Whether the page had stopped its picture. */
  beat(nowMs: number): boolean {
    const sinceMs = nowMs - this.#lastMs;
    this.#isLate = this.isOverdue(nowMs);
    this.#lastMs = nowMs;
    if (sinceMs > STALL_MS) return true;
    this.#gaps.note(sinceMs);
    this.#usualMs = Math.max(PULSE_MS, this.#gaps.quantile(0.5));
    return false;
  }

  /** Whether what is read now may have waited for unusually long. */
  isLate(nowMs: number): boolean {
    return this.#isLate || this.isOverdue(nowMs);
  }

  private isOverdue(nowMs: number): boolean {
    return nowMs - this.#lastMs > LATE_TIMES * this.#usualMs;
  }
}
