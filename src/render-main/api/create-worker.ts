/** The worker that an application makes, and what it is connected by. */
import type { Transport } from '../../shared/protocol/transport.js';

/** The part of a Worker that is used here: a browser's, or an adapter around a Node worker thread. */
export interface WorkerLike {
  /** As of a `Worker`. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** For `error`, and `exit` where there is such an event. Messages come through a port of the library's own. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Takes a listener away. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Ends it at once, whatever it is doing. */
  terminate(): unknown;
  /** Only where it is no worker but this very thread: takes the memory that both use. */
  readonly attachMemory?: (buffer: ArrayBufferLike) => void;
}

/**
 * Makes a simulation's worker, or what runs it without one.
 *
 * @param transport What it is going to be connected by. `'local'` only where it was asked for: return what
 *   `runLocally` of `betwixt/local` returns.
 */
export type CreateWorker = (transport: Transport) => WorkerLike | Promise<WorkerLike>;

/** What carries a simulation's states, inputs and events. */
export interface ChosenTransport {
  /** Which one. */
  readonly kind: Transport;
  /** Why this one, in one sentence. */
  readonly reason: string;
}
