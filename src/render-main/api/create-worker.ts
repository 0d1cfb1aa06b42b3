/** The worker that an application creates, and the transport that connects it. */
import type { Transport } from '../../shared/protocol/transport.js';
import { NodeEvents, type NodeEmitter } from '../../shared/protocol/node-events.js';

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

/** The chosen transport of a simulation's states, inputs and events. */
export interface ChosenTransport {
  /** The transport. */
  readonly kind: Transport;
  /** Why it was chosen, in one sentence. */
  readonly reason: string;
}

/** The part of Node's `Worker` that is used. */
export interface NodeWorker extends NodeEmitter {
  /** Ends the thread immediately. */
  terminate(): unknown;
}

/**
 * Lets `connect` drive a Node worker thread.
 *
 * @param worker A `Worker` of `node:worker_threads`.
 */
export function fromNodeWorker(worker: NodeWorker): WorkerLike {
  const events = new NodeEvents(worker);
  return {
    // Node and browsers type transferable objects differently.
    postMessage: (message, transfer = []) => worker.postMessage(message, transfer as never[]),
    addEventListener: (type, listener) =>
      events.addEventListener(type, listener as unknown as (event: unknown) => void),
    removeEventListener: (type, listener) =>
      events.removeEventListener(type, listener as unknown as (event: unknown) => void),
    terminate: () => worker.terminate(),
  };
}
