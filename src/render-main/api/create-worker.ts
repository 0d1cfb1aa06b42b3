/** The worker that an application creates, and the transport that connects it. */
import type { Transport } from '../../shared/protocol/transport.js';

/** The part of a Worker that is used here: a browser's, or an adapter for a Node worker thread. */
export interface WorkerLike {
  /** Like `Worker.postMessage`. */
  postMessage(message: unknown, transfer?: Transferable[]): void;
  /** For `error`, and `exit` where it exists. Messages come through a separate port. */
  addEventListener(type: string, listener: (event: Event) => void): void;
  /** Removes a listener. */
  removeEventListener(type: string, listener: (event: Event) => void): void;
  /** Ends it immediately, whatever it is doing. */
  terminate(): unknown;
  /** Only if it runs in the page's own thread instead of a worker: receives the memory that both use. */
  readonly attachMemory?: (buffer: ArrayBufferLike) => void;
}

/**
 * Creates a simulation's worker, or what runs the simulation without one.
 *
 * @param transport The transport that will be used. `'local'` only if it was requested: then return the result of
 *   `runLocally` of `betwixt/local`.
 */
export type CreateWorker = (transport: Transport) => WorkerLike | Promise<WorkerLike>;

/** What carries a simulation's states, inputs and events. */
export interface ChosenTransport {
  /** The transport. */
  readonly kind: Transport;
  /** Why it was chosen, in one sentence. */
  readonly reason: string;
}
