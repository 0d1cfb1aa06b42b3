/**
 * The loop between two passes: it gives turns to the event loop if something needs them, then sleeps.
 *
 *     sleeps in         when                              ends by
 *     `Atomics.wait`    a tick is due, memory is shared   that time, or a ring of the doorbell
 *     the event loop    a tick is due, memory is not      that time, or a call of the page
 *     the event loop    no tick is due: paused, seeking   a call of the page, or the end of the seek
 *
 * While no tick is due, nothing needs a precise end of the sleep. In the event loop, everything else of the application in
 * this thread runs at once, and costs nothing until then. In `Atomics.wait`, it would wait for the next turn.
 *
 * A turn costs more than all the rest of a pass (docs/performance.md), and the doorbell tells whether a control message
 * is waiting. The application's own timers, promises and messages ring no bell, so they get some turns a second.
 */
import type { WorkerOptions } from '../../shared/protocol/control-protocol.js';
import type { EventLoopTurn } from '../thread/host.js';

/** Typed differently by the worker and browser libraries and by Node, but available in all of them. */
declare const setTimeout: (callback: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;

/** Most turns per pass for control messages that were announced but have not arrived. */
const MAX_TURNS_PER_PASS = 8;

/**
 * How long the loop sleeps while such a message has not arrived, in ms. Messages of a port are delivered separately
 * from the doorbell, in Firefox after more than the turns of a pass. A sleep until the next tick would delay the call.
 */
const NAP_MS = 1;

/** Most naps in a row: a message that never arrives must not keep a processor awake. */
const MAX_NAPS = 1000;

/** Longest sleep in a timer, in ms. Each pass beats the heartbeat that the page watches. */
const MAX_TIMER_MS = 200;

/** The page's control calls. */
export interface PendingCalls {
  /** Number of messages that have arrived (wraps at 2^32). */
  readonly arrived: number;
  /** Whether a call has no answer yet. It may wait for anything that happens in the event loop: an async query does. */
  readonly isBusy: boolean;
}

export interface LoopSleepParts {
  /** Page time now, in ms. */
  readonly now: () => number;
  readonly createTurn: () => EventLoopTurn;
  readonly calls: PendingCalls;
  readonly options: Pick<WorkerOptions, 'turnsPerSecond'>;
  /**
   * Blocks the thread for at most `timeoutMs`, until the doorbell's count differs from `rings`. Undefined: memory is
   * not shared, so messages need no doorbell.
   */
  readonly waitForRing: ((rings: number, timeoutMs: number) => void) | undefined;
}

export class LoopSleep {
  readonly #parts: LoopSleepParts;
  readonly #turn: EventLoopTurn;
  /** When the last sleep began, in ms of page time. Oversleeping is measured from there. */
  sinceMs = 0;
  /** When the application is due a turn, in ms of page time. */
  #turnDueMs = 0;
  /** Naps in a row for an announced message. */
  #naps = 0;
  #wake: (() => void) | undefined;

  constructor(parts: LoopSleepParts) {
    this.#parts = parts;
    this.#turn = parts.createTurn();
  }

  /** The time up to now does not count as sleep. */
  restart(): void {
    this.sinceMs = this.#parts.now();
  }

  /**
   * Gives turns to the event loop until every announced control message has arrived, if there is one, if a call has no
   * answer yet, or if the application is due a turn. Sleep counts from the last call.
   *
   * @param rings The doorbell's count before the loop looked for work.
   * @param wakeMs When the next tick is due, in ms of page time. A turn that is due in the sleep before it is taken now.
   * @returns Undefined if nothing needs a turn.
   */
  takeTurns(rings: number, wakeMs: number): Promise<void> | undefined {
    this.restart();
    const { calls, waitForRing } = this.#parts;
    const isNeeded =
      waitForRing === undefined ||
      this.#isExpecting(rings) ||
      calls.isBusy ||
      this.#turnDueMs <= Math.max(this.sinceMs, wakeMs);
    return isNeeded ? this.#takeTurns(rings) : undefined;
  }

  async #takeTurns(rings: number): Promise<void> {
    const { calls, options } = this.#parts;
    let { arrived } = calls;
    let turns = 0;
    do {
      await this.#turn.take();
      turns += 1;
      // Calls that ran in the turn are load. A turn without calls counts as sleep: if it was long, the system was
      // suspended or the application ran another task, and no ticks are owed for either.
      if (calls.arrived !== arrived) this.restart();
      arrived = calls.arrived;
    } while (this.#isExpecting(rings) && turns < MAX_TURNS_PER_PASS);
    this.#turnDueMs = this.sinceMs + 1000 / options.turnsPerSecond;
  }

  /**
   * @param dueInMs Time until the next tick is due, in ms; Infinity: none is.
   * @returns Undefined if the thread itself has slept: there is nothing to await.
   */
  sleep(rings: number, dueInMs: number): Promise<void> | undefined {
    if (dueInMs <= 0) return undefined;
    const { waitForRing } = this.#parts;
    if (waitForRing === undefined || dueInMs === Infinity) return this.#sleepInEventLoop(dueInMs);
    const isExpecting = this.#isExpecting(rings);
    this.#naps = isExpecting ? this.#naps + 1 : 0;
    const isNap = isExpecting && this.#naps <= MAX_NAPS;
    // In a sleep that is longer than the time between two turns, the application gets its turn in a pass without ticks.
    waitForRing(rings, Math.min(isNap ? NAP_MS : this.#turnDueMs - this.sinceMs, dueInMs));
    return undefined;
  }

  /** Whether a control message was announced and has not arrived. Both counts wrap at 2^32: only the difference counts. */
  #isExpecting(rings: number): boolean {
    return ((rings - this.#parts.calls.arrived) | 0) > 0;
  }

  /** Ends a sleep in the event loop. Returns false if there is none. */
  wake(): boolean {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
    return wake !== undefined;
  }

  /** Lets the thread end. */
  close(): void {
    this.#turn.close();
  }

  /**
   * Timers truncate fractions of a millisecond and may fire early, so the time is rounded up. The wake-up is less than
   * a millisecond late, which does not affect the schedule.
   */
  #sleepInEventLoop(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer =
        timeoutMs === Infinity
          ? undefined
          : setTimeout(() => this.wake(), Math.ceil(Math.min(timeoutMs, MAX_TIMER_MS)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
