/**
 * Tells what the network does from what the page does. Messages that come while a page is busy wait, and are then read
 * together: read late, they say nothing about the network.
 *
 *     beats      |    |    |    |                  |    |    |
 *     page       ·····················▓▓▓▓▓▓▓▓▓▓▓▓▓···········
 *     messages      m     m     m     m     m     m m  m     m
 *     read          m     m     m                 m m  m     m
 *                                                 └────┘ late: since a beat that was late, or while one is overdue
 */

/** From one beat to the next, in ms. */
export const PULSE_MS = 20;
/** A beat is late by more than this, in ms: a frame that is drawn between two beats is usual. */
const LATE_MS = 20;
/** A page that was busy for longer has stopped its picture, in ms. */
const STALL_MS = 100;

export class PagePulse {
  #lastMs: number;
  #isLate = false;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  /** To be called every {@link PULSE_MS}. @returns Whether the page had stopped its picture. */
  beat(nowMs: number): boolean {
    const sinceMs = nowMs - this.#lastMs;
    this.#isLate = sinceMs > PULSE_MS + LATE_MS;
    this.#lastMs = nowMs;
    return sinceMs > STALL_MS;
  }

  /** Whether what is read now may have waited. */
  isLate(nowMs: number): boolean {
    return this.#isLate || nowMs - this.#lastMs > PULSE_MS + LATE_MS;
  }
}
