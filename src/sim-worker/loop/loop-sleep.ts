/**
 * What the loop does between two passes: it gives turns to the event loop, then sleeps in `Atomics.wait`, or in a timer
 * if memory is not shared or a part of the library is loading; see sleeper.ts. While paused, it parks in the event loop:
 * no timer, no wait, no CPU.
 */
import type { EventLoopTurn } from '../thread/event-loop-turn.js';
import type { PageCalls } from '../thread/page-calls.js';
import { TimerSleeper, type Sleeper } from '../thread/sleeper.js';

/** Most turns per pass for control messages that were announced but have not arrived. */
const MAX_TURNS_PER_PASS = 8;

/**
 * How long the loop sleeps while such a message has not arrived, in ms. Messages of a port are delivered separately
 * from the doorbell, in Firefox after more than the turns of a pass. A sleep until the next tick would delay the call.
 */
const NAP_MS = 1;

/** Most naps in a row: a message that never arrives must not keep a processor awake. */
const MAX_NAPS = 1000;

export interface LoopSleepParts {
  /** Page time now, in ms. */
  readonly now: () => number;
  readonly createTurn: () => EventLoopTurn;
  readonly calls: Pick<PageCalls, 'begun' | 'isLoading'>;
  readonly sleeper: Sleeper;
}

export class LoopSleep {
  readonly #parts: LoopSleepParts;
  readonly #turn: EventLoopTurn;
  readonly #timer = new TimerSleeper();
  #sinceMs = 0;
  /** Whether the loop is in a sleep in which messages can arrive. */
  #isAsleep = false;
  /** Naps in a row for an announced message. */
  #naps = 0;
  #unpark: (() => void) | undefined;

  constructor(parts: LoopSleepParts) {
    this.#parts = parts;
    this.#turn = parts.createTurn();
  }

  /** When the last sleep began, in ms of page time. Oversleeping is measured from there. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** The time up to now does not count as sleep. */
  restart(): void {
    this.#sinceMs = this.#parts.now();
  }

  /**
   * Gives turns to the event loop until every announced control message has arrived. Sleep counts from the last call.
   *
   * @param rings The doorbell's count before the loop looked for work.
   */
  async takeTurns(rings: number): Promise<void> {
    const { calls } = this.#parts;
    let { begun } = calls;
    this.restart();
    let turns = 0;
    do {
      await this.#turn.take();
      turns += 1;
      // Calls that ran in the turn are load. A turn without calls counts as sleep: if it was long, the system was
      // suspended or the application ran another task, and no ticks are owed for either.
      if (calls.begun !== begun) this.restart();
      begun = calls.begun;
      // Both counts wrap at 2^32, so only the difference is meaningful.
    } while (((rings - begun) | 0) > 0 && turns < MAX_TURNS_PER_PASS);
  }

  /** @returns Undefined if the thread itself has slept: there is nothing to await. */
  sleep(rings: number, dueInMs: number): Promise<void> | undefined {
    if (dueInMs <= 0) return undefined;
    const { calls, sleeper } = this.#parts;
    // In `Atomics.wait`, the event loop does not run, and nothing loads.
    if (calls.isLoading) return this.#sleepThrough(this.#timer.sleep(rings, dueInMs));
    const isExpecting = ((rings - calls.begun) | 0) > 0;
    this.#naps = isExpecting ? this.#naps + 1 : 0;
    const isNap = isExpecting && this.#naps <= MAX_NAPS;
    const sleeping = sleeper.sleep(rings, isNap ? Math.min(NAP_MS, dueInMs) : dueInMs);
    return sleeping && this.#sleepThrough(sleeping);
  }

  /** Resolves when woken. */
  park(): Promise<void> {
    return new Promise((resolve) => {
      this.#unpark = resolve;
    });
  }

  /** Ends parking, or a sleep that lets the event loop run. */
  wake(): void {
    this.#unpark?.();
    this.#unpark = undefined;
    this.endSleep();
  }

  /** Ends a sleep that lets the event loop run, but not parking. */
  endSleep(): void {
    this.#parts.sleeper.wake();
    this.#timer.wake();
  }

  /** Ends a sleep because a message has arrived. Returns false if the loop is not asleep. */
  interrupt(): boolean {
    const wasAsleep = this.#isAsleep;
    this.#isAsleep = false;
    return wasAsleep;
  }

  /** Lets the thread end. */
  close(): void {
    this.#turn.close();
  }

  async #sleepThrough(sleeping: Promise<void>): Promise<void> {
    this.#isAsleep = true;
    await sleeping;
    this.#isAsleep = false;
  }
}
