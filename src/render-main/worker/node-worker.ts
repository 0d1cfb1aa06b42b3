/** Lets `connect` drive a Node worker thread. */
import { NodeEvents, type NodeEmitter } from '../../shared/protocol/node-events.js';
import type { WorkerLike } from '../api/create-worker.js';

/** The part of Node's `Worker` that is used. */
export interface NodeWorker extends NodeEmitter {
  /** Ends the thread immediately. */
  terminate(): unknown;
}

/** @param worker A `Worker` of `node:worker_threads`. */
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
