/** Turns of the event loop, for a loop that never returns. */

export interface EventLoopTurn {
  /** Resolves after what is queued now has run. One turn at a time. */
  take(): Promise<void>;
  /** Lets the thread end. */
  close(): void;
}

/** Worker and browser libraries type it differently from Node's; all of them have it. */
declare const setTimeout: (callback: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;

/** The longest that a hop is waited for, in ms: as short as browsers let a timer be that is set again and again. */
const MAX_HOP_MS = 4;

/**
 * The browser's: a hop through a MessageChannel takes about 5 µs and lets every message that was queued
 * before it run first. `setTimeout(0)` would take 4 ms, and the continuations of `scheduler.yield()` and of
 * `Atomics.waitAsync` may run before the queued messages (in Firefox the latter's always do).
 *
 * WebKit takes the hops of all threads through the page's main thread: 50 µs, or as long as the page is blocked. So a
 * timer, which belongs to the worker alone, ends the turn of a hop that does not come back; a page that is blocked has
 * sent nothing that would have to be let in.
 */
export class MessageChannelTurn implements EventLoopTurn {
  readonly #channel = new MessageChannel();
  /** Hops that are on their way; only the last of them ends a turn. */
  #hops = 0;
  #resolve: (() => void) | undefined;
  #timer: unknown;

  constructor() {
    this.#channel.port1.onmessage = () => {
      this.#hops -= 1;
      if (this.#hops === 0) this.#end();
    };
  }

  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#hops += 1;
      this.#channel.port2.postMessage(0);
      this.#timer = setTimeout(() => this.#end(), MAX_HOP_MS);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#channel.port1.close();
  }

  #end(): void {
    clearTimeout(this.#timer);
    const resolve = this.#resolve;
    this.#resolve = undefined;
    resolve?.();
  }
}

/**
 * Node's: `setImmediate`. A hop would not do, because Node goes on delivering to the port that is being
 * read, up to a thousand messages, before it looks at another port.
 */
export class ImmediateTurn implements EventLoopTurn {
  readonly #setImmediate: (callback: () => void) => unknown;

  constructor(setImmediate: (callback: () => void) => unknown) {
    this.#setImmediate = setImmediate;
  }

  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#setImmediate(resolve);
    });
  }

  close(): void {}
}
