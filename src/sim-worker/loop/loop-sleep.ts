/**
 * What the loop does between two passes: it gives the event loop turns, then sleeps in `Atomics.wait`, or in a timer where
 * memory is not shared; see sleeper.ts. Paused, it parks in the event loop instead: no timer, no wait, no CPU.
 */
import type { EventLoopTurn } from '../thread/event-loop-turn.js';
import type { PageCalls } from '../thread/page-calls.js';
import type { Sleeper } from '../thread/sleeper.js';

/** Turns that a pass may spend on control messages that were announced but have not arrived. */
const MAX_TURNS_PER_PASS = 8;

/**
 * How long the loop sleeps while one of them has not arrived, in ms: a port's messages take a way of their own, and in Firefox that
 * takes longer than a pass has turns. Asleep until the next tick, the loop would keep its caller waiting for that.
 */
const NAP_MS = 1;

/** So many times in a row: one that never arrives must not keep a processor awake. */
const MAX_NAPS = 1000;

export interface LoopSleepParts {
  /** Page time now, in ms. */
  readonly now: () => number;
  readonly createTurn: () => EventLoopTurn;
  readonly calls: Pick<PageCalls, 'begun'>;
  readonly sleeper: Sleeper;
}

export class LoopSleep {
  readonly #parts: LoopSleepParts;
  readonly #turn: EventLoopTurn;
  #sinceMs = 0;
  /** In a sleep in which messages arrive. */
  #isAsleep = false;
  /** Sleeps in a row for a message that was announced. */
  #naps = 0;
  #unpark: (() => void) | undefined;

  constructor(parts: LoopSleepParts) {
    this.#parts = parts;
    this.#turn = parts.createTurn();
  }

  /** When the last sleep began, in ms of page time: what is overslept counts from there. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Time up to now was no sleep. */
  restart(): void {
    this.#sinceMs = this.#parts.now();
  }

  /**
   * Gives the event loop turns until every control message that was rung for has arrived. Sleep begins where the last of
   * them ends.
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
      // Calls that ran in the turn are load. A turn without any belongs to the sleep: one that took long is the system's,
      // put to sleep in it, or a task of the application's own, and neither is owed any ticks.
      if (calls.begun !== begun) this.restart();
      begun = calls.begun;
      // Both count modulo 2^32: the difference is what matters.
    } while (((rings - begun) | 0) > 0 && turns < MAX_TURNS_PER_PASS);
  }

  /** @returns Undefined where the thread itself has slept: nothing is to be awaited. */
  sleep(rings: number, dueInMs: number): Promise<void> | undefined {
    if (dueInMs <= 0) return undefined;
    const { calls, sleeper } = this.#parts;
    const isExpecting = ((rings - calls.begun) | 0) > 0;
    this.#naps = isExpecting ? this.#naps + 1 : 0;
    const isNap = isExpecting && this.#naps <= MAX_NAPS;
    const sleeping = sleeper.sleep(rings, isNap ? Math.min(NAP_MS, dueInMs) : dueInMs);
    return sleeping && this.#sleepThrough(sleeping);
  }

  /** Resolves when it is woken. */
  park(): Promise<void> {
    return new Promise((resolve) => {
      this.#unpark = resolve;
    });
  }

  /** Ends a sleep that lets the event loop run, and parking. */
  wake(): void {
    this.#unpark?.();
    this.#unpark = undefined;
    this.#parts.sleeper.wake();
  }

  /** Ends a sleep in which a message has arrived. @returns False if there is none. */
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
