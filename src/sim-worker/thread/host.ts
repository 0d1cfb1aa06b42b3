/** The loop's interface to its thread, a browser's worker or a Node worker thread: a clock, messages, turns. */
import type { Endpoint } from 'comlink';
import { NodeEvents, type NodeEmitter } from '../../shared/protocol/node-events.js';

/** A turn of the event loop, for a loop that never returns. */
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

/** The thread that a simulation runs in. Created by {@link browserHost} or {@link nodeHost}. */
export interface WorkerHost {
  /** Receives the page's first message, with the port for all further messages. */
  readonly endpoint: Endpoint;
  /** Clock of the worker's own thread, in ms. */
  readonly now: () => number;
  /** Wall-clock time at which the clock was zero, in ms. */
  readonly timeOrigin: number;
  /** Creates the way to let queued messages run in this thread. */
  createTurn(): EventLoopTurn;
  /** Shows the developer what the simulation threw. Left out where the page shows the same error in the same place. */
  readonly logError?: (what: string, error: unknown) => void;
  /** The page's memory, if the page and the simulation run in one thread. */
  readonly attachedMemory?: () => ArrayBufferLike | undefined;
}

/** A host whose clock is this thread's. */
export const hostAt = (endpoint: unknown, createTurn: () => EventLoopTurn): WorkerHost => ({
  endpoint: endpoint as Endpoint,
  now: () => performance.now(),
  timeOrigin: performance.timeOrigin,
  createTurn,
});

/** The dedicated worker that this code runs in. */
export const browserHost = (): WorkerHost => ({
  ...hostAt(self, () => new MessageChannelTurn()),
  // The error itself, and not a copy: with it, developer tools find the source.
  // oxlint-disable-next-line no-console
  logError: (what, error) => console.error(`betwixt: ${what}`, error),
});

/** @param parentPort `parentPort` of `node:worker_threads`. */
export function nodeHost(parentPort: NodeEmitter): WorkerHost {
  const events = new NodeEvents(parentPort);
  const endpoint = {
    postMessage: (message: unknown, transfer: readonly never[] = []) =>
      parentPort.postMessage(message, transfer),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  };
  return hostAt(endpoint, createOwnTurn);
}
