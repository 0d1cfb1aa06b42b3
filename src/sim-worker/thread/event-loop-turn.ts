/** Turns of the event loop, for a loop that never returns. */

export interface EventLoopTurn {
  /** Resolves after everything that is queued now has run. One turn at a time. */
  take(): Promise<void>;
  /** Lets the thread end. */
  close(): void;
}

/** Typed differently by the worker and browser libraries and by Node, but available in all of them. */
declare const setTimeout: (callback: () => void, ms: number) => unknown;
declare const clearTimeout: (timer: unknown) => void;

/** Maximum wait for a hop, in ms: the shortest delay that browsers allow for nested timers. */
const MAX_HOP_MS = 4;

/**
 * For browsers: a hop through a MessageChannel takes about 5 µs, and every message queued before it runs first.
 * `setTimeout(0)` would take 4 ms, and the continuations of `scheduler.yield()` and `Atomics.waitAsync` may run before
 * the queued messages (in Firefox, those of `Atomics.waitAsync` always do).
 *
 * WebKit routes the hops of all threads through the page's main thread: 50 µs, or as long as the page is blocked. So a
 * timer, which depends only on the worker, ends the turn if the hop does not return. A blocked page has sent no
 * messages.
 */
export class MessageChannelTurn implements EventLoopTurn {
  readonly #channel = new MessageChannel();
  /** Hops in progress; only the last one ends a turn. */
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
 * For Node: `setImmediate`. A hop would not work, because Node delivers up to a thousand messages of the port that is
 * being read before it looks at another port.
 */
export const immediateTurn = (setImmediate: (callback: () => void) => unknown): EventLoopTurn => ({
  take: () => new Promise((resolve) => void setImmediate(resolve)),
  close: () => {},
});

/** Node only; the type library for workers does not include it. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** The turn for the environment of this thread, whatever it is. */
export const createOwnTurn = (): EventLoopTurn =>
  typeof setImmediate === 'function' ? immediateTurn(setImmediate) : new MessageChannelTurn();
