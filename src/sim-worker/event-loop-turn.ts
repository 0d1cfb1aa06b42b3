/** Turns of the event loop, for a loop that never returns. */

export interface EventLoopTurn {
  /** Resolves after what is queued now has run. One turn at a time. */
  take(): Promise<void>;
  /** Lets the thread end. */
  close(): void;
}

/**
 * The browser's: a hop through a MessageChannel takes about 5 µs and lets every message that was queued
 * before it run first. `setTimeout(0)` would take 4 ms, and the continuation of `scheduler.yield()` may
 * run before the queued messages.
 */
export class MessageChannelTurn implements EventLoopTurn {
  readonly #channel = new MessageChannel();
  #resolve: (() => void) | undefined;

  constructor() {
    this.#channel.port1.onmessage = () => {
      const resolve = this.#resolve;
      this.#resolve = undefined;
      resolve?.();
    };
  }

  take(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#channel.port2.postMessage(0);
    });
  }

  close(): void {
    this.#channel.port1.close();
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
